#include "fuzz/properties/trials.hpp"

#include <algorithm>
#include <utility>

#include "fuzz/message_size.hpp"
#include "fuzz/properties/by_protocol.hpp"
#include "fuzz/properties/search.hpp"
#include "fuzz/shape.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"

namespace jrpcheck::properties {
namespace {

// What breaks so often breaks always; going on would only cost timeouts.
constexpr std::size_t kEnough = 25;
constexpr milliseconds kWaitedEnough{15'000};
// An answer that has not come by then might be one that never comes.
constexpr milliseconds kLongWait{1'000};
// Of what one property may wait in vain. A server that has cost so much is not asked any more.
constexpr int kMostWaiting = 4;

// Without an end there is one all the same, which can be reckoned with.
constexpr std::chrono::hours kLongest{24 * 365};

constexpr std::string_view kEndsUnvaried = "what nothing was varied in ends the server";
constexpr std::string_view kTooLarge =
    "the server takes no message of this length, or nested so deeply";
constexpr std::string_view kForeign = "what it varies makes no message of the protocol";
// So many tests without a message of the protocol, and the property has none.
constexpr std::size_t kForeignEnough = 10;
// So many scenarios are made to find one of the protocol's messages.
constexpr int kMostScenarios = 300;

// Whatever becomes of such a message is for its size.
bool has_sent_too_large(const TestSession& session) {
  return std::ranges::any_of(session.record(), [&](const Asked& asked) {
    return std::ranges::any_of(asked.messages, [&](const auto& message) {
      return fuzz::is_beyond_limits(message.text(), session.traits());
    });
  });
}

bool is_counted(Material material) {
  return material == Material::probe || material == Material::length;
}

std::string why_over() {
  return is_signalled() ? interruption_text() : std::string("the time was up");
}

bool is_known(const judge::Finding& finding, const PropertyResult& result) {
  return std::any_of(result.found.begin(), result.found.end(), [&](const Counterexample& one) {
    return one.finding.requirement == finding.requirement;
  });
}

}  // namespace

Trials::Trials(const Server& server, const fuzz::Oracle& oracle, const Words& words, Limits limits,
               unsigned long long seed)
    : server_(server),
      oracle_(oracle),
      words_(words),
      limits_(limits),
      seed_(seed),
      circumstances_{oracle, server.binding, limits.end},
      quick_(server.quick_executor()),
      patient_(server.careful_executor()) {}

std::vector<PropertyResult> Trials::run(const std::vector<const Property*>& properties,
                                        const Told& told) {
  std::vector<PropertyResult> results;
  std::string gone;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const auto left = std::min<microseconds>(limits_.end.remaining(), kLongest);
    const auto share = left / static_cast<long long>(properties.size() - i);
    if (gone.empty()) {
      results.push_back(try_property(*properties[i], Deadline::in(share)));
    } else {
      results.push_back(
          {.property = properties[i], .asked = tests_of(*properties[i]), .not_tried = gone});
    }
    if (told) told(results.back());
    if (gone.empty()) gone = obstacle_now(results);
  }
  return results;
}

// Each property that a server hangs in costs many timeouts.
std::string Trials::obstacle_now(const std::vector<PropertyResult>& results) {
  const auto& last = results.back();
  if (!last.lost.empty()) return "the server was lost: " + last.lost;
  if (!last.has_hung() || limits_.end.passed()) return {};
  microseconds waited{0};
  for (const auto& each : results) waited += each.hung_for;
  if (waited >= kMostWaiting * limits_.waiting) {
    return "the server was given up: it left calls unanswered again and again";
  }
  return answers_anything() ? "" : "the server was given up: it answers no call any more";
}

bool Trials::answers_anything() {
  constexpr int kAttempts = 3;  // a program that comes up on a busy machine may miss one
  for (int i = 0; i < kAttempts; ++i) {
    const auto executor = server_.careful_executor();
    TestSession session(circumstances_, *executor, *executor, 1);
    const auto exchange =
        session.ask(R"({"jsonrpc":"2.0","method":"jrpcheckThere","id":"jrpcheck"})");
    if (session.is_cut_off() || !exchange.replies.empty()) return true;
  }
  return false;
}

// Of what there is so much and no more, each once.
std::size_t Trials::tests_of(const Property& property) const {
  if (is_counted(property.material)) return all_scenarios(property.material, words_).size();
  return property.most_tests > 0 ? std::min(property.most_tests, limits_.tests) : limits_.tests;
}

std::string Trials::obstacle(const Property& property) const {
  if (tests_of(property) == 0) {
    return property.material == Material::probe ? "no methods were looked for"
                                                : "no method is known that echoes";
  }
  if (property.needs_batches && !oracle_.traits().serves_batches) {
    return "the server does not serve batches, or none of twenty calls";
  }
  if (property.needs_stream && !circumstances_.binding.is_stream()) {
    return "does not apply to " + std::string(circumstances_.binding.name);
  }
  return {};
}

void Trials::note_protocol(const Property& property, PropertyResult& result) const {
  const auto& protocol = oracle_.traits().protocol;
  const auto why = protocol ? why_not_applying(property, *protocol) : std::nullopt;
  if (!why) return;
  result.not_tried = *why;
  result.does_not_apply = true;
}

PropertyResult Trials::try_property(const Property& property, Deadline deadline) {
  const auto begin = Clock::now();
  PropertyResult result{
      .property = &property, .asked = tests_of(property), .not_tried = obstacle(property)};
  note_protocol(property, result);
  if (!result.not_tried.empty()) return result;
  // What was sent for other properties may have left its trace.
  if (property.is_lasting) quick_ = server_.quick_executor();
  // Each property has scenarios of its own, whichever others are tried.
  Search search(property.material, words_, seed_ ^ fuzz::hash_of(std::string(property.id)));
  while (result.tests < result.asked && !deadline.passed()) {
    if (!try_once(property, search, result)) break;
    const auto foreign = result.skipped.find(std::string(kForeign));
    const bool is_all_foreign = foreign != result.skipped.end() && foreign->second == result.tests;
    if (!is_all_foreign || result.tests < kForeignEnough) continue;
    result.not_tried = kForeign;
    result.does_not_apply = true;
    break;
  }
  const bool is_open = result.tests < result.asked && !result.does_not_apply;
  if (is_open && deadline.passed()) result.cut_short = why_over();
  if (result.tests == 0 && !result.cut_short.empty()) {
    result.not_tried = result.cut_short + " before it was tried";
  }
  result.duration = time_since(begin);
  return result;
}

// Of what the protocol has no messages of the kind that is made, there are none to be found.
const Scenario& Trials::next_scenario(const Property& property, Search& search) const {
  const auto& protocol = oracle_.traits().protocol;
  const Scenario* scenario = &search.next();
  for (int i = 1; protocol && i < kMostScenarios; ++i) {
    if (!is_foreign(property, as_sent(*scenario, *protocol), *protocol)) break;
    scenario = &search.next();
  }
  return *scenario;
}

Trial Trials::attempt(const Property& property, const Scenario& scenario, TestSession& session,
                      bool awaits_end) {
  const auto& protocol = oracle_.traits().protocol;
  Trial trial = property.check(protocol ? as_sent(scenario, *protocol) : scenario, session);
  if (awaits_end) session.await_end();
  asked_ += session.record().size();
  if (protocol && !session.death() && is_foreign(property, session.record(), *protocol)) {
    return {.skipped = std::string(kForeign)};
  }
  if (protocol) {
    std::erase_if(trial.findings, [&](const judge::Finding& each) {
      return protocol->law->profile.exempts_requirement(each.requirement) != nullptr;
    });
  }
  if (session.is_cut_off()) return {.skipped = "it was cut off"};
  // What nobody was there to answer shows nothing.
  if (!session.lost().empty()) return {.skipped = "the server was lost"};
  if (!session.death() && has_sent_too_large(session)) return {.skipped = std::string(kTooLarge)};
  if (session.death()) {
    const bool is_told = death_told_by_ != nullptr && death_told_by_ != &property;
    if (is_told && trial.lacks_baseline) return {.skipped = std::string(kEndsUnvaried)};
    trial.skipped.clear();
    trial.findings = {*session.death()};
    trial.exercised = {session.death()->requirement};
  }
  if (trial.findings.empty() && !session.malformed().empty()) {
    trial.skipped.clear();
    trial.findings = session.malformed();
  }
  return trial;
}

void Trials::drop_told_elsewhere(const Property& property,
                                 std::vector<judge::Finding>& findings) const {
  std::erase_if(findings, [&](const judge::Finding& finding) {
    const auto told = malformed_.find(finding.requirement);
    return told != malformed_.end() && told->second != &property;
  });
}

bool Trials::try_once(const Property& property, Search& search, PropertyResult& result) {
  const auto begin = Clock::now();
  const Scenario& scenario = next_scenario(property, search);
  TestSession session(circumstances_, *quick_, *patient_, kQuickRepeats);
  Trial trial = attempt(property, scenario, session);
  if (session.is_cut_off()) {
    result.cut_off_waiting = session.waited_in_vain() >= kLongWait;
    return false;
  }
  if (!session.lost().empty()) {
    result.lost = session.lost();
    return false;
  }
  ++result.tests;
  if (session.waited_in_vain().count() > 0) ++result.hung;
  result.hung_for += session.waited_in_vain();
  tried_ += session.record().size();
  result.exchanges += session.record().size();
  drop_told_elsewhere(property, trial.findings);
  if (!trial.skipped.empty()) ++result.skipped[trial.skipped];
  result.exercised.merge(trial.exercised);
  if (!trial.observed.empty()) result.observed.insert(trial.observed);
  if (!trial.findings.empty()) {
    ++result.broken;
    result.broke_after += time_since(begin);
  }
  for (const auto& finding : trial.findings) {
    if (is_known(finding, result)) continue;
    const std::size_t before = asked_;
    auto example = reduced(property, search, finding);
    if (session.death()) example = settled_death(std::move(example), session);
    if (example == nullptr) {
      ++(limits_.end.passed() ? result.unsettled : result.unconfirmed);
      break;
    }
    example->found_in = tried_;
    example->reduced_in = asked_ - before;
    if (judge::is_envelope_requirement(finding.requirement)) {
      malformed_.emplace(finding.requirement, &property);
    }
    if (session.death() && death_told_by_ == nullptr) death_told_by_ = &property;
    result.found.push_back(std::move(*example));
    break;
  }
  const bool is_told = std::ranges::any_of(
      trial.findings, [&](const auto& finding) { return is_known(finding, result); });
  if (!session.unanswered().empty() && !session.death() && !is_told) {
    settle_silence(session, result);
  }
  if (!session.record().empty()) sent_before_ = session.record().back().messages.back().text();
  result.given_up = result.has_hung() && result.hung_for >= limits_.waiting;
  if (result.given_up) return false;
  return result.broken < kEnough && result.broke_after < kWaitedEnough;
}

}  // namespace jrpcheck::properties
