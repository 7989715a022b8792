// A run as JSON. Each object is described once, for writing and for reading.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "corpus/record.hpp"
#include "json/parse.hpp"
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
using dialogue::Direction;

constexpr std::string_view kSchema = "jrpcheck-run-1";

// What was received and is no reply has a member more.
bool is_aside(Direction direction) {
  return direction == Direction::aside || direction == Direction::unasked ||
         direction == Direction::violation || direction == Direction::noise ||
         direction == Direction::control;
}

void describe_direction(RecordWriter& record, Direction direction) {
  record.choice("direction", is_aside(direction) ? Direction::received : direction);
  if (is_aside(direction)) record.choice("as", direction);
}

void describe_direction(RecordReader& record, Direction& direction) {
  record.choice("direction", direction);
  if (record.has("as")) record.choice("as", direction);
}

void describe_time(RecordWriter& record, microseconds at) {
  record.number("at-us", static_cast<unsigned long long>(at.count()));
}

void describe_time(RecordReader& record, microseconds& at) {
  std::size_t count = 0;
  record.number("at-us", count);
  at = microseconds(count);
}

void describe_left_out(RecordWriter& record, std::size_t left_out) {
  if (left_out > 0) record.number("left-out", left_out);
}

void describe_left_out(RecordReader& record, std::size_t& left_out) {
  record.newer_number("left-out", left_out);
}

void describe_head(auto& record, auto& head) {
  record.number("status", head.status);
  record.text("version", head.version);
  record.text("content-type", head.content_type);
  record.number("bytes", head.size);
  record.optional_flag("broken", head.is_broken);
  record.optional_flag("handshake", head.is_handshake);
}

// What is usual is left out.
void describe_end(auto& record, auto& end) {
  record.choice("ending", end.ending);
  record.optional_flag("endless", end.endless);
  record.optional_flag("held-back", end.held_back);
  record.optional_flag("control-answered", end.control_answered);
  record.optional_flag("new-connection", end.on_new_connection);
  record.optional_text("lost-connection", end.lost_connection);
  record.optional_text("beyond-limit", end.beyond_limit);
  record.optional_flag("limited", end.limited);
}

void describe_frame(auto& record, auto& frame) {
  record.choice("kind", frame.kind);
  record.number("code", frame.close_code);
}

void describe_event(auto& record, auto& event) {
  describe_direction(record, event.direction);
  describe_time(record, event.at);
  record.bytes(event.bytes);
  record.optional_number("step", event.step);
  record.optional_text("note", event.note);
  describe_left_out(record, event.left_out);
  record.optional_flag("control", event.is_control);
  record.optional_flag("several-lines", event.in_several_lines);
  record.optional_number("call", event.call);
  record.optional_flag("binary", event.is_binary);
  record.optional_object("frame", event.frame,
                         [](auto& each, auto& it) { describe_frame(each, it); });
  record.optional_object("http", event.http, [](auto& each, auto& it) { describe_head(each, it); });
  record.optional_object("end", event.end, [](auto& each, auto& it) { describe_end(each, it); });
  record.optional_choice("survival", event.survival);
  record.optional_choice("fact", event.fact);
}

void describe_place(auto& record, auto& place) {
  record.optional_number("element", place.element);
  record.optional_text("pointer", place.pointer);
}

void describe_symptom(RecordWriter& record, const judge::Finding& finding) {
  record.choice("symptom", finding.symptom);
  record.object("place", finding.place,
                [](auto& each, auto& place) { describe_place(each, place); });
  record.text("message", judge::sentence_of(finding));
  record.optional_text("particulars", finding.particulars);
}

// Runs of older versions have messages alone, and later ones may have symptoms unknown here.
void describe_symptom(RecordReader& record, judge::Finding& finding) {
  std::string name;
  record.optional_text("symptom", name);
  const auto symptom = judge::symptom_named(name);
  finding.symptom = symptom.value_or(judge::Symptom::untold);
  symptom ? record.optional_text("particulars", finding.particulars)
          : record.text("message", finding.particulars);
  if (!record.has("place")) return;
  record.object("place", finding.place,
                [](auto& each, auto& place) { describe_place(each, place); });
}

void describe_finding(auto& record, auto& finding) {
  record.text("requirement", finding.requirement);
  record.choice("severity", finding.severity);
  describe_symptom(record, finding);
  record.text("expected", finding.expected);
  record.text("actual", finding.actual);
  record.number("step", finding.step);
}

void describe_events(auto& record, auto& events) {
  record.list("transcript", events, [](auto& each, auto& it) { describe_event(each, it); });
}

void describe_judged_finding(auto& record, auto& finding) {
  describe_finding(record, finding);
  record.texts("habits", finding.habits);
  record.flag("rest-counts", finding.rest_counts);
}

// A set has a place in the order of a list.
void describe_exercised(RecordWriter& record, const std::set<std::string>& ids) {
  record.texts("exercised", {ids.begin(), ids.end()});
}

void describe_exercised(RecordReader& record, std::set<std::string>& ids) {
  std::vector<std::string> list;
  record.texts("exercised", list);
  ids.insert(list.begin(), list.end());
}

void describe_unjudged(RecordWriter& record, const std::optional<std::string>& reason) {
  if (reason) record.text("unjudged", *reason);
}

void describe_unjudged(RecordReader& record, std::optional<std::string>& reason) {
  if (record.has("unjudged")) record.text("unjudged", reason.emplace());
}

void describe_judged(auto& record, auto& judgement) {
  record.list("findings", judgement.findings,
              [](auto& each, auto& it) { describe_judged_finding(each, it); });
  describe_exercised(record, judgement.exercised);
  record.list("observations", judgement.observations, [](auto& each, auto& it) {
    each.text("name", it.name);
    each.text("value", it.value);
  });
  describe_unjudged(record, judgement.unjudged);
}

void describe_expected(auto& record, auto& expected) {
  record.choice("expectation", expected.expectation);
  record.optional_text("reason", expected.reason);
  record.optional_text("detail", expected.detail);
}

void describe_case(auto& record, auto& one) {
  record.text("id", one.id);
  record.about("case '" + to_visible(one.id, 80) + "'");
  record.text("title", one.title);
  record.choice("verdict", one.verdict);
  record.texts("requirements", one.requirements);
  record.optional_text("reason", one.reason);
  record.duration("duration-ms", one.duration);
  record.list("findings", one.findings, [](auto& each, auto& it) { describe_finding(each, it); });
  describe_events(record, one.transcript);
  record.text("reproduce", one.reproduce);
  record.optional_object("baseline", one.expected,
                         [](auto& each, auto& it) { describe_expected(each, it); });
  record.optional_number("ordinal", one.ordinal);
  record.optional_text("asked", one.asked);
  record.optional_object("judged", one.judged,
                         [](auto& each, auto& it) { describe_judged(each, it); });
  record.optional_list("tries", one.tries, [](auto& each, auto& it) { describe_case(each, it); });
  record.about("");
}

void describe_dialogue(auto& record, auto& dialogue) {
  record.text("id", dialogue.id);
  record.text("title", dialogue.title);
  record.list("exchanges", dialogue.exchanges, [](auto& each, auto& it) {
    each.text("call", it.call);
    describe_events(each, it.transcript);
    each.optional_object("judged", it.judged,
                         [](auto& judged, auto& of) { describe_judged(judged, of); });
  });
}

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

void describe_conditions(auto& record, auto& conditions) {
  record.texts("select", conditions.select);
  record.texts("skip", conditions.skip);
  describe_roles(record, conditions.roles);
  record.text("omitted-params", conditions.omitted_params);
  record.flag("batches-optional", conditions.batches_optional);
  record.list("opening", conditions.opening,
              [](auto& each, auto& it) { describe_event(each, it); });
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
  record.text("id", requirement.id);
  record.about("requirement '" + to_visible(requirement.id, 80) + "'");
  record.text("clause", requirement.clause);
  if (requirement.clause.empty()) record.complain("clause", "must not be empty");
  record.choice("level", requirement.level);
  record.text("class", requirement.class_name);
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
  record.text("name", one.name);
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
  record.text("version", run.tool_version);
  record.number("corpus", run.corpus_cases);
  record.text("corpus-hash", run.corpus_hash);
  record.number("seed", run.seed);
}

void describe_run(auto& record, auto& run) {
  record.object("tool", run, [](auto& each, auto& it) { describe_tool(each, it); });
  record.object("target", run.target, [](auto& target, auto& it) {
    target.text("text", it.text);
    target.text("transport", it.transport);
    target.text("framing", it.framing);
  });
  record.text("profile", run.profile);
  record.optional_object("shard", run.shard,
                         [](auto& each, auto& it) { describe_shard(each, it); });
  record.optional_text("interrupted", run.interrupted);
  record.optional_object("baseline", run.baseline,
                         [](auto& each, auto& it) { describe_baseline(each, it); });
  record.text("started", run.started);
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

std::string render_json(const result::Run& run) { return render(run, {.indent = 1}) + "\n"; }

std::string render_compact_json(const result::Run& run) { return render(run, {}); }

Result<result::Run> read_run(const std::string& name, std::string_view text) {
  corpus::Complaint complaint(name, text);
  const auto parsed = json::parse(text);
  if (!parsed) {
    complaint.raise_at(parsed.error.offset, "not JSON: " + parsed.error.message);
    return complaint.error();
  }
  RecordReader record(*parsed.value, complaint);
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
