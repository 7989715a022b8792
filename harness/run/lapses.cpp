#include "run/lapses.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "dialogue/exchanges_of.hpp"
#include "dialogue/id_key.hpp"
#include "json/parse.hpp"
#include "judge/code.hpp"

namespace jrpcheck::run {
namespace {

using judge::Symptom;

constexpr int kTries = 2;

bool is_wrong_outcome(const judge::Finding& finding) {
  return finding.symptom == Symptom::wrong_code || finding.symptom == Symptom::call_succeeded;
}

// The first of the case, where all are of that kind.
const judge::Finding* wrong_outcome_of(const result::CaseResult& result) {
  const auto& findings = result.findings;
  const bool is_all = !findings.empty() && std::ranges::all_of(findings, is_wrong_outcome);
  return is_all ? &findings.front() : nullptr;
}

// Whether an error in it says what became of a call, and not that the message was misread, which
// may come with how it arrived.
bool fails_otherwise(const json::Value& reply) {
  if (reply.is(json::Kind::array)) return std::ranges::any_of(reply.children(), fails_otherwise);
  constexpr std::array<long long, 3> kOthers = {-32601, -32600, -32700};
  const auto code = judge::error_code_of(reply);
  return code && !contains(kOthers, *code);
}

bool holds_result(const json::Value& reply) {
  if (reply.is(json::Kind::array)) return std::ranges::any_of(reply.children(), holds_result);
  return reply.find("result") != nullptr;
}

// What the call that went wrong was answered; nothing where no reply is such an answer.
std::string answer_in(const result::CaseResult& result, const judge::Finding& finding) {
  const auto exchanges = dialogue::exchanges_of(result.transcript);
  if (!exchanges || finding.step >= exchanges->steps.size()) return {};
  const auto is_it = finding.symptom == Symptom::call_succeeded ? holds_result : fails_otherwise;
  for (const auto& reply : exchanges->steps[finding.step].replies) {
    if (reply.value() != nullptr && is_it(*reply.value())) return reply.text();
  }
  return {};
}

// Another run of the case that finds nothing, where one of two does; or `each_time`, where both do.
std::optional<CaseRun> run_rightly(const CaseRunner& runner, std::size_t ordinal,
                                   session::Conversation& conversation, bool each_time = false) {
  std::optional<CaseRun> right;
  for (int i = 0; i < kTries; ++i) {
    CaseRun again = runner.run(ordinal, conversation);
    conversation.take_late_answers();
    const bool is_right = again.result.verdict == result::Verdict::pass;
    right = is_right ? std::optional(std::move(again)) : std::nullopt;
    if (is_right != each_time) break;
  }
  return right;
}

// What misses an answer alone shows it each time: after so many cases that do, nothing more is
// learnt.
constexpr int kMostInVain = 6;
// So many of these are waited for as long as for any.
constexpr int kMostInFull = 2;

struct Loss {
  bool is_of_id = false;
  std::vector<dialogue::Event> shown_by = {};  // what passed in its step
};

// Whether nothing came where something was due, on a connection that stood.
bool is_of_answer(const judge::Finding& finding, const dialogue::Exchange& exchange) {
  const bool stands = exchange.ending == dialogue::Ending::settled ||
                      exchange.ending == dialogue::Ending::timed_out;
  return stands &&
         (finding.symptom == Symptom::unanswered || finding.symptom == Symptom::response_missing ||
          finding.symptom == Symptom::connection_dropped);
}

bool is_of_id(const judge::Finding& finding, const dialogue::Exchange& exchange) {
  return finding.symptom == Symptom::wrong_id &&
         std::ranges::any_of(exchange.replies, dialogue::is_of_unknown_call);
}

std::vector<dialogue::Event> events_of_step(const result::CaseResult& result, std::size_t step) {
  std::vector<dialogue::Event> events;
  std::ranges::copy_if(result.transcript, std::back_inserter(events),
                       [step](const auto& event) { return event.step == step; });
  return events;
}

// Nothing came in a time that was shorter than for any, as another message had hung.
bool was_left_in_haste(const std::vector<dialogue::Event>& shown_by, microseconds timeout) {
  const bool has_timed_out = std::ranges::any_of(shown_by, [](const auto& event) {
    return event.end && event.end->ending == dialogue::Ending::timed_out;
  });
  return has_timed_out && shown_by.back().at - shown_by.front().at < timeout;
}

// What is lost, where that is all that the case found, and it is charged to something that need not
// be broken for it.
std::optional<Loss> loss_in(const result::CaseResult& result) {
  constexpr std::array<std::string_view, 3> kOfLosses = {"res-always", "bat-each", "id-echo"};
  const auto exchanges = dialogue::exchanges_of(result.transcript);
  if (result.verdict != result::Verdict::fail || !exchanges) return std::nullopt;
  std::optional<Loss> loss;
  for (const auto& finding : result.findings) {
    if (finding.step >= exchanges->steps.size()) return std::nullopt;
    const auto& exchange = exchanges->steps[finding.step];
    const bool is_lost_id = is_of_id(finding, exchange);
    if (!is_lost_id && !is_of_answer(finding, exchange)) return std::nullopt;
    if (loss || contains(kOfLosses, finding.requirement)) continue;
    loss = Loss{is_lost_id, events_of_step(result, finding.step)};
  }
  return loss;
}

// Whether the answer that came without its id is charged there now: that of a call which was sent
// by itself.
bool tell_lost_id(std::vector<dialogue::Event> shown_by, SideDialogue& dialogue) {
  const auto is_sent = [](const auto& event) {
    return event.direction == dialogue::Direction::sent && !event.is_control;
  };
  if (std::ranges::count_if(shown_by, is_sent) != 1) return false;
  const auto sent = std::ranges::find_if(shown_by, is_sent);
  const std::string_view bytes = sent->bytes;
  const auto call = json::parse(bytes.substr(std::min(bytes.find('{'), bytes.size())));
  const json::Value* id = call ? call.value->find("id") : nullptr;
  if (id == nullptr) return false;
  dialogue.take({"{\"id\":" + json::write(*id) + "}", std::move(shown_by), {}});
  const auto result = dialogue.result({});
  return result && std::ranges::any_of(result->findings, [](const auto& finding) {
           return finding.symptom == Symptom::wrong_id;
         });
}

// In a session that has just begun. Calls side by side may race, and go wrong by chance alone.
std::optional<CaseRun> run_rightly_anew(const CaseRunner& runner, const corpus::Case& one,
                                        std::size_t ordinal, session::Conversation& conversation) {
  dialogue::Transcript aside;
  (void)conversation.open(aside);
  if (!still_serves(conversation)) return std::nullopt;
  const bool may_race = std::ranges::any_of(one.steps, &corpus::Step::concurrently);
  return run_rightly(runner, ordinal, conversation, may_race);
}

}  // namespace

void settle_losses(const corpus::Corpus& corpus, const CaseRunner& runner,
                   session::Conversation& conversation, session::Patience& patience,
                   Endings& endings, Liveness& liveness, bool tells_ids, Results& results) {
  std::set<std::string> lasting;  // requirements that are broken each time
  int in_vain = 0;
  for (auto& [ordinal, result] : results) {
    if (is_interrupted() || in_vain >= kMostInVain) return;
    const auto& one = corpus.cases[ordinal];
    auto loss = loss_in(result);
    // By those of the calibration it is known what the server is like.
    if (!loss || one.calibration || (loss->is_of_id && !tells_ids)) continue;
    const std::string requirement = result.findings.front().requirement;
    // What was waited for in haste, as another message hung, may be slow.
    const bool may_be_slow =
        in_vain < kMostInFull && was_left_in_haste(loss->shown_by, patience.timeout());
    if (lasting.count(requirement) != 0 && !may_be_slow) continue;
    if (may_be_slow) patience.forgive();
    auto again = run_rightly_anew(runner, one, ordinal, conversation);
    if (!again) {
      lasting.insert(requirement);
      ++in_vain;
      continue;
    }
    if (loss->is_of_id) {
      if (!tell_lost_id(std::move(loss->shown_by), liveness.dialogue())) continue;
    } else if (!was_left_in_haste(loss->shown_by, patience.timeout())) {
      std::erase_if(loss->shown_by, [](const auto& event) { return event.end.has_value(); });
      endings.note_lost_answer(result.id, std::move(loss->shown_by));
    }
    result = std::move(again->result);
  }
}

void settle_lapses(const CaseRunner& runner, session::Conversation& conversation,
                   Liveness& liveness, Results& results) {
  std::set<std::string> lasting;  // requirements that are broken each time
  for (auto& [ordinal, result] : results) {
    if (is_interrupted()) return;
    const judge::Finding* finding = wrong_outcome_of(result);
    if (finding == nullptr || lasting.count(finding->requirement) != 0) continue;
    if (!runner.is_owed_unknown_method(ordinal)) continue;
    const std::string answer = answer_in(result, *finding);
    if (answer.empty()) continue;
    auto again = run_rightly(runner, ordinal, conversation);
    if (!again) {
      lasting.insert(finding->requirement);
      continue;
    }
    liveness.note_lapse(answer, "in " + result.id + ", which passes when it runs again");
    result = std::move(again->result);
  }
}

std::vector<dialogue::Event> lost_in_full(const result::CaseResult& result, microseconds timeout) {
  const auto exchanges = dialogue::exchanges_of(result.transcript);
  if (!exchanges) return {};
  for (const auto& finding : result.findings) {
    if (finding.step >= exchanges->steps.size()) continue;
    const auto& exchange = exchanges->steps[finding.step];
    const bool is_passed_over = exchange.ending == dialogue::Ending::timed_out &&
                                exchange.control_answered && is_of_answer(finding, exchange);
    if (!is_passed_over) continue;
    std::vector<dialogue::Event> shown_by = events_of_step(result, finding.step);
    if (was_left_in_haste(shown_by, timeout)) continue;
    std::erase_if(shown_by, [](const auto& event) { return event.end.has_value(); });
    return shown_by;
  }
  return {};
}

}  // namespace jrpcheck::run
