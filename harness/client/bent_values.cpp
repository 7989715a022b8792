#include "client/bent_values.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "client/trial.hpp"
#include "client/trial_judge.hpp"
#include "json/parse.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;
using corpus::Scenario;
using result::CaseResult;

constexpr std::size_t kNoPlace = Bend::kNone;

// Of the calls that were answered with a result, the one that so many were before.
std::size_t place_of_answer(const Control& control, std::size_t answer) {
  for (std::size_t place = 0; place < control.calls.size(); ++place) {
    if (control.calls[place].result && --answer == 0) return place;
  }
  return kNoPlace;
}

bool are_the_same(const std::vector<CarriedCall>& one, const std::vector<CarriedCall>& other,
                  std::size_t count) {
  return one.size() >= count && other.size() >= count &&
         std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(count), other.begin(),
                    [](const auto& a, const auto& b) { return a.what == b.what; });
}

// Results that no odd answer can be told from.
bool is_telling(const std::string& result) { return result != "null" && result != "999"; }

class ValueJudge {
 public:
  ValueJudge(const Scenario& scenario, const BentTrial& trial, const Control& control,
             const corpus::Ledger& ledger, CaseResult& result)
      : scenario_(scenario),
        trial_(trial),
        calls_(trial.notes.calls),
        control_(control),
        ledger_(ledger),
        result_(result),
        lines_(printed_calls(trial.end.printed)) {}

  void judge() {
    const auto& bent = trial_.notes.bent;
    const std::size_t subject = bent.empty() ? kNoPlace : bent.at(bent.size() / 2);
    if (auto why = hindrance(subject); !why.empty()) {
      if (result_.reason.empty()) result_.reason = std::move(why);
      return;
    }
    const SeenCall seen = seen_at(subject);
    const bool has_ended = trial_.end.status.has_value();
    const bool may_wait_for_others = !has_ended && !is_left_waiting(scenario_, trial_, control_);
    if (seen.outcome == CallOutcome::waits && may_wait_for_others) return;
    judge_calls(scenario_, seen, seen_but(subject, may_wait_for_others), true, ledger_, result_);
    result_.verdict = result::worst_of(result_.findings);
    if (!seen.line.empty()) show(seen.line);
  }

 private:
  // Why nothing can be said of values.
  std::string hindrance(std::size_t subject) const {
    if (subject == kNoPlace) return "it is not known which call the bent answer is to";
    if (!control_.lines.contains(subject)) return "the driver prints no line of the bent call";
    if (!are_the_same(calls_, control_.calls, subject + 1)) {
      return "the client does not make the same calls each time";
    }
    if (!is_telling(*calls_[subject].result)) {
      return "the true result is " + *calls_[subject].result +
             ", from which an odd one cannot be told; --answer bends another";
    }
    // Who calls again is answered by the server itself, and may tell of that.
    const bool calls_again =
        !are_the_same(calls_, control_.calls, std::min(calls_.size(), control_.calls.size())) ||
        calls_.size() > control_.calls.size();
    return calls_again ? "the client has called again, and may tell of that" : "";
  }

  SeenCall seen_at(std::size_t place) const {
    const std::size_t number = control_.lines.at(place);
    const auto& status = trial_.end.status;
    SeenCall seen{number, has_died(trial_.end) ? CallOutcome::died : CallOutcome::waits};
    const auto line = lines_.find(number);
    if (line == lines_.end()) {
      seen.shown = status ? "the program " + status->text() + ", and has said nothing of the call"
                          : "the program waits";
      return seen;
    }
    const bool is_bent = trial_.notes.bent.at(trial_.notes.bent.size() / 2) == place;
    const bool is_another = is_bent && !scenario_.result.empty();
    seen.outcome = outcome_of(line->second, is_another ? scenario_.result : *calls_[place].result);
    seen.line = seen.shown = line->second;
    return seen;
  }

  std::vector<SeenCall> seen_but(std::size_t subject, bool may_wait_for_others) const {
    std::vector<SeenCall> others;
    for (const auto& [place, number] : control_.lines) {
      // What was not called, or not answered, has nothing to be told of.
      const bool is_answered = place < calls_.size() && calls_[place].result;
      if (place == subject || !is_answered) continue;
      auto seen = seen_at(place);
      if (seen.outcome == CallOutcome::waits && may_wait_for_others) continue;
      others.push_back(std::move(seen));
    }
    return others;
  }

  void show(const std::string& line) {
    auto& events = result_.transcript;
    auto shown = transcript_of({}, line, {}, {});
    const auto after = std::ranges::find_if(events, [](const auto& each) {
      return each.direction != dialogue::Direction::sent &&
             each.direction != dialogue::Direction::closed;
    });
    events.insert(after, shown.begin(), shown.end());
  }

  const Scenario& scenario_;
  const BentTrial& trial_;
  const std::vector<CarriedCall>& calls_;
  const Control& control_;
  const corpus::Ledger& ledger_;
  CaseResult& result_;
  std::map<std::size_t, std::string> lines_;
};

}  // namespace

std::string pair_lines(const BentTrial& trial, Control& control) {
  constexpr std::string_view kAdvice =
      "; print {\"n\":1,\"ok\":RESULT} for the first call, and so on, with the whole result, or "
      "leave --driver out";
  const auto lines = printed_calls(trial.end.printed);
  if (lines.empty()) {
    return "with nothing bent the driver prints no line of JSON for a call" + std::string(kAdvice);
  }
  control.calls = trial.notes.calls;
  control.lines.clear();
  std::size_t place = 0;
  for (const auto& [number, line] : lines) {
    // What the server refuses each time can be no value.
    if (outcome_of(line, "null") == CallOutcome::error) continue;
    const auto is_shown = [&text = line](const CarriedCall& each) {
      return each.result && outcome_of(text, *each.result) == CallOutcome::value;
    };
    const auto& calls = control.calls;
    const auto found =
        std::find_if(calls.begin() + static_cast<std::ptrdiff_t>(place), calls.end(), is_shown);
    if (found == calls.end()) {
      return "with nothing bent line " + std::to_string(number) +
             " of the driver shows what no further answer of the server has for a result, so that "
             "values cannot be judged: " +
             to_visible(line, 200) + std::string(kAdvice);
    }
    place = static_cast<std::size_t>(found - calls.begin());
    control.lines.emplace(place++, number);
  }
  if (!control.lines.empty()) return {};
  return "with nothing bent all lines of the driver tell of errors" + std::string(kAdvice);
}

bool has_line(const Control& control, std::size_t answer) {
  return control.lines.contains(place_of_answer(control, answer));
}

std::size_t usual_answer_with_line(const Control& control) {
  std::vector<std::size_t> answers;
  for (std::size_t answer = 1; answer <= control.answers; ++answer) {
    if (has_line(control, answer)) answers.push_back(answer);
  }
  return answers.empty() ? 0 : answers.at(usual_answer(answers.size()) - 1);
}

void judge_bent_values(const Scenario& scenario, const BentTrial& trial, const Control& control,
                       const corpus::Ledger& ledger, CaseResult& result) {
  if (!trial.notes.was_played || !result.findings.empty()) return;
  ValueJudge(scenario, trial, control, ledger, result).judge();
}

}  // namespace jrpcheck::client
