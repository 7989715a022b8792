#include "run/lapses.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "dialogue/exchanges_of.hpp"
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

// Another run of the case that finds nothing, where one of two does.
std::optional<CaseRun> run_rightly(const CaseRunner& runner, std::size_t ordinal,
                                   session::Conversation& conversation) {
  for (int i = 0; i < kTries; ++i) {
    CaseRun again = runner.run(ordinal, conversation);
    conversation.take_late_answers();
    if (again.result.verdict == result::Verdict::pass) return again;
  }
  return std::nullopt;
}

}  // namespace

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

}  // namespace jrpcheck::run
