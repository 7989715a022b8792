#include <algorithm>
#include <tuple>

#include "corpus/member_reader.hpp"
#include "json/value.hpp"
#include "result/baseline.hpp"

namespace jrpcheck::result {
namespace {

using corpus::Complaint;
using corpus::MemberReader;
using json::Kind;

constexpr std::string_view kSchema = "jrpcheck-baseline-2";
constexpr std::string_view kOutdatedSchema = "jrpcheck-baseline-1";

class Reader {
 public:
  Reader(const std::string& file, std::string_view text)
      : file_(file), text_(text), complaint_(file, text) {}

  Result<Baseline> read() {
    const auto parsed = complaint_.parse(text_);
    if (!parsed) return complaint_.error();
    Baseline baseline = read_whole(*parsed);
    if (complaint_.raised()) return complaint_.error();
    return baseline;
  }

 private:
  Baseline read_whole(const json::Value& object) {
    Baseline baseline;
    const MemberReader members(object, complaint_, {"schema", "about", "cases"});
    const auto schema = members.text("schema");
    if (!schema.empty() && schema != kSchema && schema != kOutdatedSchema) {
      complaint_.raise(*members.find_any("schema"),
                       "member \"schema\" must be \"" + std::string(kSchema) + "\"");
    }
    baseline.about = members.text("about");
    const json::Value* cases = members.require("cases", Kind::object);
    const auto twice = cases != nullptr ? corpus::first_repeated(*cases) : std::nullopt;
    for (std::size_t i = 0; cases != nullptr && i < cases->size(); ++i) {
      const auto& id = cases->names()[i];
      complaint_.about("case '" + id + "'");
      if (i == twice) complaint_.raise(cases->children()[i], "is listed twice");
      baseline.cases.emplace(id, read_case(cases->children()[i]));
    }
    baseline.is_outdated = is_outdated_;
    return baseline;
  }

  KnownCase read_case(const json::Value& object) {
    KnownCase known;
    const auto at = complaint_.place_of(object);
    known.where = file_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    const MemberReader members(object, complaint_, {"reason", "flaky", "findings"});
    known.reason = members.text("reason");
    known.flaky = members.flag("flaky");
    const json::Value* findings = members.find("findings", Kind::array);
    if (findings == nullptr) return known;
    if (findings->size() == 0) {
      complaint_.raise(*findings,
                       "member \"findings\" must not be empty: leave it out for any finding");
    }
    for (const auto& each : findings->children()) known.findings.push_back(read_finding(each));
    return known;
  }

  KnownFinding read_finding(const json::Value& object) {
    const MemberReader members(
        object, complaint_, {"requirement", "severity", "symptom", "element", "pointer", "shape"});
    KnownFinding known;
    known.requirement = members.required_text("requirement");
    known.is_outdated = members.find("shape", Kind::string) != nullptr;
    is_outdated_ = is_outdated_ || known.is_outdated;
    read_symptom(members, known);
    const auto severity = members.text("severity");
    if (severity == "warn") {
      known.severity = corpus::Verdict::warn;
    } else if (!severity.empty() && severity != "fail") {
      complaint_.raise(*members.find_any("severity"),
                       "member \"severity\" must be \"fail\" or \"warn\"");
    }
    return known;
  }

  void read_symptom(const MemberReader& members, KnownFinding& known) {
    if (const json::Value* name = members.find("symptom", Kind::string)) {
      known.symptom = judge::symptom_named(name->text());
      if (!known.symptom) complaint_.raise(*name, "there is no symptom \"" + name->text() + "\"");
    }
    known.place.pointer = members.text("pointer");
    known.place.element = members.size("element");
  }

  const std::string& file_;
  std::string_view text_;
  Complaint complaint_;
  bool is_outdated_ = false;
};

std::string quoted(std::string text) { return json::write(json::Value::string(std::move(text))); }

std::string finding_text(const KnownFinding& finding) {
  std::string text = "{\"requirement\": " + quoted(finding.requirement);
  if (finding.severity == corpus::Verdict::warn) text += ", \"severity\": \"warn\"";
  if (finding.symptom) {
    text += ", \"symptom\": " + quoted(std::string(name_of(*finding.symptom)));
  }
  const auto& place = finding.place;
  if (place.element) text += ", \"element\": " + std::to_string(*place.element);
  if (!place.pointer.empty()) text += ", \"pointer\": " + quoted(place.pointer);
  return text + "}";
}

std::string findings_text(std::vector<KnownFinding> findings) {
  std::ranges::sort(findings, [](const auto& a, const auto& b) {
    return std::tie(a.requirement, a.severity, a.symptom, a.place) <
           std::tie(b.requirement, b.severity, b.symptom, b.place);
  });
  std::string text;
  for (const auto& each : findings) {
    text += (text.empty() ? "\n        " : ",\n        ") + finding_text(each);
  }
  return "[" + text + "\n      ]";
}

std::string case_text(const KnownCase& known) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    text += (text.empty() ? "\n      \"" : ",\n      \"") + std::string(name) + "\": " + value;
  };
  if (!known.reason.empty()) add("reason", quoted(known.reason));
  if (known.flaky) add("flaky", "true");
  if (!known.findings.empty()) add("findings", findings_text(known.findings));
  return text.empty() ? "{}" : "{" + text + "\n    }";
}

}  // namespace

Result<Baseline> read_baseline(const std::string& file, std::string_view text) {
  return Reader(file, text).read();
}

std::string write_baseline(const Baseline& baseline) {
  std::string text = "{\n  \"schema\": " + quoted(std::string(kSchema)) + ",\n";
  if (!baseline.about.empty()) text += "  \"about\": " + quoted(baseline.about) + ",\n";
  text += "  \"cases\": {";
  bool first = true;
  for (const auto& [id, known] : baseline.cases) {
    text += (first ? "\n    " : ",\n    ") + quoted(id) + ": " + case_text(known);
    first = false;
  }
  return text + (first ? "}\n}\n" : "\n  }\n}\n");
}

}  // namespace jrpcheck::result
