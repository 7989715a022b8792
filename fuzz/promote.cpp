#include <algorithm>
#include <map>
#include <utility>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/utf8.hpp"
#include "corpus/load_case.hpp"
#include "fuzz/accept_value.hpp"
#include "fuzz/finding.hpp"
#include "fuzz/memory_growth.hpp"
#include "json/parse.hpp"
#include "json/value.hpp"
#include "judge/envelope.hpp"
#include "judge/pattern.hpp"
#include "wire/binding.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::fuzz {
namespace {

using corpus::Outcome;
using corpus::ResponsePattern;
using json::Value;
using Shape = Outcome::Shape;

constexpr std::size_t kShownRequirement = 60;

Value strings(const std::vector<std::string>& list) {
  Value value = Value::array();
  for (const auto& each : list) value.append(Value::string(each));
  return value;
}

// The bindings on which whatever bytes have an end.
std::vector<std::string> transports_that_end_anything() {
  std::vector<std::string> names;
  for (const auto& binding : wire::bindings()) {
    if (!binding.structures_only) names.emplace_back(binding.name);
  }
  return names;
}

// Offsets are those of one framing, and one write is nothing where each message is a request.
std::vector<std::string> transports_of(const Company& company, const std::string& found_on) {
  if (company.cut) return {found_on};
  std::vector<std::string> names;
  for (const auto& binding : wire::bindings()) {
    if (binding.is_stream()) names.emplace_back(binding.name);
  }
  return names;
}

Value hex_of(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kHexDigits[byte >> 4U];
    text += kHexDigits[byte & 0xFU];
  }
  return Value::string(std::move(text));
}

// A placeholder would be replaced, so what looks like one is written in hexadecimal.
Value message_value(const std::string& sent) {
  Value value = Value::object();
  const bool is_text = !find_invalid_utf8(sent) && sent.find("${") == std::string::npos;
  value.append(is_text ? "text" : "hex", is_text ? Value::string(sent) : hex_of(sent));
  return value;
}

Value fragment_value(const wire::FrameDetails& details, Value payload) {
  Value frame = Value::object();
  if (details.opcode == wire::kContinuation) {
    frame.append("opcode", Value::string("continuation"));
  }
  if (!details.fin) frame.append("fin", Value::boolean(false));
  frame.append("payload", std::move(payload));
  Value value = Value::object();
  value.append("frame", std::move(frame));
  return value;
}

std::string case_id_of(const Finding& finding) {
  const std::string file = file_name_of(finding);
  return "found/" + file.substr(0, file.rfind('.'));
}

using Charges = std::map<std::string, std::string>;

std::vector<judge::Part> parts_of(judge::Symptom symptom) {
  using judge::Part;
  using judge::Symptom;
  switch (symptom) {
    case Symptom::unanswered:
      return {Part::silence};
    case Symptom::response_missing:
    case Symptom::response_surplus:
      return {Part::count};
    case Symptom::wrong_id:
      return {Part::id};
    case Symptom::wrong_code:
      return {Part::code};
    case Symptom::wrong_code_and_null_id:
      return {Part::code, Part::id};  // a case that lets any error come finds but the id wrong
    case Symptom::call_succeeded:
      return {Part::kind};
    case Symptom::taken_for_request:
      return {Part::code, Part::kind};
    default:
      return {};
  }
}

// A case charges by the part of the reply that is wrong, and knows nothing of the single elements
// of a batch: what the finding is charged to, the case has to say.
Charges charges_for(const Finding& finding, Charges charges) {
  for (const auto part : parts_of(finding.symptom)) {
    charges[std::string(name_of(part))] = finding.requirement;
  }
  return charges;
}

Value charges_value(const Charges& charges) {
  Value value = Value::object();
  for (const auto& [part, requirement] : charges) value.append(part, Value::string(requirement));
  return value;
}

Result<Value> step_value(const std::string& sent, const Expectation& expectation,
                         const Charges& charge) {
  auto accept = outcomes_value(expectation.expected.steps.front());
  if (!accept) return accept.error();
  Value step = Value::object();
  step.append("send", message_value(sent));
  step.append("accept", *std::move(accept));
  if (!charge.empty()) step.append("charge", charges_value(charge));
  return step;
}

// The Responses to a companion of the message: none, or one. Nothing where it may have either, or
// more.
std::optional<std::vector<ResponsePattern>> responses_to_companion(const std::string& message,
                                                                   const Traits& traits) {
  Expectation expectation = expectation_of(message, traits);
  auto& accept = expectation.expected.steps.front().accept;
  if (expectation.open || accept.size() != 1) return std::nullopt;
  const bool is_certain = accept.front().shape == Shape::silence ||
                          (accept.front().shape == Shape::response &&
                           accept.front().responses.front().error.has_value());
  if (!is_certain) return std::nullopt;
  return std::move(accept.front().responses);
}

// What may come back of all that is written, in place of what may come back of the message.
Value among_others(Value outcome, const std::vector<Value>& others) {
  Value responses = Value::array();
  for (const auto& each : others) responses.append(each.clone());
  Value value = Value::object();
  for (std::size_t i = 0; i < outcome.size(); ++i) {
    const std::string& name = outcome.names()[i];
    Value& member = outcome.children()[i];
    if (name == "response") {
      responses.append(std::move(member));
    } else if (name == "batch") {
      Value array = Value::object();
      array.append("batch", std::move(member));
      responses.append(std::move(array));
    } else if (name != "silence") {
      value.append(name, std::move(member));
    }
  }
  const bool is_one = responses.size() == 1;
  value.append(is_one ? "response" : "responses",
               is_one ? std::move(responses.children().front()) : std::move(responses));
  return value;
}

Charges charges_in_company(const Finding& finding) {
  Charges charges;
  for (const char* part : {"silence", "count", "code", "id", "kind", "shape"}) {
    charges[part] = finding.requirement;
  }
  return charges;
}

Result<Value> accept_in_company(const Finding& finding, const Expectation& expectation) {
  std::vector<Value> others;
  for (const auto* list : {&finding.company->ahead, &finding.company->behind}) {
    for (const auto& message : *list) {
      const auto responses = responses_to_companion(message, finding.traits);
      if (!responses) {
        return Error{
            "what is written with it may be answered in more than one way, which no case can say"};
      }
      for (const auto& each : *responses) others.push_back(response_value(each, false));
    }
  }
  auto alone = outcomes_value(expectation.expected.steps.front());
  if (!alone || others.empty()) return alone;
  Value accept = Value::array();
  for (auto& each : alone->children()) {
    if (each.find("refused") == nullptr) accept.append(among_others(std::move(each), others));
  }
  return accept;
}

Value pieces_value(const std::vector<std::size_t>& cuts, std::size_t after_replies) {
  Value offsets = Value::array();
  for (const auto cut : cuts) offsets.append(Value::number(static_cast<long long>(cut)));
  Value value = Value::object();
  value.append("at", std::move(offsets));
  if (after_replies > 0) {
    value.append("after-replies", Value::number(static_cast<long long>(after_replies)));
  }
  return value;
}

Result<Value> steps_in_company(const Finding& finding, const Expectation& expectation) {
  const Company& company = *finding.company;
  Value steps = Value::array();
  if (company.cut) {
    auto first = step_value(first_call(), expectation_of(first_call(), finding.traits), {});
    if (!first) return first;
    steps.append(*std::move(first));
  }
  auto accept = accept_in_company(finding, expectation);
  if (!accept) return accept;
  const auto played = step_in_company(finding.sent, company, finding.traits);
  Value send = Value::array();
  for (std::size_t i = 0; i < played.messages.size(); ++i) {
    const auto frame = played.frames.find(i);
    Value message = message_value(played.messages[i].text());
    send.append(frame == played.frames.end() ? std::move(message)
                                             : fragment_value(frame->second, std::move(message)));
  }
  Value step = Value::object();
  step.append("send", send.size() == 1 ? std::move(send.children().front()) : std::move(send));
  const auto cuts = cuts_of(finding);
  if (!cuts.empty()) {
    step.append("write", pieces_value(cuts, played.write_after_replies));
  }
  step.append("accept", *std::move(accept));
  step.append("charge", charges_value(charges_in_company(finding)));
  steps.append(std::move(step));
  return steps;
}

constexpr std::string_view kSurvival = "rob-survives";

// Whatever comes of it: that the server goes on is judged behind every case.
Value survived_step_value(const std::string& sent) {
  Value whatever = Value::object();
  whatever.append("anything", Value::boolean(true));
  Value accept = Value::array();
  accept.append(std::move(whatever));
  Value step = Value::object();
  step.append("send", message_value(sent));
  step.append("accept", std::move(accept));
  step.append("charge", charges_value({{"silence", std::string(kSurvival)}}));
  return step;
}

// Where the message is a Request in form, and was answered, no control call need follow.
Value call_behind_value() {
  constexpr std::string_view kText =
      R"({"send": {"json": {"jsonrpc": "2.0", "method": "${unknown}", "id": "${id}"}},
          "accept": [{"response": {"result": {"any": true}, "error": {"any": true}, "id": "${id}"}}],
          "charge": {"silence": "rob-survives"}})";
  auto parsed = json::parse(kText);
  return std::move(*parsed.value);
}

Value steps_survived(const Finding& finding) {
  Value steps = Value::array();
  for (const auto& message : finding.before) steps.append(survived_step_value(message));
  steps.append(survived_step_value(finding.sent));
  steps.append(call_behind_value());
  return steps;
}

Result<Value> steps_value(const Finding& finding, const Expectation& expectation) {
  if (finding.company) return steps_in_company(finding, expectation);
  Value steps = Value::array();
  for (const auto& message : finding.before) {
    const Expectation before = expectation_of(message, finding.traits);
    if (before.open) {
      return Error{"what has to be sent before may be answered in any way, which no case can say"};
    }
    auto step = step_value(message, before, before.expected.steps.front().charge);
    if (!step) return step;
    steps.append(*std::move(step));
  }
  auto step = step_value(finding.sent, expectation,
                         charges_for(finding, expectation.expected.steps.front().charge));
  if (!step) return step;
  steps.append(*std::move(step));
  return steps;
}

// A message that may be answered in any way can still be survived.
bool is_about_survival_alone(const Finding& finding, const Expectation& expectation) {
  if (finding.requirement != kSurvival || finding.company) return false;
  return expectation.open || std::ranges::any_of(finding.before, [&](const std::string& message) {
           return expectation_of(message, finding.traits).open;
         });
}

// A Notification with an odd name or member is taken in silence, or refused as no Request:
// whichever comes, the form of the reply is judged in a case as well.
bool is_about_the_form_alone(const Finding& finding, const Expectation& expectation) {
  return expectation.open && expectation.is_notification && !finding.traits.is_dialect &&
         !finding.company && finding.before.empty() &&
         judge::is_envelope_requirement(finding.requirement);
}

// Over HTTP a status may be all that refuses it.
Result<Value> steps_judged_by_form(const Finding& finding, Expectation& expectation) {
  corpus::Outcome refused;
  refused.shape = Shape::refused;
  expectation.expected.steps.front().accept.push_back(std::move(refused));
  auto step = step_value(finding.sent, expectation, {});
  if (!step) return step;
  Value steps = Value::array();
  steps.append(*std::move(step));
  return steps;
}

Result<Value> steps_as_found(const Finding& finding, Expectation& expectation) {
  if (is_about_survival_alone(finding, expectation)) return steps_survived(finding);
  if (is_about_the_form_alone(finding, expectation)) {
    return steps_judged_by_form(finding, expectation);
  }
  if (finding.sent.substr(0, 1) == "[" && !finding.traits.serves_batches) {
    return Error{"the server serves no batches, and what it may answer instead is no case"};
  }
  // Its outcomes are the ones that are likely, and others are as right.
  if (expectation.open) {
    return Error{
        "its message may be answered in any way, which no case can say: jrpcheck replay shows it "
        "again"};
  }
  return steps_value(finding, expectation);
}

// What begins otherwise has no end there; nor need what is no JSON, and then a call behind it is
// read as more of it.
bool ends_in_a_stream_of_values(const std::string& sent, bool has_call_behind) {
  const bool begins = !sent.empty() && (sent.front() == '{' || sent.front() == '[');
  return begins && (!has_call_behind || json::parse(sent));
}

Result<Value> case_value(const Finding& finding) {
  Expectation expectation = expectation_of(finding.sent, finding.traits);
  auto steps = steps_as_found(finding, expectation);
  if (!steps) return steps;
  const bool is_of_survival = is_about_survival_alone(finding, expectation);
  // What may be answered in any way has no requirement of its own.
  auto requirements =
      expectation.open ? std::vector<std::string>() : expectation.expected.requirements;
  if (!contains(requirements, finding.requirement)) {
    requirements.push_back(finding.requirement);
  }
  Value one = Value::object();
  one.append("id", Value::string(case_id_of(finding)));
  // Findings of one kind may stand in one folder, where no two titles are the same.
  const std::string title =
      is_of_survival ? "A server goes on serving: " : "A server answers as it must: ";
  one.append("title", Value::string(title + expectation.kind + " (" + case_id_of(finding) + ")"));
  one.append("requirements", strings(requirements));
  if (finding.company) {
    one.append("transports", strings(transports_of(*finding.company, finding.transport)));
  } else if (!ends_in_a_stream_of_values(finding.sent, is_of_survival)) {
    one.append("transports", strings(transports_that_end_anything()));
  }
  one.append("steps", *std::move(steps));
  return one;
}

}  // namespace

std::string doubt_about_case_of(const Finding& finding) {
  if (!finding.is_flaky()) return {};
  return "It showed " + std::to_string(finding.shown) + " of " + std::to_string(finding.tries) +
         " times when it was found: the case may pass on a server that has the fault.";
}

Result<std::string> promote(const Finding& finding) {
  if (finding.requirement == kMemoryRequirement) {
    return Error{"what a server keeps in memory shows in no reply, so no case can say it"};
  }
  if (!finding.profile.empty()) {
    return Error{"it was judged by the law of " + to_visible(finding.profile, kShownRequirement) +
                 " and by what its server lists and declares, which no case holds: jrpcheck replay "
                 "shows it again, and a case of the profile is written by hand"};
  }
  if (!corpus::is_case_id(case_id_of(finding))) {
    return Error{"\"" + to_visible(finding.requirement, kShownRequirement) +
                 "\" cannot be the name of a requirement"};
  }
  auto one = case_value(finding);
  if (!one) return one.error();
  const std::string doubt = doubt_about_case_of(finding);
  const std::string about = "A finding of jrpcheck fuzz." + (doubt.empty() ? "" : " " + doubt);
  return "{\n  \"about\": " + json::write(Value::string(about)) + ",\n  \"cases\": [\n    " +
         inert_json(json::write(*one)) + "\n  ]\n}\n";
}

}  // namespace jrpcheck::fuzz
