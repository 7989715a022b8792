#include "run/case_runner.hpp"

#include <algorithm>
#include <charconv>

#include "session/incoming.hpp"

namespace jrpcheck::run {
namespace {

// Ids small enough for servers that read them into 32 bits, and far from those that cases spell
// out.
constexpr long long kFirstCaseId = 20'000;
constexpr long long kIdsPerCase = 10;
constexpr long long kFirstControlId = 5'000'000;
constexpr long long kControlIdsPerCase = 1000;
constexpr std::string_view kStringIdPrefix = "jrpcheck-";

// Eight letters that differ with the seed, so that no server has the method by accident.
std::string seed_letters(unsigned long long seed) {
  unsigned long long state = seed + 0x9E3779B97F4A7C15U;
  std::string letters;
  for (int i = 0; i < 8; ++i) {
    state ^= state >> 27U;
    state *= 0x94D049BB133111EBU;
    letters.push_back(static_cast<char>('a' + (state >> 40U) % 26));
  }
  return letters;
}

bool needs_survival_check(const corpus::Step& step, const dialogue::Exchange& exchange,
                          corpus::Dialect dialect) {
  if (exchange.ending != dialogue::Ending::settled) return true;
  if (exchange.control_answered) return false;
  return step.raw || step.end_of_input || !session::outgoing(exchange.sent, dialect).well_formed;
}

}  // namespace

corpus::Bindings bindings_for(std::size_t ordinal, unsigned long long seed,
                              const corpus::RoleBindings& roles) {
  corpus::Bindings bindings;
  bindings.first_id = kFirstCaseId + static_cast<long long>(ordinal) * kIdsPerCase;
  bindings.string_id =
      std::string(kStringIdPrefix) + std::to_string(ordinal) + "-" + seed_letters(seed);
  bindings.unknown_method = "jrpcheck" + seed_letters(seed);
  bindings.roles = roles;
  return bindings;
}

std::optional<std::size_t> ordinal_of_id(const json::Value& id) {
  std::string_view digits = id.text();
  if (id.is(json::Kind::string)) {
    if (digits.substr(0, kStringIdPrefix.size()) != kStringIdPrefix) return std::nullopt;
    digits.remove_prefix(kStringIdPrefix.size());
  } else if (!id.is(json::Kind::number)) {
    return std::nullopt;
  }
  long long value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec != std::errc() || value < 0) return std::nullopt;
  if (id.is(json::Kind::string)) return static_cast<std::size_t>(value);
  if (value < kFirstCaseId || value >= kFirstControlId) return std::nullopt;
  return static_cast<std::size_t>((value - kFirstCaseId) / kIdsPerCase);
}

result::CaseResult not_exercised(const corpus::Case& one, std::string reason) {
  result::CaseResult result;
  result.id = one.id;
  result.title = one.title;
  result.requirements = one.requirements;
  result.reason = std::move(reason);
  return result;
}

CaseRun CaseRunner::run(std::size_t ordinal, session::Conversation& conversation) const {
  const corpus::Case& unbound = corpus_.cases[ordinal];
  CaseRun run;
  run.result = not_exercised(unbound, {});
  auto bindings = bindings_for(ordinal, seed_, roles_);
  bindings.transport = endpoint_.binding().name;
  auto bound = corpus::bind(unbound, bindings);
  if (!bound) {
    run.result.reason = bound.error().message;
    return run;
  }
  conversation.begin_case(kFirstControlId + static_cast<long long>(ordinal) * kControlIdsPerCase);
  const auto generation = conversation.server_generation();
  dialogue::Transcript transcript;
  bool check = false;
  for (const auto& step : bound->steps) {
    transcript.begin_step(run.exchanges.size());
    run.exchanges.push_back(conversation.exchange(step, transcript));
    const auto& exchange = run.exchanges.back();
    check = needs_survival_check(step, exchange, context_.dialect) ||
            (check && !exchange.control_answered);
    if (exchange.ending != dialogue::Ending::settled || step.end_of_input) break;
  }
  transcript.end_steps();
  dialogue::SurvivalCheck survival;
  if (check) {
    survival = conversation.check_survival(transcript);
  } else if (run.exchanges.back().control_answered) {
    survival.survival = dialogue::Survival::alive;
  }
  run.survival = survival.survival;
  run.answered_late =
      survival.answered_meanwhile && run.exchanges.back().ending == dialogue::Ending::timed_out;
  // Asked last: another case's server may also have been met by the check.
  run.disturbed = conversation.server_generation() != generation;

  auto judgement = judge::judge(*bound, run.exchanges, survival, corpus_.ledger, context_);
  auto& result = run.result;
  result.duration = transcript.duration();
  result.transcript = transcript.events();
  result.exercised.assign(judgement.exercised.begin(), judgement.exercised.end());
  result.observations = std::move(judgement.observations);
  result.findings = std::move(judgement.findings);
  result.reproduce = endpoint_.reproduce(*bound);
  if (result.findings.empty() && !judgement.unjudged.empty()) {
    result.reason = judgement.unjudged;
  } else {
    const auto worst =
        std::max_element(result.findings.begin(), result.findings.end(),
                         [](const auto& a, const auto& b) { return a.severity < b.severity; });
    result.verdict = worst == result.findings.end()             ? result::Verdict::pass
                     : worst->severity == corpus::Verdict::warn ? result::Verdict::warn
                                                                : result::Verdict::fail;
  }
  return run;
}

}  // namespace jrpcheck::run
