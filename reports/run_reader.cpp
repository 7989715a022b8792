#include "reports/run_reader.hpp"

#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "base/base64.hpp"
#include "base/bytes.hpp"
#include "corpus/member_reader.hpp"
#include "json/parse.hpp"
#include "result/conclude.hpp"

namespace jrpcheck::reports {
namespace {

using corpus::Complaint;
using json::Kind;
using json::Value;

constexpr std::string_view kSchema = "jrpcheck-run-1";

// The members of one object by name. What is missing or of another kind is complained about, and
// reads as empty.
class Members {
 public:
  Members(const Value& object, Complaint& complaint) : object_(object), complaint_(complaint) {
    if (!object.is(Kind::object)) complaint.raise(object, "an object is expected here");
  }

  const Value* find(std::string_view name) const {
    if (!object_.is(Kind::object)) return nullptr;
    if (object_.count(name) > 1) complain(object_, name, "is there twice");
    return object_.find(name);
  }

  const Value* require(std::string_view name, Kind kind) const {
    const Value* value = find(name);
    if (value == nullptr) complain(object_, name, "is missing");
    if (value == nullptr || value->is(kind)) return value;
    complain(*value, name, "must be of type " + std::string(json::name_of(kind)));
    return nullptr;
  }

  std::string text(std::string_view name) const {
    const Value* value = require(name, Kind::string);
    return value == nullptr ? "" : value->text();
  }

  std::string optional_text(std::string_view name) const {
    return find(name) == nullptr ? "" : text(name);
  }

  unsigned long long number(std::string_view name) const {
    const Value* value = require(name, Kind::number);
    if (value == nullptr) return 0;
    unsigned long long number = 0;
    const auto& token = value->text();
    const auto parsed = std::from_chars(token.data(), token.data() + token.size(), number);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == token.data() + token.size();
    if (!whole) complain(*value, name, "must be a whole number");
    return whole ? number : 0;
  }

  microseconds duration(std::string_view name) const {
    const Value* value = require(name, Kind::number);
    if (value == nullptr) return microseconds(0);
    double milliseconds = 0;
    const auto& token = value->text();
    std::from_chars(token.data(), token.data() + token.size(), milliseconds);
    constexpr double kLongest = 1e12;  // what no run takes, and a count of microseconds holds
    if (!(milliseconds >= 0 && milliseconds < kLongest)) {
      complain(*value, name, "is no duration");
      return microseconds(0);
    }
    return microseconds(std::llround(milliseconds * 1000));
  }

  /// Calls `read` with each element of the array of that name.
  template <typename Read>
  void each(std::string_view name, Read read) const {
    const Value* list = require(name, Kind::array);
    if (list == nullptr) return;
    for (const auto& element : list->children()) read(element);
  }

  std::vector<std::string> texts(std::string_view name) const {
    std::vector<std::string> texts;
    each(name, [&](const Value& element) {
      if (!element.is(Kind::string)) complain(element, name, "holds strings");
      texts.push_back(element.text());
    });
    return texts;
  }

  /// The one of `choices` that has the name which stands there.
  template <typename Choice>
  Choice choice(std::string_view name, std::initializer_list<Choice> choices) const {
    const Value* value = require(name, Kind::string);
    if (value == nullptr) return *choices.begin();
    for (const auto each : choices) {
      if (name_of(each) == value->text()) return each;
    }
    complain(*value, name, "has the unknown value \"" + to_visible(value->text(), 60) + "\"");
    return *choices.begin();
  }

  void complain(const Value& at, std::string_view name, const std::string& what) const {
    complaint_.raise(at, "member \"" + std::string(name) + "\" " + what);
  }

 private:
  const Value& object_;
  Complaint& complaint_;
};

result::Verdict read_verdict(const Members& members) {
  using result::Verdict;
  return members.choice("verdict", {Verdict::pass, Verdict::warn, Verdict::fail,
                                    Verdict::not_exercised, Verdict::not_applicable});
}

result::RunVerdict read_run_verdict(const Members& members) {
  using result::RunVerdict;
  return members.choice("verdict", {RunVerdict::conforms, RunVerdict::partial, RunVerdict::fails});
}

result::Counts read_counts(const Members& parent, Complaint& complaint) {
  const Value* object = parent.require("counts", Kind::object);
  if (object == nullptr) return {};
  const Members members(*object, complaint);
  return {members.number("pass"), members.number("warn"), members.number("fail"),
          members.number("not-exercised"),
          // Runs of earlier versions counted it as not exercised.
          members.find("not-applicable") == nullptr ? 0 : members.number("not-applicable")};
}

// The note also says how many bytes are not kept, which a reader of events asks for by number.
void take_left_out(dialogue::Event& event) {
  constexpr std::string_view kSuffix = " bytes in the middle are left out";
  auto& note = event.note;
  if (note.size() <= kSuffix.size()) return;
  const auto end = note.size() - kSuffix.size();
  if (note.compare(end, kSuffix.size(), kSuffix) != 0) return;
  const auto begin = note.find_last_not_of("0123456789", end - 1) + 1;
  const auto parsed = std::from_chars(note.data() + begin, note.data() + end, event.left_out);
  if (parsed.ec != std::errc()) return;
  note.resize(begin >= 2 ? begin - 2 : 0);  // without the semicolon between
}

dialogue::Event read_event(const Value& object, Complaint& complaint) {
  using dialogue::Direction;
  const Members members(object, complaint);
  dialogue::Event event;
  event.direction =
      members.choice("direction", {Direction::sent, Direction::received, Direction::closed,
                                   Direction::exited, Direction::standard_error, Direction::quiet});
  event.at = microseconds(members.number("at-us"));
  event.note = members.optional_text("note");
  take_left_out(event);
  if (members.find("step") != nullptr) event.step = members.number("step");
  if (members.find("base64") == nullptr) {
    event.bytes = members.text("text");
    return event;
  }
  auto bytes = from_base64(members.text("base64"));
  if (!bytes) members.complain(object, "base64", "is not base64");
  event.bytes = bytes.value_or("");
  return event;
}

judge::Place read_place(const Value& finding, Complaint& complaint) {
  judge::Place place;
  const Value* object = finding.find("place");
  if (object == nullptr) return place;
  const Members members(*object, complaint);
  if (object->find("element") != nullptr) place.element = members.number("element");
  place.pointer = members.optional_text("pointer");
  return place;
}

judge::Finding read_finding(const Value& object, Complaint& complaint) {
  const Members members(object, complaint);
  judge::Finding finding;
  finding.requirement = members.text("requirement");
  finding.severity = members.choice("severity", {corpus::Verdict::fail, corpus::Verdict::warn});
  // Runs of older versions have messages alone, and later ones may have symptoms unknown here.
  const auto symptom = judge::symptom_named(members.optional_text("symptom"));
  finding.symptom = symptom.value_or(judge::Symptom::untold);
  finding.particulars = symptom ? members.optional_text("particulars") : members.text("message");
  finding.place = read_place(object, complaint);
  finding.expected = members.text("expected");
  finding.actual = members.text("actual");
  finding.step = members.number("step");
  return finding;
}

result::Expected read_expected(const Value& object, Complaint& complaint) {
  using result::Expectation;
  const Members members(object, complaint);
  return {members.choice("expectation",
                         {Expectation::known, Expectation::flaky, Expectation::unexpected,
                          Expectation::stale, Expectation::unchecked}),
          members.optional_text("reason"), members.optional_text("detail")};
}

result::CaseResult read_case(const Value& object, Complaint& complaint) {
  const Members members(object, complaint);
  result::CaseResult one;
  one.id = members.text("id");
  complaint.about("case '" + to_visible(one.id, 80) + "'");
  one.title = members.text("title");
  one.verdict = read_verdict(members);
  one.requirements = members.texts("requirements");
  one.reason = members.optional_text("reason");
  one.duration = members.duration("duration-ms");
  members.each("findings",
               [&](const Value& each) { one.findings.push_back(read_finding(each, complaint)); });
  members.each("transcript",
               [&](const Value& each) { one.transcript.push_back(read_event(each, complaint)); });
  one.reproduce = members.text("reproduce");
  if (const Value* expected = members.find("baseline"); expected != nullptr) {
    one.expected = read_expected(*expected, complaint);
  }
  complaint.about("");
  return one;
}

result::RequirementResult read_requirement(const Value& object, Complaint& complaint) {
  const Members members(object, complaint);
  result::RequirementResult one;
  auto& requirement = one.requirement;
  requirement.id = members.text("id");
  complaint.about("requirement '" + to_visible(requirement.id, 80) + "'");
  requirement.clause = members.text("clause");
  if (requirement.clause.empty()) members.complain(object, "clause", "must not be empty");
  requirement.level =
      members.choice("level", {corpus::Level::must, corpus::Level::should, corpus::Level::info});
  requirement.class_name = members.text("class");
  requirement.text = members.text("text");
  requirement.note = members.optional_text("note");
  requirement.status = members.optional_text("status");
  one.verdict = read_verdict(members);
  one.reason = members.optional_text("reason");
  complaint.about("");
  return one;
}

// Members that most runs do not have.
void read_circumstances(const Members& members, Complaint& complaint, result::Run& run) {
  run.interrupted = members.optional_text("interrupted");
  if (const Value* shard = members.find("shard"); shard != nullptr) {
    const Members about(*shard, complaint);
    run.shard = result::Shard{about.number("index"), about.number("count")};
    if (!complaint.raised() && run.shard->index >= run.shard->count) {
      about.complain(*shard, "index", "must be less than \"count\"");
    }
  }
  if (const Value* baseline = members.find("baseline"); baseline != nullptr) {
    run.baseline = result::BaselineSummary{Members(*baseline, complaint).text("file")};
  }
}

void read_head(const Members& members, Complaint& complaint, result::Run& run) {
  if (const Value* tool = members.require("tool", Kind::object); tool != nullptr) {
    const Members about(*tool, complaint);
    run.tool_version = about.text("version");
    run.corpus_cases = about.number("corpus");
    run.corpus_hash = about.text("corpus-hash");
    run.seed = about.number("seed");
  }
  if (const Value* target = members.require("target", Kind::object); target != nullptr) {
    const Members about(*target, complaint);
    run.target = {about.text("text"), about.text("transport"), about.text("framing")};
  }
  run.profile = members.text("profile");
  read_circumstances(members, complaint, run);
  run.started = members.text("started");
  run.duration = members.duration("duration-ms");
  run.verdict = read_run_verdict(members);
  run.counts = read_counts(members, complaint);
  run.notes = members.texts("notes");
}

result::TriedMethod read_tried(const Value& object, Complaint& complaint) {
  const Members members(object, complaint);
  const Value* given = members.require("given", Kind::boolean);
  return {members.text("role"), members.text("method"), given != nullptr && given->as_boolean(),
          members.text("sent"), members.text("received")};
}

void read_lists(const Members& members, Complaint& complaint, result::Run& run) {
  members.each("classes", [&](const Value& each) {
    const Members about(each, complaint);
    run.classes.push_back(
        {about.text("name"), read_run_verdict(about), read_counts(about, complaint)});
  });
  members.each("requirements", [&](const Value& each) {
    run.requirements.push_back(read_requirement(each, complaint));
  });
  members.each("cases",
               [&](const Value& each) { run.cases.push_back(read_case(each, complaint)); });
  if (members.find("tried") != nullptr) {
    members.each("tried",
                 [&](const Value& each) { run.tried.push_back(read_tried(each, complaint)); });
  }
  members.each("observations", [&](const Value& each) {
    const Members about(each, complaint);
    run.observations.push_back({about.text("id"), about.text("value"), about.text("case")});
  });
}

bool counts_agree(const result::Run& run) {
  result::Counts counts;
  for (const auto& one : run.cases) counts.add(one.verdict);
  return counts == run.counts;
}

}  // namespace

Result<result::Run> read_run(const std::string& name, std::string_view text) {
  Complaint complaint(name, text);
  const auto parsed = json::parse(text);
  if (!parsed) {
    complaint.raise_at(parsed.error.offset, "not JSON: " + parsed.error.message);
    return complaint.error();
  }
  const Members members(*parsed.value, complaint);
  const std::string schema = members.text("schema");
  if (!complaint.raised() && schema != kSchema) {
    members.complain(*members.find("schema"), "schema",
                     "is \"" + to_visible(schema, 60) + "\", not \"" + std::string(kSchema) +
                         "\": this is no run of jrpcheck, or one of another version");
  }
  if (complaint.raised()) {  // what follows would only be puzzling
    return Error{complaint.error().message};
  }
  result::Run run;
  read_head(members, complaint, run);
  read_lists(members, complaint, run);
  if (run.baseline) result::count_expectations(run);
  if (!complaint.raised() && !counts_agree(run)) {
    members.complain(*members.find("counts"), "counts", "disagrees with the cases");
  }
  if (complaint.raised()) return complaint.error();
  return run;
}

}  // namespace jrpcheck::reports
