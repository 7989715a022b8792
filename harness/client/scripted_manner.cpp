#include <algorithm>

#include "base/bytes.hpp"
#include "client/client_run.hpp"
#include "client/look_apart.hpp"
#include "client/manner.hpp"
#include "client/shared_way.hpp"
#include "client/trial_judge.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;
using corpus::Scenario;

constexpr int kSecondLook = 3;

bool seems_to_wait(const Trial& trial) {
  return std::find(trial.outcomes.begin() + 1, trial.outcomes.end(), CallOutcome::waits) !=
         trial.outcomes.end();
}

// A call with a result of another message has read that by itself.
bool fails_without_result(const Trial& trial) {
  return std::all_of(trial.outcomes.begin() + 1, trial.outcomes.end(), [](auto one) {
    return one == CallOutcome::value || one == CallOutcome::error || one == CallOutcome::waits;
  });
}

// What is charged because nothing came in time.
bool is_charged_with_silence(const result::CaseResult& result) {
  return std::ranges::any_of(result.findings, [](const auto& each) {
    return each.symptom == judge::Symptom::unanswered || each.requirement == "cl-server-call";
  });
}

// How the program ended, or what its driver says of the call.
std::string last_sign_of(const Trial& trial, bool has_driver) {
  const auto outcome = trial.outcomes[kSubject];
  const bool is_told_of =
      has_driver && outcome != CallOutcome::waits && outcome != CallOutcome::died;
  if (is_told_of) return "said " + to_visible(trial.shown[kSubject], 200);
  return trial.ending.empty() ? "waited" : trial.ending;
}

std::string why_it_was_not_played(const Trial& trial, const Door& door, bool has_driver) {
  const std::string over = "echo [2] over " + std::string(door.name);
  if (trial.batch_of_subject > 0) {
    const auto size = trial.batch_of_subject == 1 ? "one" : std::to_string(trial.batch_of_subject);
    return "the client called " + over + " in a batch of " + size +
           ", so that nothing can be judged: it is to send each call alone, an Object, unless "
           "JRPCHECK_ORDER is batch" +
           last_words_of(trial.standard_error);
  }
  const std::string given = door.is_stdio()
                                ? "the command of its server as {server} and in JRPCHECK_SERVER"
                                : "the URL as {url} and in JRPCHECK_URL";
  const std::string sent = first_words_of(trial.traffic);
  return (sent.empty() ? "the client did not call " + over
                       : "nothing that the client sent is a call of " + over) +
         ": it " + last_sign_of(trial, has_driver) + ". It is given " + given +
         (door.is_secure ? ", whom to believe as {cacert} and in JRPCHECK_CACERT," : ",") +
         " and calls echo [n] for each n of JRPCHECK_CALLS" + sent +
         last_words_of(trial.standard_error);
}

class ScriptedManner : public Manner {
 public:
  ScriptedManner(const corpus::Corpus& corpus, const ClientOptions& options,
                 transport::Guardian& guardian)
      : corpus_(corpus), options_(options), guardian_(guardian) {}

  ControlTrial try_control(Premises& premises) override {
    for (const auto& each : corpus_.scenarios) {
      if (each.id == kControl) return try_control(each, premises);
    }
    return {"the corpus has no control"};
  }

  bool can_be_shared(const Scenario& scenario) const override {
    return options_.has_driver && client::can_be_shared(scenario, *options_.door);
  }

  Settled settle(const Scenarios& scenarios, Premises& premises, const LeaveAlone& leave) override {
    const auto control = std::ranges::find_if(corpus_.scenarios,
                                              [](const auto& each) { return each.id == kControl; });
    const auto together = [&](const Scenarios& several, microseconds most) {
      return try_together(several, most, options_, corpus_, premises, guardian_);
    };
    return SharedWay(*control, of_one_, together, leave).settle(scenarios);
  }

  Attempt attempt(const Scenario& asked, Premises& premises) override {
    const Scenario scenario = at_door(asked);
    auto trial = try_client(scenario, options_, premises, guardian_);
    if (!trial) {
      Attempt failed{blank(scenario)};
      failed.result.reason = trial.error().message;
      failed.was_cut_off = is_interrupted();
      return failed;
    }
    auto result = judge_trial(scenario, *trial, options_.has_driver, corpus_.ledger);
    const bool is_charged = !result.findings.empty();
    // Who is slow, on a busy machine, seems to wait: only who waits longer as well is charged.
    ClientOptions patient = options_;
    patient.patience *= kSecondLook;
    const bool has_not_called = !trial->was_played && trial->ending.empty();
    if (has_not_called ||
        (is_charged && (seems_to_wait(*trial) || is_charged_with_silence(result)))) {
      if (auto again = try_client(scenario, patient, premises, guardian_);
          again && !again->was_cut_off) {
        trial = std::move(again);
        result = judge_trial(scenario, *trial, options_.has_driver, corpus_.ledger);
      }
    }
    bool was_cut_off = trial->was_cut_off;
    if (!was_cut_off && !options_.door->pairs_replies() && fails_without_result(*trial)) {
      const auto try_again = [&](const Scenario& one) -> std::optional<result::CaseResult> {
        const auto again = try_client(one, patient, premises, guardian_);
        was_cut_off = !again || again->was_cut_off;
        if (was_cut_off) return std::nullopt;
        return judge_trial(one, *again, options_.has_driver, corpus_.ledger);
      };
      result = looked_at_apart(scenario, std::move(result), try_again, corpus_.ledger);
    }
    const bool is_usual = options_.door->name == usual_door(false).name;
    if (!result.findings.empty() && !is_usual) result.reproduce = repeated(scenario);
    return {std::move(result), std::move(trial->traffic), was_cut_off};
  }

  Result<Look> look(const Scenario& scenario, int patience, Premises& premises) override {
    ClientOptions options = options_;
    options.patience *= patience;
    auto trial = try_client(scenario, options, premises, guardian_);
    if (!trial) return trial.error();
    const bool has_died = trial->was_killed ||
                          (options_.has_driver && trial->outcomes[kSubject] == CallOutcome::died);
    Look look{trial->was_played, trial->was_cut_off, has_died,
              trial->outcomes[kSubject] == CallOutcome::waits};
    look.ends = !look.waits && !has_died;
    look.ending = trial->ending;
    look.printed = trial->shown[kSubject];
    look.standard_error = trial->standard_error;
    look.told = trial->told;
    look.traffic = std::move(trial->traffic);
    return look;
  }

  // Its messages are taken where their JSON ends; who reads lines would wait for ever.
  std::vector<std::string> notes() const override {
    if (!ends_no_line_) return {};
    return {
        "The client ends no message with a line feed: each was taken where its JSON ends. Servers "
        "that read lines, as those of MCP do, get no call from it."};
  }

 private:
  Scenario at_door(const Scenario& scenario) const {
    return options_.door->pairs_replies() ? corpus::over_http(scenario) : scenario;
  }

  // What explains a scenario says how it is tried by the usual door.
  std::string repeated(const Scenario& scenario) const {
    std::vector<std::string> words = {"jrpcheck", "client", "--door",
                                      std::string(options_.door->name)};
    if (options_.has_driver) words.emplace_back("--driver");
    words.insert(words.end(), {"--select", scenario.id, "--"});
    words.insert(words.end(), options_.command.begin(), options_.command.end());
    return shell_line(words);
  }

  // Who is slow to come up, on a busy machine, seems to wait.
  ControlTrial try_control(const Scenario& control, Premises& premises) {
    ControlTrial tried;
    for (const int patience : {1, 2 * kSecondLook}) {
      ClientOptions options = options_;
      options.patience *= patience;
      const auto begin = Clock::now();
      auto trial = try_client(control, options, premises, guardian_);
      of_one_ = time_since(begin);
      if (!trial) return {trial.error().message};
      tried.hindrance = trial->was_played
                            ? why_control_fails(*trial)
                            : why_it_was_not_played(*trial, *options_.door, options_.has_driver);
      tried.traffic = std::move(trial->traffic);
      ends_no_line_ = trial->ends_no_line;
      // A driver that has told of all its calls has waited for none, also where it never ends.
      if (tried.hindrance.empty() || !seems_to_wait(*trial) || trial->was_cut_off) break;
    }
    return tried;
  }

  const corpus::Corpus& corpus_;
  const ClientOptions& options_;
  transport::Guardian& guardian_;
  microseconds of_one_{0};     // that the control takes
  bool ends_no_line_ = false;  // in the control
};

}  // namespace

std::unique_ptr<Manner> make_scripted_manner(const corpus::Corpus& corpus,
                                             const ClientOptions& options,
                                             transport::Guardian& guardian) {
  return std::make_unique<ScriptedManner>(corpus, options, guardian);
}

}  // namespace jrpcheck::client
