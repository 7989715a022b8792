// A run as JSON. Each object is described once, for writing and for reading.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "corpus/record.hpp"
#include "json/value.hpp"
#include "reports/case_record.hpp"
#include "reports/citation.hpp"
#include "reports/report.hpp"
#include "reports/run_reader.hpp"
#include "reports/summary.hpp"
#include "result/cause.hpp"
#include "result/conclude.hpp"
#include "result/server_profile.hpp"

namespace jrpcheck::reports {
namespace {

using corpus::RecordReader;
using corpus::RecordWriter;

constexpr std::string_view kSchema = "jrpcheck-run-1";

struct RoleMethod {
  std::string role;
  std::string method;
};

void describe_role(auto& record, auto& one) {
  record.text("role", one.role);
  record.text("method", one.method);
}

void describe_roles(RecordWriter& record, const std::map<std::string, std::string>& roles) {
  std::vector<RoleMethod> list;
  list.reserve(roles.size());
  for (const auto& [role, method] : roles) list.push_back({role, method});
  record.list("roles", list, [](auto& each, auto& it) { describe_role(each, it); });
}

void describe_roles(RecordReader& record, std::map<std::string, std::string>& roles) {
  std::vector<RoleMethod> list;
  record.list("roles", list, [](auto& each, auto& it) { describe_role(each, it); });
  for (auto& each : list) roles[each.role] = std::move(each.method);
}

struct NamedText {
  std::string name;
  std::string text;
};

void describe_named(auto& record, auto& one) {
  record.text("name", one.name);
  record.text("text", one.text);
}

void describe_texts_by_name(RecordWriter& record, std::string_view name,
                            const std::map<std::string, std::string>& texts) {
  std::vector<NamedText> list;
  list.reserve(texts.size());
  for (const auto& [key, text] : texts) list.push_back({key, text});
  record.optional_list(name, list, [](auto& each, auto& it) { describe_named(each, it); });
}

void describe_texts_by_name(RecordReader& record, std::string_view name,
                            std::map<std::string, std::string>& texts) {
  std::vector<NamedText> list;
  record.optional_list(name, list, [](auto& each, auto& it) { describe_named(each, it); });
  for (auto& each : list) texts[each.name] = std::move(each.text);
}

struct OneText {
  std::string text;
};

void describe_set(RecordWriter& record, std::string_view name, const std::set<std::string>& texts) {
  std::vector<OneText> list;
  list.reserve(texts.size());
  for (const auto& each : texts) list.push_back({each});
  record.optional_list(name, list, [](auto& each, auto& it) { each.text("name", it.text); });
}

void describe_set(RecordReader& record, std::string_view name, std::set<std::string>& texts) {
  std::vector<OneText> list;
  record.optional_list(name, list, [](auto& each, auto& it) { each.text("name", it.text); });
  for (auto& each : list) texts.insert(std::move(each.text));
}

void describe_conditions(auto& record, auto& conditions) {
  record.texts("select", conditions.select);
  record.texts("skip", conditions.skip);
  describe_roles(record, conditions.roles);
  record.text("omitted-params", conditions.omitted_params);
  record.flag("batches-optional", conditions.batches_optional);
  record.list("opening", conditions.opening,
              [](auto& each, auto& it) { describe_event(each, it); });
  describe_texts_by_name(record, "catalogue", conditions.catalogue);
  describe_set(record, "allowed", conditions.allowed);
  record.list("dialogues", conditions.dialogues,
              [](auto& each, auto& it) { describe_dialogue(each, it); });
  record.list("unreported", conditions.unreported,
              [](auto& each, auto& it) { describe_case(each, it); });
}

// Where it can be read is worked out anew when it is read back.
void describe_link(RecordReader&, const std::string&) {}
void describe_link(RecordWriter& record, const std::string& link) {
  record.optional_text("link", link);
}

void describe_seen(RecordWriter& record, const std::vector<std::string>& seen) {
  record.optional_list("seen", seen, [](RecordWriter& each, const std::string& citation) {
    each.text("text", citation);
    describe_link(each, thread_link(citation));
  });
}

void describe_seen(RecordReader& record, std::vector<std::string>& seen) {
  record.optional_list(
      "seen", seen, [](RecordReader& each, std::string& citation) { each.text("text", citation); });
}

void describe_requirement(auto& record, auto& one) {
  auto& requirement = one.requirement;
  record.line("id", requirement.id);
  record.about("requirement '" + to_visible(requirement.id, 80) + "'");
  record.line("clause", requirement.clause);
  if (requirement.clause.empty()) record.complain("clause", "must not be empty");
  record.choice("level", requirement.level);
  record.line("class", requirement.class_name);
  record.text("text", requirement.text);
  record.optional_text("note", requirement.note);
  describe_link(record, clause_link(requirement));
  record.optional_text("why", requirement.why);
  describe_seen(record, requirement.seen);
  record.optional_text("status", requirement.status);
  record.choice("verdict", one.verdict);
  record.optional_text("reason", one.reason);
  record.about("");
}

void describe_counts(auto& record, auto& counts) {
  record.number("pass", counts.pass);
  record.number("warn", counts.warn);
  record.number("fail", counts.fail);
  record.number("not-exercised", counts.not_exercised);
  // Runs of earlier versions counted it as not exercised.
  record.newer_number("not-applicable", counts.not_applicable);
}

void describe_class(auto& record, auto& one) {
  record.line("name", one.name);
  record.choice("verdict", one.verdict);
  record.object("counts", one.counts, [](auto& each, auto& it) { describe_counts(each, it); });
}

void describe_tried(auto& record, auto& tried) {
  record.text("role", tried.role);
  record.text("method", tried.method);
  record.flag("given", tried.given);
  record.text("sent", tried.sent);
  record.text("received", tried.received);
}

void describe_shard(auto& record, auto& shard) {
  record.number("index", shard.index);
  record.number("count", shard.count);
  if (shard.index >= shard.count) record.complain("index", "must be less than \"count\"");
}

// What is counted from the cases is not read back.
void describe_baseline(RecordReader& record, result::BaselineSummary& baseline) {
  record.text("file", baseline.file);
}

void describe_baseline(RecordWriter& record, const result::BaselineSummary& baseline) {
  record.text("file", baseline.file);
  record.flag("holds", baseline.holds());
  record.object("counts", baseline, [](RecordWriter& counts, const result::BaselineSummary& of) {
    counts.number("known", of.known);
    counts.number("flaky", of.flaky);
    counts.number("unexpected", of.unexpected);
    counts.number("stale", of.stale);
    counts.number("unchecked", of.unchecked);
  });
}

void describe_must(RecordReader&, const result::Run&) {}
void describe_must(RecordWriter& record, const result::Run& run) {
  record.object("must", result::must_coverage(run),
                [](RecordWriter& must, const result::MustCoverage& coverage) {
                  must.number("exercised", coverage.exercised);
                  must.number("applicable", coverage.applicable);
                });
}

void describe_summary(RecordReader&, const result::Run&) {}
void describe_summary(RecordWriter& record, const result::Run& run) {
  record.text("summary", summary_of(run));
}

// What is worked out from the findings is not read back.
void describe_causes(RecordReader&, const result::Run&) {}
void describe_causes(RecordWriter& record, const result::Run& run) {
  const auto causes = result::causes_of(run);
  record.list("causes", causes, [](RecordWriter& one, const result::Cause& cause) {
    one.choice("harm", cause.harm);
    one.optional_text("failure", cause.failure);
    one.optional_flag("known", cause.is_known());
    one.list("findings", cause.charges, [](RecordWriter& each, const result::Charge& charge) {
      each.text("case", charge.one->id);
      each.number("finding",
                  static_cast<std::size_t>(charge.finding - charge.one->findings.data()));
    });
  });
  record.optional_text("leading-cause", result::leading_cause(run, causes));
}

void describe_profile(RecordReader&, const result::Run&) {}
void describe_profile(RecordWriter& record, const result::Run& run) {
  record.list("server-profile", result::server_profile(run.observations),
              [](RecordWriter& point, const result::OpenPoint& about) {
                point.text("name", about.name);
                point.text("summary", about.summary);
                point.list("answers", about.answers, [](RecordWriter& answer, const auto& each) {
                  answer.text("value", each.value);
                  answer.number("cases", each.cases);
                });
              });
}

void describe_tool(auto& record, auto& run) {
  record.constant("name", "jrpcheck");
  record.line("version", run.tool_version);
  record.number("corpus", run.corpus_cases);
  record.line("corpus-hash", run.corpus_hash);
  record.number("seed", run.seed);
}

void describe_run(auto& record, auto& run) {
  record.object("tool", run, [](auto& each, auto& it) { describe_tool(each, it); });
  record.object("target", run.target, [](auto& target, auto& it) {
    target.text("text", it.text);
    target.line("transport", it.transport);
    target.line("framing", it.framing);
  });
  record.line("profile", run.profile);
  record.optional_object("shard", run.shard,
                         [](auto& each, auto& it) { describe_shard(each, it); });
  record.optional_text("interrupted", run.interrupted);
  record.optional_text("answered", run.answered);
  record.optional_object("baseline", run.baseline,
                         [](auto& each, auto& it) { describe_baseline(each, it); });
  record.line("started", run.started);
  record.duration("duration-ms", run.duration);
  record.choice("verdict", run.verdict);
  describe_summary(record, run);
  record.object("counts", run.counts, [](auto& each, auto& it) { describe_counts(each, it); });
  describe_must(record, run);
  describe_causes(record, run);
  record.list("classes", run.classes, [](auto& each, auto& it) { describe_class(each, it); });
  record.list("requirements", run.requirements,
              [](auto& each, auto& it) { describe_requirement(each, it); });
  record.list("cases", run.cases, [](auto& each, auto& it) { describe_case(each, it); });
  record.list("observations", run.observations, [](auto& each, auto& it) {
    each.text("id", it.id);
    each.text("value", it.value);
    each.text("case", it.case_id);
  });
  describe_profile(record, run);
  record.newer_list("tried", run.tried, [](auto& each, auto& it) { describe_tried(each, it); });
  record.texts("notes", run.notes);
  record.optional_object("conditions", run.conditions,
                         [](auto& each, auto& it) { describe_conditions(each, it); });
}

std::string render(const result::Run& run, json::Layout layout) {
  std::string text;
  json::Writer out(text, layout);
  out.open(json::Kind::object);
  RecordWriter record(out);
  record.text("schema", kSchema);
  describe_run(record, run);
  out.close();
  return text;
}

bool counts_agree(const result::Run& run) {
  result::Counts counts;
  for (const auto& one : run.cases) counts.add(one.verdict);
  return counts == run.counts;
}

}  // namespace

std::string render_json(const result::Run& run) {
  return inert_json(render(run, {.indent = 1})) + "\n";
}

std::string render_compact_json(const result::Run& run) { return render(run, {}); }

Result<result::Run> read_run(const std::string& name, std::string_view text) {
  corpus::Complaint complaint(name, text);
  const auto parsed = complaint.parse(text);
  if (!parsed) return complaint.error();
  RecordReader record(*parsed, complaint);
  std::string schema;
  record.text("schema", schema);
  if (!complaint.raised() && schema != kSchema) {
    record.complain("schema", "is \"" + to_visible(schema, 60) + "\", not \"" +
                                  std::string(kSchema) +
                                  "\": this is no run of jrpcheck, or one of another version");
  }
  if (complaint.raised()) return complaint.error();  // what follows would only be puzzling
  result::Run run;
  describe_run(record, run);
  if (run.baseline) result::count_expectations(run);
  if (!complaint.raised() && !counts_agree(run)) {
    record.complain("counts", "disagrees with the cases");
  }
  if (complaint.raised()) return complaint.error();
  return run;
}

}  // namespace jrpcheck::reports
