#include "fuzz/properties/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fuzz/properties/by_protocol.hpp"
#include "fuzz/properties/lost_answers.hpp"
#include "fuzz/properties/search.hpp"
#include "fuzz/shape.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"

namespace jrpcheck::properties {
namespace {

// To see whether a call is answered alike each time, before and after: where a difference is to be
// charged, chance has to be ruled out.
constexpr int kQuickRepeats = 2;
constexpr int kCarefulRepeats = 4;
constexpr int kConfirmations = 2;

constexpr std::size_t kReducingTries = 300;
constexpr milliseconds kReducing{6'000};
// What breaks so often breaks always; going on would only cost timeouts.
constexpr std::size_t kEnough = 25;
constexpr milliseconds kWaitedEnough{15'000};
constexpr std::size_t kMostHangs = 3;
// An answer that has not come by then might be one that never comes.
constexpr milliseconds kLongWait{1'000};
// Of what one property may wait in vain. A server that has cost so much is not asked any more.
constexpr int kMostWaiting = 4;

// Without an end there is one all the same, which can be reckoned with.
constexpr std::chrono::hours kLongest{24 * 365};

// A property holds where so many tests have shown it, or a quarter of them where that is less.
constexpr std::size_t kShownEnough = 25;
constexpr std::size_t kPartShown = 4;

// A loss is looked for in so many times that the same is sent.
constexpr std::size_t kRepetitions = 250;

constexpr std::string_view kEndedOnce =
    "The server ended once; no message that was sent again makes it do so.";
constexpr std::string_view kEndsUnvaried = "what nothing was varied in ends the server";
constexpr std::string_view kTooLong = "the server takes no message of this length";
constexpr std::string_view kForeign = "what it varies makes no message of the protocol";
// So many tests without a message of the protocol, and the property has none.
constexpr std::size_t kForeignEnough = 10;
// So many scenarios are made to find one of the protocol's messages.
constexpr int kMostScenarios = 300;

// Whatever becomes of such a message is for its length.
bool has_sent_too_long(const TestSession& session) {
  return std::ranges::any_of(session.record(), [&](const Asked& asked) {
    return std::ranges::any_of(asked.messages, [&](const auto& message) {
      return message.text().size() > session.traits().longest_message;
    });
  });
}

bool is_death(const judge::Finding& finding) {
  return finding.symptom == judge::Symptom::died || finding.symptom == judge::Symptom::died_later;
}

bool is_counted(Material material) {
  return material == Material::probe || material == Material::length;
}

std::string why_over() {
  return is_signalled() ? interruption_text() : std::string("the time was up");
}

const judge::Finding* finding_like(const Trial& trial, const judge::Finding& like) {
  for (const auto& each : trial.findings) {
    if (each.requirement == like.requirement && each.severity == like.severity) return &each;
  }
  return nullptr;
}

bool is_known(const judge::Finding& finding, const PropertyResult& result) {
  return std::any_of(result.found.begin(), result.found.end(), [&](const Counterexample& one) {
    return one.finding.requirement == finding.requirement;
  });
}

// The same message again shows nothing more.
std::vector<Asked> evidence(const std::vector<Asked>& record, judge::Finding& finding) {
  std::vector<Asked> kept;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const bool repeated = std::any_of(kept.begin(), kept.end(), [&](const Asked& each) {
      return each.messages == record[i].messages && each.cuts == record[i].cuts;
    });
    if (repeated && i != finding.step) continue;
    kept.push_back(record[i]);
    if (i == finding.step) {
      finding.step = kept.size() - 1;
      break;
    }
  }
  return kept;
}

}  // namespace

std::size_t PropertyResult::shown() const {
  std::size_t all = tests;
  for (const auto& [reason, count] : skipped) all -= count;
  return all;
}

bool PropertyResult::has_hung() const { return hung >= kMostHangs; }

std::string PropertyResult::gap() const {
  if (!not_tried.empty()) return not_tried;
  const std::string so_far = fmt::format(" after {} of {} tests", tests, asked);
  if (!lost.empty()) return "the server was lost" + so_far + ": " + lost;
  if (has_hung()) {
    const std::string why = fmt::format("{} tests waited in vain for answers", hung);
    return given_up ? why + ": given up" + so_far : why;
  }
  if (loses_answers()) {
    return fmt::format("{} of {} tests left a call unanswered that was answered when sent again",
                       left_unanswered, tests);
  }
  if (cut_off_waiting) return cut_short + so_far + ", while an answer was waited for";
  if (unsettled > 0) return "a test broke it, and " + cut_short + " before it was tried again";
  if (shown() < std::clamp<std::size_t>(asked / kPartShown, 1, kShownEnough)) {
    if (!cut_short.empty()) return cut_short + so_far;
    const auto most = std::max_element(
        skipped.begin(), skipped.end(),
        [](const auto& one, const auto& other) { return one.second < other.second; });
    if (most != skipped.end()) {
      return fmt::format("{} of {} tests showed something: {}", shown(), tests, most->first);
    }
  }
  if (broken > 0 && found.empty() && tests < asked && cut_short.empty()) {
    return fmt::format("{} tests broke it, and none did when it was tried again", broken);
  }
  return exercised.empty() ? "nothing was shown" : "";
}

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
  if (!session.death() && has_sent_too_long(session)) return {.skipped = std::string(kTooLong)};
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

std::unique_ptr<Counterexample> Trials::confirmed(const Property& property,
                                                  const Scenario& scenario,
                                                  const judge::Finding& like) {
  std::unique_ptr<Counterexample> example;
  for (int i = 0; i < kConfirmations; ++i) {
    const auto executor = server_.careful_executor();
    TestSession session(circumstances_, *executor, *executor, kCarefulRepeats);
    const Trial trial = attempt(property, scenario, session, is_death(like));
    const judge::Finding* finding = finding_like(trial, like);
    if (finding == nullptr) return nullptr;
    example = std::make_unique<Counterexample>();
    example->finding = *finding;
    example->record = evidence(session.record(), example->finding);
    example->standard_error = session.standard_error();
  }
  return example;
}

// What is lost each time is a fault of what was sent, or a limit of the server, and shows where
// that is tried.
void Trials::settle_silence(const TestSession& met, PropertyResult& result) {
  const auto& message = met.record()[met.unanswered().back()].messages.front().text();
  const bool is_new = result.left_unanswered == 0 && !is_told_to_lose_;
  const auto executor = server_.careful_executor();
  TestSession session(circumstances_, *executor, *executor, 1);
  const auto again = ask_again(message, is_new ? kRepetitions : 1, session);
  asked_ += session.record().size();
  if (again.answered == 0) return;
  ++result.left_unanswered;
  if (!again.is_at_times) return;
  is_told_to_lose_ = true;
  Counterexample example;
  example.finding = again.finding;
  example.record = evidence(session.record(), example.finding);
  example.found_in = tried_;
  example.reduced_in = session.record().size();
  example.is_at_times = true;
  ++result.broken;
  result.found.push_back(std::move(example));
}

// How a message has ended the server twice that was sent alone, maybe a moment after its answer.
std::unique_ptr<Counterexample> Trials::death_behind(const std::string& message) {
  std::unique_ptr<Counterexample> example;
  for (int i = 0; i < kConfirmations && !message.empty(); ++i) {
    const auto executor = server_.careful_executor();
    TestSession session(circumstances_, *executor, *executor, 1);
    session.ask_with_care(message);
    session.await_end();
    asked_ += session.record().size();
    if (!session.death()) return nullptr;
    example = std::make_unique<Counterexample>();
    example->finding = *session.death();
    example->record = evidence(session.record(), example->finding);
    example->standard_error = session.standard_error();
  }
  return example;
}

// What ends the server a moment after its answer is met by what is sent next, in the same test or
// in another. `shown`: what showed it each time; null: nothing did.
std::unique_ptr<Counterexample> Trials::settled_death(std::unique_ptr<Counterexample> shown,
                                                      const TestSession& met) {
  const auto& record = shown ? shown->record : met.record();
  const std::size_t step = shown ? shown->finding.step : met.death()->step;
  const bool is_first = step == 0 || step > record.size();
  const std::string before = !is_first ? record[step - 1].messages.back().text()
                             : shown   ? std::string()
                                       : sent_before_;
  if (auto alone = death_behind(before)) return alone;
  if (shown) return shown;
  shown = std::make_unique<Counterexample>();
  shown->finding = *met.death();
  shown->finding.symptom = judge::Symptom::went_away;
  shown->finding.particulars = kEndedOnce;
  shown->record = evidence(met.record(), shown->finding);
  shown->standard_error = met.standard_error();
  return shown;
}

std::unique_ptr<Counterexample> Trials::reduced(const Property& property, Search& search,
                                                const judge::Finding& like) {
  auto whole = confirmed(property, search.last(), like);
  if (whole == nullptr) return nullptr;
  const bool comes_late = whole->finding.symptom == judge::Symptom::died_later;
  const Deadline deadline = Deadline::earlier(Deadline::in(kReducing), limits_.end);
  auto executor = server_.careful_executor();
  const auto shows = [&](const Scenario& candidate) {
    if (deadline.passed()) return false;
    if (property.is_lasting) executor = server_.careful_executor();
    TestSession session(circumstances_, *executor, *executor, kQuickRepeats);
    return finding_like(attempt(property, candidate, session, comes_late), like) != nullptr;
  };
  const Scenario simplest = search.simplest(shows, kReducingTries);
  auto example = confirmed(property, simplest, like);
  return example != nullptr ? std::move(example) : std::move(whole);
}

}  // namespace jrpcheck::properties
