#include <algorithm>
#include <array>
#include <mutex>

#include "base/bytes.hpp"
#include "client/bent_trial.hpp"
#include "client/bent_values.hpp"
#include "client/look_apart.hpp"
#include "client/manner.hpp"
#include "client/trial_judge.hpp"
#include "client/wire_form.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOrder;
using corpus::Scenario;
using result::CaseResult;

// Who is slow, on a busy machine, seems to wait: only who waits longer as well is charged.
constexpr int kLongerLook = 3;

class BentManner : public Manner {
 public:
  BentManner(const corpus::Corpus& corpus, const ClientOptions& options, const BendOptions& bend,
             transport::Guardian& guardian)
      : corpus_(corpus), options_(options), bend_(bend), guardian_(guardian) {}

  ControlTrial try_control(Premises& premises) override {
    auto& control = control_for(CallOrder::in_turn);
    if (!control.was_tried) try_control_of(CallOrder::in_turn, premises);
    return {control.fault, std::move(control.traffic)};
  }

  Attempt attempt(const Scenario& scenario, Premises& premises) override {
    if (auto why = hindrance_of(scenario, premises); !why.empty()) {
      Attempt untried{blank(scenario)};
      untried.result.reason = std::move(why);
      untried.was_cut_off = is_interrupted();
      return untried;
    }
    auto trial = try_bent(scenario, usual_.answer, 1, premises);
    if (!trial) {
      Attempt failed{blank(scenario)};
      failed.result.reason = trial.error().message;
      failed.was_cut_off = is_interrupted();
      return failed;
    }
    auto result = judged(scenario, *trial);
    if (!result.findings.empty() && !trial->end.was_cut_off) {
      auto again = try_bent(scenario, usual_.answer, kLongerLook, premises);
      if (again && !again->end.was_cut_off) {
        trial = std::move(again);
        result = judged(scenario, *trial);
      }
    }
    bool was_cut_off = trial->end.was_cut_off;
    // A wrong value, of a driver, shows that its message was read.
    if (!was_cut_off && !options_.has_driver && !options_.door->pairs_replies()) {
      const auto try_again = [&](const Scenario& one) -> std::optional<CaseResult> {
        const auto again = try_bent(one, usual_.answer, kLongerLook, premises);
        was_cut_off = !again || again->end.was_cut_off;
        if (was_cut_off) return std::nullopt;
        return judged(one, *again);
      };
      result = looked_at_apart(scenario, std::move(result), try_again, corpus_.ledger);
    }
    if (!result.findings.empty()) result.reproduce = repeated(scenario);
    return {std::move(result), std::move(trial->end.traffic), was_cut_off};
  }

  Result<Look> look(const Scenario& scenario, int patience, Premises& premises) override {
    auto trial = try_bent(scenario, usual_.answer, patience, premises);
    if (!trial) return trial.error();
    const bool waits = is_left_waiting(scenario, *trial, usual_);
    auto& end = trial->end;
    Look look{trial->notes.was_played, end.was_cut_off, end.status && end.status->by_signal, waits};
    look.ends = end.status && !end.status->by_signal && usual_.ends && !trial->notes.was_on_stream;
    if (end.status) look.ending = end.status->text();
    look.printed = std::move(end.printed);
    look.standard_error = std::move(end.standard_error);
    look.told = trial->notes.told;
    look.traffic = std::move(end.traffic);
    return look;
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = {
        bend_.shown + " answers; of its " + std::to_string(usual_.answers) +
        " answers with a result number " + std::to_string(usual_.answer) + " is bent"};
    if (!usual_.ends) {
      notes.emplace_back(
          "the client does not end by itself where nothing is bent: it is not seen to wait");
    }
    if (!usual_.is_steady) {
      notes.emplace_back(
          "the client does not make the same calls each time: it is not seen whether it goes on");
    }
    return notes;
  }

 private:
  // What the client does with nothing bent, for one order of its calls.
  struct OrderControl {
    bool was_tried = false;
    std::string fault = {};  ///< why nothing can be judged; empty: something can
    std::vector<dialogue::TrafficEvent> traffic = {};  ///< where the trial shows why
    Control control = {};
  };

  OrderControl& control_for(CallOrder order) {
    return controls_.at(static_cast<std::size_t>(order));
  }

  std::string try_control_of(CallOrder order, Premises& premises) {
    auto& of_order = control_for(order);
    of_order.was_tried = true;
    of_order.fault = found_control(order, premises, of_order);
    if (order == CallOrder::in_turn) usual_ = of_order.control;
    return of_order.fault;
  }

  std::string found_control(CallOrder order, Premises& premises, OrderControl& of_order) {
    Control& control = of_order.control;
    Scenario unbent;
    unbent.order = order;
    std::array<BentTrial, 2> runs;
    for (auto& each : runs) {
      auto trial = try_bent(unbent, Bend::kNone, kLongerLook, premises);
      if (!trial) return trial.error().message;
      each = *std::move(trial);
      if (auto why = what_is_wrong(each); !why.empty()) {
        of_order.traffic = std::move(each.end.traffic);
        return why;
      }
    }
    const auto& [first, second] = runs;
    control.ends = first.end.status.has_value();
    if (control.ends != second.end.status.has_value()) {
      return "with nothing bent the client ends by itself in one run, and not in another, so that "
             "nothing can be judged; --client-timeout gives it more time";
    }
    control.answers = std::min(first.notes.answers, second.notes.answers);
    control.rounds = std::min(first.notes.rounds, second.notes.rounds);
    control.is_steady = first.notes.methods == second.notes.methods;
    control.methods = first.notes.methods;
    if (first.end.printed == second.end.printed) control.printed = first.end.printed;
    if (options_.has_driver) {
      if (auto why = pair_lines(first, control); !why.empty()) return why;
    }
    const auto usual =
        options_.has_driver ? usual_answer_with_line(control) : usual_answer(control.answers);
    control.answer = bend_.answer == 0 ? usual : bend_.answer;
    if (order != CallOrder::in_turn) return {};
    const std::string named = "--answer " + std::to_string(control.answer) + ": ";
    if (control.answer > control.answers) {
      return named + "the client is given " + std::to_string(control.answers) +
             " answers with a result";
    }
    const bool is_told = !options_.has_driver || has_line(control, control.answer);
    return is_told ? "" : named + "the driver prints no line of that call";
  }

  // Why no scenario of that order can be tried; empty: they can.
  std::string hindrance_of(const Scenario& scenario, Premises& premises) {
    if (scenario.is_of_notification || scenario.is_unanswered) {
      return "is asked of a client without an upstream alone";
    }
    const CallOrder order = scenario.order;
    if (order == CallOrder::in_turn) return {};
    const std::lock_guard lock(of_orders_);
    auto& of_order = control_for(order);
    if (!of_order.was_tried) try_control_of(order, premises);
    if (!of_order.fault.empty()) {
      return "with JRPCHECK_ORDER=" + std::string(name_of(order)) + " " + of_order.fault;
    }
    if (of_order.control.rounds > 0) return {};
    return order == CallOrder::batch
               ? "the client sends no batch of three calls that the server answers in one Array "
                 "with three results, also where JRPCHECK_ORDER is batch"
               : "the client never has three calls in flight on one connection, also where "
                 "JRPCHECK_ORDER is together";
  }

  CaseResult judged(const Scenario& scenario, const BentTrial& trial) {
    const auto& control = control_for(scenario.order).control;
    auto result = judge_bent(scenario, trial, control, corpus_.ledger);
    if (options_.has_driver) {
      judge_bent_values(scenario, trial, control, corpus_.ledger, result);
    }
    return result;
  }

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
    start.order = name_of(scenario.order);
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
    std::vector<std::string> words = {"jrpcheck", "client"};
    words.insert(words.end(), bend_.repeated.begin(), bend_.repeated.end());
    if (options_.has_driver) words.emplace_back("--driver");
    words.insert(words.end(),
                 {"--answer", std::to_string(usual_.answer), "--select", scenario.id, "--"});
    words.insert(words.end(), options_.command.begin(), options_.command.end());
    return shell_line(words);
  }

  const corpus::Corpus& corpus_;
  const ClientOptions& options_;
  const BendOptions& bend_;
  transport::Guardian& guardian_;
  std::mutex of_orders_;                  // held while the control of an order is tried
  std::array<OrderControl, 3> controls_;  // by CallOrder
  Control usual_;                         // where calls are made in turn
};

}  // namespace

std::unique_ptr<Manner> make_bent_manner(const corpus::Corpus& corpus, const ClientOptions& options,
                                         const BendOptions& bend, transport::Guardian& guardian) {
  return std::make_unique<BentManner>(corpus, options, bend, guardian);
}

}  // namespace jrpcheck::client
