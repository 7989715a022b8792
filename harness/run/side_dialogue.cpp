#include "run/side_dialogue.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/contains.hpp"
#include "dialogue/exchanges_of.hpp"
#include "dialogue/id_key.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/fact.hpp"
#include "judge/protocol.hpp"
#include "run/case_verdict.hpp"

namespace jrpcheck::run {
namespace {

// Beyond this only exchanges are kept that show something new.
constexpr std::size_t kMostExchanges = 1000;
constexpr std::size_t kMostBytes = 1U << 20;

// A case that asks for nothing but a well-formed Response to this call, or silence where it is a
// Notification.
corpus::Case any_response_to(const std::string& message, const std::string& silence) {
  corpus::Outcome outcome;
  outcome.shape = corpus::Outcome::Shape::silence;
  const auto call = json::parse(message);
  const json::Value* id = call ? call.value->find("id") : nullptr;
  if (id != nullptr) {
    outcome.shape = corpus::Outcome::Shape::response;
    outcome.responses.emplace_back();
    outcome.responses.back().id.any_of.push_back(id->clone());
  }
  corpus::Step step;
  step.messages = {message};
  step.accept.push_back(std::move(outcome));
  step.charge = {{"id", "id-echo"}, {"count", "res-once"}, {"reply", silence}};
  corpus::Case one;
  one.requirements = {"res-object"};
  one.steps.push_back(std::move(step));
  return one;
}

// A user is kept out: RFC 9110 §15.5.2 to §15.5.4, §15.5.8.
bool keeps_user_out(int status) {
  constexpr std::array<int, 4> kStatuses = {401, 402, 403, 407};
  return contains(kStatuses, status);
}

// So it is, or a limit is met, or a gateway has nobody behind it: that says nothing about how calls
// are answered.
bool says_nothing_of_calls(int status) {
  constexpr std::array<int, 8> kStatuses = {408, 413, 425, 429, 431, 502, 503, 504};
  return keeps_user_out(status) || contains(kStatuses, status);
}

// What is said of one message: another that ends the server, or that is left waiting, is another
// fault.
bool is_of_the_message(const judge::Finding& finding) {
  return finding.requirement == "rob-survives" || finding.requirement == "res-always";
}

// Whether the server was found to end or to change by it, or left it waiting. (An HTTP response
// without content is a way to answer, which others have shown as well.)
bool shows_a_fault_of_the_message(const result::SideExchange& exchange) {
  return !exchange.call.empty() && std::ranges::any_of(exchange.transcript, [](const auto& event) {
    return event.fact || (event.end && event.end->ending != dialogue::Ending::settled);
  });
}

// Over HTTP it need not be waited for whether an answer comes: a response without content is none,
// though each call is owed one (JSON-RPC 2.0 §5).
bool is_left_without_answer(const std::string& message, const dialogue::Exchange& exchange) {
  return exchange.http_status != 0 && exchange.ending == dialogue::Ending::settled &&
         !exchange.limited && !dialogue::id_keys_of(dialogue::Message(message)).empty();
}

}  // namespace

bool is_answered_by_nothing(const std::string& message, const dialogue::Exchange& exchange) {
  constexpr int kSuccess = 200;
  constexpr int kRedirection = 300;
  const bool is_success = exchange.http_status >= kSuccess && exchange.http_status < kRedirection;
  return is_success && is_left_without_answer(message, exchange);
}

void SideDialogue::take(const std::string& message, const dialogue::Exchange& exchange,
                        const dialogue::Transcript& transcript) {
  last_call_ = message;
  const bool is_json = std::ranges::any_of(
      exchange.replies, [](const auto& reply) { return reply.value() != nullptr; });
  const bool is_refused = !is_json && says_nothing_of_calls(exchange.http_status);
  const bool nothing_came = exchange.replies.empty() && exchange.noise.empty();
  if (is_refused && kept_from_.empty() && keeps_user_out(exchange.http_status)) {
    const auto call = json::parse(message);
    kept_from_ = fmt::format("{} (HTTP {})", call ? json::text_of(call.value->find("method")) : "",
                             exchange.http_status);
  }
  if (is_refused || (nothing_came && !is_left_without_answer(message, exchange))) return;
  take_owed(message, exchange, transcript);
}

void SideDialogue::take_owed(const std::string& message, const dialogue::Exchange& exchange,
                             const dialogue::Transcript& transcript) {
  last_call_ = message;
  dialogue::Event end = dialogue::end_of(exchange);
  end.at = transcript.duration();
  auto events = transcript.whole();
  events.push_back(end);
  for (auto& event : events) event.step = 0;
  const std::size_t known = findings_.size();
  const bool is_new = judge(message, events);

  result::SideExchange kept{message, transcript.events(), {}};
  kept.transcript.push_back(std::move(end));
  if (transcript.is_folded()) {
    kept.judged.emplace();
    kept.judged->findings.assign(findings_.begin() + static_cast<std::ptrdiff_t>(known),
                                 findings_.end());
    kept.judged->exercised = exercised_;
  }
  keep(std::move(kept), is_new);
}

void SideDialogue::take(result::SideExchange exchange) {
  for (auto& event : exchange.transcript) event.step = 0;
  bool is_new = false;
  if (exchange.judged) {
    for (const auto& finding : exchange.judged->findings) is_new = add(finding) || is_new;
    exercised_.merge(exchange.judged->exercised);
  } else {
    is_new = judge(exchange.call, exchange.transcript);
  }
  keep(std::move(exchange), is_new);
}

void SideDialogue::note(dialogue::Event fact, const std::string& call,
                        const dialogue::Transcript& transcript) {
  result::SideExchange exchange{call, transcript.events(), {}};
  fact.at = transcript.duration();
  exchange.transcript.push_back(std::move(fact));
  take(std::move(exchange));
}

// Whether it shows what has not been shown before.
bool SideDialogue::judge(const std::string& call, const std::vector<dialogue::Event>& events) {
  bool is_new = false;
  if (const auto exchanges = dialogue::exchanges_of(events)) {
    auto judgement = judge::judge(any_response_to(call, context_.silence), exchanges->steps, {},
                                  ledger_, context_);
    judge_by_law(events, {ledger_, context_, std::nullopt}, judgement);
    exercised_.merge(judgement.exercised);
    for (auto& finding : judgement.findings) {
      // That nothing came is no matter of the envelope.
      const bool nothing_came = exchanges->steps.front().replies.empty();
      if (nothing_came && finding.requirement == "res-object") continue;
      is_new = add(std::move(finding)) || is_new;
    }
  }
  for (const auto& event : events) {
    auto finding = judge::finding_of(event);
    if (!finding) continue;
    finding->step = shown_;
    findings_.push_back(*std::move(finding));
    is_new = true;
  }
  return is_new;
}

std::string note_of_methods_kept(const SideDialogue& discovery) {
  if (discovery.kept_from().empty()) return {};
  return "The server keeps its caller from methods, as from " + discovery.kept_from() +
         ": what they would show was not judged. --header 'Authorization: ...' tells it who calls.";
}

bool SideDialogue::add(judge::Finding finding) {
  const bool is_known = std::any_of(findings_.begin(), findings_.end(), [&](const auto& other) {
    return other.requirement == finding.requirement;
  });
  if (is_known) return false;
  finding.step = shown_;
  finding.habits.clear();
  findings_.push_back(std::move(finding));
  return true;
}

void SideDialogue::keep(result::SideExchange exchange, bool is_new) {
  if (is_new) {
    if (first_call_.empty()) first_call_ = exchange.call;
    if (shows_a_fault_of_the_message(exchange)) of_messages_.insert(shown_);
    for (auto event : exchange.transcript) {
      event.step = shown_;
      events_.push_back(std::move(event));
    }
    ++shown_;
  }
  for (const auto& event : exchange.transcript) kept_bytes_ += event.bytes.size();
  if (is_new || (kept_bytes_ < kMostBytes && stored_.exchanges.size() < kMostExchanges)) {
    for (auto& event : exchange.transcript) event.step = 0;
    stored_.exchanges.push_back(std::move(exchange));
  }
}

std::optional<result::CaseResult> SideDialogue::result(
    const std::vector<result::CaseResult>& cases) const {
  // Wherever in a message it stands.
  std::set<std::pair<std::string, judge::Symptom>> charged;
  std::set<std::string> named;
  std::set<std::string> shown;
  for (const auto& each : cases) {
    named.insert(each.requirements.begin(), each.requirements.end());
    shown.insert(each.exercised.begin(), each.exercised.end());
    for (const auto& finding : each.findings) charged.emplace(finding.requirement, finding.symptom);
  }
  result::CaseResult one;
  one.id = stored_.id;
  one.title = stored_.title;
  for (const auto& finding : findings_) {
    const bool is_new = is_of_the_message(finding) && of_messages_.count(finding.step) != 0;
    if (!is_new && charged.count({finding.requirement, finding.symptom}) != 0) continue;
    one.requirements.push_back(finding.requirement);
    one.findings.push_back(finding);
  }
  // What was fine is told too where cases were to show it and did not, and of a protocol on top
  // always.
  const bool is_on_top = context_.law && !context_.law->profile.schemas.empty();
  for (const auto& id : exercised_.in_order()) {
    const bool is_left_open = named.count(id) != 0 && shown.count(id) == 0;
    if ((is_on_top || is_left_open) && !contains(one.requirements, id)) {
      one.requirements.push_back(id);
    }
  }
  if (one.requirements.empty()) return std::nullopt;
  one.exercised = one.requirements;
  for (const auto& event : events_) {
    if (event.is_for_people()) one.transcript.push_back(event);
  }
  one.verdict = result::worst_of(one.findings);
  return one;
}

}  // namespace jrpcheck::run
