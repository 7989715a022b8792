#include "fuzz/finding.hpp"

#include <cstdint>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "corpus/record.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/shape.hpp"

namespace jrpcheck::fuzz {
namespace {

using corpus::RecordReader;
using corpus::RecordWriter;

constexpr std::string_view kFormat = "jrpcheck-finding-1";

void describe_bytes(auto& record, auto& bytes) { record.bytes(bytes); }

void describe_cut(auto& record, auto& cut) {
  record.number("message", cut.message);
  record.number("offset", cut.offset);
  record.newer_choice("into", cut.into);
  record.newer_number("bytes", cut.bytes);
}

void describe_company(auto& record, auto& company) {
  const auto describe_each = [](auto& each, auto& it) { describe_bytes(each, it); };
  record.list("ahead", company.ahead, describe_each);
  record.list("behind", company.behind, describe_each);
  record.optional_object("cut", company.cut, [](auto& each, auto& it) { describe_cut(each, it); });
}

void describe_traits(auto& record, auto& traits) {
  record.flag("serves-batches", traits.serves_batches);
  record.flag("dialect", traits.is_dialect);
  record.texts("methods", traits.methods);
}

void describe_place(auto& record, auto& place) {
  record.optional_number("element", place.element);
  record.optional_text("pointer", place.pointer);
}

void describe_symptom(RecordWriter& record, const Finding& finding) {
  record.choice("symptom", finding.symptom);
  record.object("place", finding.place, [](auto& each, auto& it) { describe_place(each, it); });
  record.text("message", sentence_of(finding));
  record.optional_text("particulars", finding.particulars);
}

// Files of older versions have a message alone.
void describe_symptom(RecordReader& record, Finding& finding) {
  std::string name;
  record.optional_text("symptom", name);
  const auto symptom = judge::symptom_named(name);
  finding.symptom = symptom.value_or(judge::Symptom::untold);
  if (!symptom) return record.text("message", finding.particulars);
  record.optional_text("particulars", finding.particulars);
  record.object("place", finding.place, [](auto& each, auto& it) { describe_place(each, it); });
}

void describe(auto& record, auto& finding) {
  record.text("requirement", finding.requirement);
  record.text("shape", finding.shape);
  record.choice("severity", finding.severity);
  describe_symptom(record, finding);
  record.text("expected", finding.expected);
  record.text("actual", finding.actual);
  record.object("sent", finding.sent, [](auto& each, auto& it) { describe_bytes(each, it); });
  record.newer_list("before", finding.before,
                    [](auto& each, auto& it) { describe_bytes(each, it); });
  record.optional_object("company", finding.company,
                         [](auto& each, auto& it) { describe_company(each, it); });
  record.list("replies", finding.replies, [](auto& each, auto& it) { describe_bytes(each, it); });
  record.text("transport", finding.transport);
  record.optional_text("profile", finding.profile);
  record.object("server", finding.traits, [](auto& each, auto& it) { describe_traits(each, it); });
  record.number("seed", finding.seed);
  record.number("shown", finding.shown);
  record.number("tries", finding.tries);
  record.newer_number("reduced-in", finding.reduced_in);
  record.text("standard-error", finding.standard_error);
  record.text("reproduce", finding.reproduce);
}

}  // namespace

std::vector<std::size_t> cuts_of(const Finding& finding) {
  const wire::Binding* binding = wire::binding_named(finding.transport);
  if (!finding.company || binding == nullptr) return {};
  return cuts_of(finding.sent, *finding.company, *binding);
}

std::string sentence_of(const Finding& finding) {
  return judge::sentence_of(finding.symptom, finding.particulars);
}

std::string to_text(const Finding& finding) {
  std::string text;
  json::Writer out(text, {.indent = 2, .spread_depth = 1});
  out.open(json::Kind::object);
  RecordWriter record(out);
  record.text("format", kFormat);
  describe(record, finding);
  record.flag("flaky", finding.is_flaky());
  out.close();
  return inert_json(text) + "\n";
}

Result<Finding> finding_from(const std::string& file, std::string_view text) {
  corpus::Complaint complaint(file, text);
  const auto parsed = complaint.parse(text);
  if (!parsed) return complaint.error();
  RecordReader record(*parsed, complaint);
  std::string format;
  record.text("format", format);
  if (format != kFormat) record.complain("format", "is not \"" + std::string(kFormat) + "\"");
  Finding finding;
  if (!complaint.raised()) describe(record, finding);
  if (complaint.raised()) return complaint.error();
  return finding;
}

std::string file_name_of(const Finding& finding) {
  std::string digits;
  for (std::uint32_t hash = hash_of(finding.shape), i = 0; i < 8; ++i, hash >>= 4U) {
    digits += kHexDigits[hash & 0xFU];
  }
  return finding.requirement + "-" + digits + ".json";
}

void find_symptom(Finding& finding, const corpus::Ledger& ledger) {
  if (finding.symptom != judge::Symptom::untold) return;
  const auto judgement =
      Oracle(ledger, finding.traits).judge_replies(finding.sent, finding.replies);
  for (const auto& each : judgement.findings) {
    if (each.requirement != finding.requirement) continue;
    finding.symptom = each.symptom;
    finding.place = each.place;
    finding.particulars = each.particulars;
    return;
  }
}

}  // namespace jrpcheck::fuzz
