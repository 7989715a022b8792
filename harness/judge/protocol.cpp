#include "judge/protocol.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "base/letter_case.hpp"
#include "dialogue/id_key.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/envelope.hpp"
#include "judge/handed_on.hpp"
#include "judge/judge.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Direction;
using json::Kind;
using schema::Subject;

constexpr std::size_t kShownOfStep = 400;

// Where a head of framing or of HTTP ends, and how long it says that the body behind it is.
struct Head {
  std::size_t end = 0;
  std::size_t length = 0;
};

std::optional<Head> head_of(std::string_view bytes) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  constexpr std::string_view kLength = "content-length:";
  const auto end = bytes.find(kEnd);
  if (end == bytes.npos) return std::nullopt;
  const std::string head = in_lower_case(std::string(bytes.substr(0, end)));
  const auto length = head.find(kLength);
  Head found{end + kEnd.size(), bytes.size()};
  if (length != head.npos)
    found.length = std::strtoull(head.c_str() + length + kLength.size(), nullptr, 10);
  return found;
}

// The messages that we sent in one write, without the heads of their framing: none has a line break
// of this kind in its JSON.
std::vector<std::string> bodies_of(std::string_view bytes) {
  if (json::parse(bytes, dialogue::kMessageLimits)) return {std::string(bytes)};
  std::vector<std::string> bodies;
  while (!bytes.empty()) {
    std::size_t length = bytes.find('\n');
    if (bytes.front() != '{' && bytes.front() != '[') {
      const auto head = head_of(bytes);
      if (!head) break;
      bytes.remove_prefix(head->end);
      length = head->length;
    } else if (length != bytes.npos) {
      ++length;
    }
    bodies.emplace_back(bytes.substr(0, length));
    bytes.remove_prefix(std::min(length, bytes.size()));
  }
  return bodies;
}

bool is_from_server(Direction direction) {
  return direction == Direction::received || direction == Direction::aside ||
         direction == Direction::unasked;
}

void charge_rule(const RuleCall& call, std::size_t step, std::string sentence, std::string expected,
                 std::string visible, std::string_view at) {
  call.charger.begin_step(step, 0);
  call.charger.charge(call.requirement, {Symptom::rule_broken, std::move(expected),
                                         std::move(visible), std::string(at), std::move(sentence)});
}

struct About {
  Subject subject;
  std::string_view method;
  const json::Value* value;
  std::string_view pointer;  // of the value within the message
};

// What of a message a schema may be about; null where there is nothing.
About about(const Spoken& spoken) {
  if (spoken.is_request()) {
    return {Subject::request, spoken.method(), spoken.at("/params"), "/params"};
  }
  if (spoken.is_notification()) {
    return {Subject::notification, spoken.method(), spoken.at("/params"), "/params"};
  }
  if (spoken.call == nullptr) return {Subject::result, {}, nullptr, {}};
  const json::Value* error = spoken.at("/error");
  const json::Value* result = spoken.at("/result");
  // In dialects where both are there, one is null.
  const bool failed =
      error != nullptr && !error->is(Kind::null) && (result == nullptr || result->is(Kind::null));
  if (failed || (error != nullptr && result == nullptr)) {
    return {Subject::error, spoken.called(), error, "/error"};
  }
  return {Subject::result, spoken.called(), result, "/result"};
}

// The schema that the user brings beside our own: who of the two is right is for people to say.
void tell_difference(const Spoken& spoken, const About& part, const Law& law,
                     const std::optional<schema::Verdict>& own, Charger& charger) {
  if (!law.published) return;
  const bool is_whole = part.subject != Subject::result;
  const auto theirs =
      law.published->judge(part.subject, part.method, is_whole ? *spoken.value : *part.value);
  const bool is_refused_here = own && own->violation;
  if (!theirs.is_known || theirs.violation.has_value() == is_refused_here) return;
  const std::string what =
      theirs.violation
          ? "refuses what ours allows, at \"" + theirs.violation->at +
                "\": " + theirs.violation->what
          : "allows what ours refuses, at \"" + own->violation->at + "\": " + own->violation->what;
  charger.judgement().observe(kSchemasDiffer, theirs.definition + " " + what);
}

// A Request has these among its params.
bool has_one_of(const std::vector<std::string>& names, const json::Value& call) {
  const json::Value* params = call.find("params");
  return params != nullptr && std::ranges::any_of(names, [&](const std::string& name) {
           return params->find(name) != nullptr;
         });
}

// ", /result/tools/0/inputSchema": nothing where it is all of that.
std::string where(const About& part, const schema::Violation& violation) {
  return violation.at.empty()
             ? ""
             : ", " + std::string(part.pointer) + violation.at.substr(0, kShownOfStep);
}

void judge_schema(const Spoken& spoken, const Law& law, Charger& charger) {
  static const json::Value no_params = json::Value::object();
  About part = about(spoken);
  // Params that are left out say what none say.
  if (part.value == nullptr && !spoken.method().empty()) part.value = &no_params;
  if (part.value == nullptr) return;
  const auto verdict = law.schemas->judge(part.subject, part.method, *part.value);
  tell_difference(spoken, part, law, verdict, charger);
  if (!verdict) return;
  charger.begin_step(spoken.step, 0);
  for (const auto& id : verdict->exercised) charger.exercise(id);
  if (!verdict->violation) return;
  const json::Value* there = json::at(*part.value, verdict->violation->at);
  charger.charge(verdict->requirement,
                 {Symptom::schema_violated, "what the schema of " + law.profile.name + " allows",
                  to_visible(json::write(there != nullptr ? *there : *part.value), kShownOfStep),
                  std::string(part.pointer) + verdict->violation->at,
                  std::string(part.method.substr(0, kShownOfStep)) +
                      where(part, *verdict->violation) + ": " + verdict->violation->what});
}

}  // namespace

std::string_view Spoken::method() const { return json::text_of(value->find("method")); }

std::string_view Spoken::called() const {
  return json::text_of(call != nullptr ? call->find("method") : nullptr);
}

const json::Value* Spoken::at(std::string_view pointer) const { return json::at(*value, pointer); }

Heard::Heard(const std::vector<dialogue::Event>& events, const std::string& request_members) {
  for (const auto& event : events) {
    Spoken spoken;
    spoken.by_server = is_from_server(event.direction);
    if ((!spoken.by_server && event.direction != Direction::sent) || event.left_out != 0) continue;
    spoken.step = event.step.value_or(0);
    spoken.is_received = event.direction == Direction::received;
    if (event.http) spoken.http_status = event.http->status;
    if (spoken.by_server || event.message) {
      take(dialogue::message_of(event), spoken);
      continue;
    }
    for (auto& body : bodies_of(event.bytes)) take(dialogue::Message(std::move(body)), spoken);
  }
  pair_up();
  const auto members = json::parse(request_members);
  if (!members) return;
  for (auto& each : spoken_) {
    const bool is_result = each.by_server && each.call != nullptr && each.at("/result") != nullptr;
    if (is_result && !has_one_of(members.value->names(), *each.call)) each.call = nullptr;
  }
}

// Where an answer has the id of no call, another may have that of a call which is not its own: then
// ids pair nothing that the server answers.
void Heard::pair_up() {
  std::map<std::pair<bool, std::string>, const json::Value*> calls;  // by who made them, and id
  bool has_foreign = false;
  for (auto& each : spoken_) {
    const auto key = dialogue::id_key(each.value->find("id"));
    if (!key) continue;
    if (!each.method().empty()) {
      calls[{each.by_server, *key}] = each.value;
    } else if (const auto call = calls.find({!each.by_server, *key}); call != calls.end()) {
      each.call = call->second;
    } else {
      has_foreign = has_foreign || each.is_received;
    }
  }
  for (auto& each : spoken_) {
    if (has_foreign && each.by_server) each.call = nullptr;
  }
}

void Heard::take(const dialogue::Message& message, Spoken spoken) {
  if (message.value() == nullptr) return;
  messages_.push_back(message);
  const json::Value& value = *messages_.back().value();
  if (value.is(Kind::object)) {
    spoken.value = &value;
    return spoken_.push_back(spoken);
  }
  spoken.in_batch = true;
  for (const auto& each : value.children()) {
    if (!each.is(Kind::object)) continue;
    spoken.value = &each;
    spoken_.push_back(spoken);
  }
}

void RuleCall::charge(const Spoken& message, std::string_view at, std::string sentence,
                      std::string expected) const {
  if (shown.first != message.value) {
    shown = {message.value, to_visible(json::write(*message.value), kShownOfStep)};
  }
  charge_rule(*this, message.step, std::move(sentence), std::move(expected), shown.second, at);
}

void RuleCall::charge_step(std::size_t step, std::string sentence, std::string expected,
                           std::string_view actual, std::string_view at) const {
  charge_rule(*this, step, std::move(sentence), std::move(expected),
              to_visible(actual, kShownOfStep), at);
}

bool is_message_of_client(const Law& law, std::string_view text, bool is_of_own_case) {
  if (!law.schemas || !law.schemas->knows_client()) return true;
  const auto parsed = json::parse(text, dialogue::kMessageLimits);
  if (!parsed) return false;
  const auto verdict =
      law.schemas->judge(Subject::client, is_of_own_case ? "own" : "*", *parsed.value);
  return !verdict || !verdict->violation;
}

std::set<std::string> requirements_of(const Law& law) {
  std::set<std::string> found;
  if (law.schemas) found = law.schemas->requirements();
  for (const auto& rule : law.rules) found.insert(rule.charges);
  return found;
}

void judge_protocol(const std::vector<dialogue::Event>& events, const Law& law, Charger& charger) {
  if (!law.schemas && law.rules.empty()) return;
  const bool has_streams = std::ranges::any_of(
      events, [](const auto& event) { return event.http && event.http->stream; });
  std::vector<const AskedRule*> rules;
  for (const auto& rule : law.rules) {
    if (has_streams || rule.row->needs != Needs::event_streams) rules.push_back(&rule);
  }
  if (!law.schemas && rules.empty()) return;
  const Heard heard(events, law.profile.request_members);
  if (law.schemas) {
    for (const auto& each : heard.all()) {
      if (each.by_server) judge_schema(each, law, charger);
    }
  }
  for (const auto* each : rules) each->row->rule({events, heard, law, each->charges, charger});
}

bool is_owed_to_all(std::string_view requirement, const Law& law, const corpus::Ledger& ledger) {
  // What a protocol asks of one way to carry messages it asks whatever is carried.
  const auto* known = ledger.find(requirement);
  const bool is_about_the_way =
      known != nullptr && law.profile.places.count(known->class_name) != 0;
  const bool is_of_envelope =
      is_envelope_requirement(requirement) && requirement != "err-message-concise";
  return is_about_the_way || is_of_envelope || requirement == "rob-survives";
}

namespace {

// That there is a result where an error is due is one fault, whatever that result is.
void drop_shapes_of_undue_results(Judgement& judgement) {
  auto& findings = judgement.findings;
  std::set<std::size_t> undue;  // steps of one call
  for (const auto& each : findings) {
    if (each.symptom == Symptom::call_succeeded && !each.place.element) undue.insert(each.step);
  }
  const auto dropped = std::stable_partition(findings.begin(), findings.end(), [&](auto& each) {
    return each.symptom != Symptom::schema_violated || !undue.contains(each.step) ||
           !each.place.pointer.starts_with("/result");
  });
  for (auto each = dropped; each != findings.end(); ++each) {
    const bool is_broken_elsewhere =
        std::any_of(findings.begin(), dropped,
                    [&](const Finding& other) { return other.requirement == each->requirement; });
    if (!is_broken_elsewhere) judgement.exercised.erase(each->requirement);
  }
  findings.erase(dropped, findings.end());
}

}  // namespace

bool judge_by_law(const std::vector<dialogue::Event>& events, const Law& law,
                  const corpus::Ledger& ledger, Judgement& judgement, bool is_foreign) {
  Charger charger(ledger, judgement);
  judge_protocol(events, law, charger);
  withdraw_what_was_handed_on(events, judgement);
  drop_shapes_of_undue_results(judgement);
  const auto is_exempt = [&](const Finding& each) {
    return law.profile.exempts_requirement(each.requirement) != nullptr;
  };
  const auto is_let_be = [&](const Finding& each) {
    return is_foreign && !is_exempt(each) && !is_owed_to_all(each.requirement, law, ledger) &&
           each.symptom != Symptom::schema_violated && each.symptom != Symptom::rule_broken;
  };
  auto& findings = judgement.findings;
  // What the protocol allows is a choice of the server's, and no fault.
  const auto charged = std::stable_partition(findings.begin(), findings.end(), [&](auto& each) {
    return !is_exempt(each) && !is_let_be(each);
  });
  const bool any_is_let_be = std::any_of(charged, findings.end(), is_let_be);
  for (auto each = charged; each != findings.end(); ++each) {
    judgement.observe(each->requirement, sentence_of(*each));
    if (is_let_be(*each)) judgement.exercised.erase(each->requirement);
  }
  findings.erase(charged, findings.end());
  return any_is_let_be;
}

}  // namespace jrpcheck::judge
