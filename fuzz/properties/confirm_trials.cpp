// What a test has shown, confirmed and reduced.
#include <algorithm>
#include <utility>

#include "fuzz/properties/lost_answers.hpp"
#include "fuzz/properties/search.hpp"
#include "fuzz/properties/trials.hpp"

namespace jrpcheck::properties {
namespace {

// As Trials::kQuickRepeats, where a difference is to be charged and chance has to be ruled out.
constexpr int kCarefulRepeats = 4;
constexpr int kConfirmations = 2;
constexpr std::size_t kReducingTries = 300;
constexpr milliseconds kReducing{6'000};

// A loss is looked for in so many times that the same is sent.
constexpr std::size_t kRepetitions = 250;

constexpr std::string_view kEndedOnce =
    "The server ended once; no message that was sent again makes it do so.";

bool is_death(const judge::Finding& finding) {
  return finding.symptom == judge::Symptom::died || finding.symptom == judge::Symptom::died_later;
}

const judge::Finding* finding_like(const Trial& trial, const judge::Finding& like) {
  for (const auto& each : trial.findings) {
    if (each.requirement == like.requirement && each.severity == like.severity) return &each;
  }
  return nullptr;
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
