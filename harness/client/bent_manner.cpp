#include <algorithm>
#include <array>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "client/bent_trial.hpp"
#include "client/manner.hpp"
#include "client/trial_judge.hpp"
#include "client/wire_form.hpp"

namespace jrpcheck::client {
namespace {

using corpus::Scenario;

// Who is slow, on a busy machine, seems to wait: only who waits longer as well is charged.
constexpr int kLongerLook = 3;

class BentManner : public Manner {
 public:
  BentManner(const corpus::Corpus& corpus, const ClientOptions& options, const BendOptions& bend,
             transport::Guardian& guardian)
      : corpus_(corpus), options_(options), bend_(bend), guardian_(guardian) {}

  std::string try_control(Premises& premises) override {
    std::array<BentTrial, 2> runs;
    for (auto& each : runs) {
      auto trial = try_bent(unbent_, Bend::kNone, kLongerLook, premises);
      if (!trial) return trial.error().message;
      each = *std::move(trial);
      if (auto why = what_is_wrong(each); !why.empty()) return why;
    }
    const auto& [first, second] = runs;
    control_.ends = first.end.status.has_value();
    if (control_.ends != second.end.status.has_value()) {
      return "with nothing bent the client ends by itself in one run, and not in another, so that "
             "nothing can be judged; --client-timeout gives it more time";
    }
    control_.answers = std::min(first.notes.answers, second.notes.answers);
    control_.answer = bend_.answer == 0 ? usual_answer(control_.answers) : bend_.answer;
    control_.is_steady = first.notes.methods == second.notes.methods;
    control_.methods = first.notes.methods;
    if (first.end.printed == second.end.printed) control_.printed = first.end.printed;
    if (control_.answer <= control_.answers) return {};
    return "--answer " + std::to_string(control_.answer) + ": the client is given " +
           std::to_string(control_.answers) + " answers with a result";
  }

  std::string hindrance(const Scenario& scenario) const override {
    if (can_be_bent(scenario)) return {};
    return scenario.order == corpus::CallOrder::batch
               ? "takes a batch of three calls, and what the client calls is its own choice"
               : "takes three calls at once, and what the client calls is its own choice";
  }

  Attempt attempt(const Scenario& scenario, Premises& premises) override {
    auto trial = try_bent(scenario, control_.answer, 1, premises);
    if (!trial) {
      Attempt failed{blank(scenario)};
      failed.result.reason = trial.error().message;
      failed.was_cut_off = is_interrupted();
      return failed;
    }
    auto result = judge_bent(scenario, *trial, control_, corpus_.ledger);
    if (!result.findings.empty() && !trial->end.was_cut_off) {
      auto again = try_bent(scenario, control_.answer, kLongerLook, premises);
      if (again && !again->end.was_cut_off) {
        trial = std::move(again);
        result = judge_bent(scenario, *trial, control_, corpus_.ledger);
      }
    }
    if (!result.findings.empty()) result.reproduce = repeated(scenario);
    return {std::move(result), std::move(trial->end.traffic), trial->end.was_cut_off};
  }

  Result<Look> look(const Scenario& scenario, int patience, Premises& premises) override {
    auto trial = try_bent(scenario, control_.answer, patience, premises);
    if (!trial) return trial.error();
    const bool waits = is_left_waiting(scenario, *trial, control_);
    auto& end = trial->end;
    Look look{trial->notes.was_played, end.was_cut_off, end.status && end.status->by_signal, waits};
    look.ends =
        end.status && !end.status->by_signal && control_.ends && !trial->notes.was_on_stream;
    if (end.status) look.ending = end.status->text();
    look.printed = std::move(end.printed);
    look.standard_error = std::move(end.standard_error);
    look.told = trial->notes.told;
    look.traffic = std::move(end.traffic);
    return look;
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = {
        bend_.shown + " answers; of its " + std::to_string(control_.answers) +
        " answers with a result number " + std::to_string(control_.answer) + " is bent"};
    if (!control_.ends) {
      notes.emplace_back(
          "the client does not end by itself where nothing is bent: it is not seen to wait");
    }
    if (!control_.is_steady) {
      notes.emplace_back(
          "the client does not make the same calls each time: it is not seen whether it goes on");
    }
    return notes;
  }

 private:
  Result<BentTrial> try_bent(const Scenario& scenario, std::size_t answer, int patience,
                             Premises& premises) {
    Bend bend(scenario, answer);
    const auto& door = *options_.door;
    auto server = ScriptedServer::start(
        door,
        [&](transport::ByteStream& stream, std::uint32_t number, TrialState& state) {
          BentConnection(door, bend_.upstream, bend, state, stream, number).run();
        },
        premises);
    if (!server) return server.error();
    ClientStart start{options_.command, options_.relay, bend_.path};
    start.patience = patience * options_.patience;
    start.awaits_server = [&bend] { return bend.is_due(); };
    auto end = run_to_end(start, **server, door, premises, guardian_);
    if (!end) return end.error();
    return BentTrial{*std::move(end), bend.notes()};
  }

  // With a control, in which nothing is bent.
  std::string what_is_wrong(const BentTrial& trial) const {
    const auto& [end, notes] = trial;
    if (end.was_cut_off) return interruption_text();
    if (!notes.failure.empty()) return "the upstream is not reached: " + notes.failure;
    const std::string said =
        broken_form(corpus_, *options_.door, end.traffic) + last_words_of(end.standard_error);
    if (notes.methods.empty()) {
      const std::string given = options_.door->is_stdio()
                                    ? "the command of its server as {server} and in JRPCHECK_SERVER"
                                    : "the URL as {url} and in JRPCHECK_URL";
      return "the client did not call the server over " + std::string(options_.door->name) +
             ": it " + ending(end) + ". It is given " + given + said;
    }
    if (notes.answers == 0) {
      return "with nothing bent no call of the client is answered with a result, so that nothing "
             "can be judged: it " +
             ending(end) + said;
    }
    if (end.status && (end.status->by_signal || end.status->value != 0)) {
      return "with nothing bent the client " + end.status->text() +
             ", so that nothing can be judged" + said;
    }
    return {};
  }

  static std::string ending(const ClientEnd& end) {
    return end.status ? end.status->text() : "waited";
  }

  std::string repeated(const Scenario& scenario) const {
    std::string line = "jrpcheck client";
    const auto add = [&line](const std::string& word) { line += " " + shell_quote(word); };
    for (const auto& each : bend_.repeated) add(each);
    add("--answer");
    add(std::to_string(control_.answer));
    add("--select");
    add(scenario.id);
    add("--");
    for (const auto& each : options_.command) add(each);
    return line;
  }

  const corpus::Corpus& corpus_;
  const ClientOptions& options_;
  const BendOptions& bend_;
  transport::Guardian& guardian_;
  Scenario unbent_;
  Control control_;
};

}  // namespace

std::unique_ptr<Manner> make_bent_manner(const corpus::Corpus& corpus, const ClientOptions& options,
                                         const BendOptions& bend, transport::Guardian& guardian) {
  return std::make_unique<BentManner>(corpus, options, bend, guardian);
}

}  // namespace jrpcheck::client
