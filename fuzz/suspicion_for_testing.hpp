// For tests: what a campaign has around a suspicion.
#pragma once

#include <string>
#include <vector>

#include "base/interruption.hpp"
#include "fuzz/investigator.hpp"
#include "fuzz/observer_for_testing.hpp"
#include "judge/test_support.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::fuzz {

using Replies = std::vector<std::string>;

inline const std::string kCall = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7})";
inline const std::string kRight =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":7})";
inline const std::string kWrong =
    R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not found"},"id":7})";

inline Observed death() {
  Observed observed;
  observed.exchange = judge::ended(dialogue::Ending::exited, "killed by signal 6");
  observed.survival = {dialogue::Survival::dead, "killed by signal 6", ""};
  return observed;
}

// That the call was answered wrongly.
class OneSuspicion {
 public:
  explicit OneSuspicion(Executor& executor)
      : repeater_(oracle_, findings_, wire::default_stream_binding(), executor, executor) {
    limits_.interrupted = &is_interrupted;
  }

  judge::Judgement judgement_of(const Replies& replies) const {
    return oracle_.judge_replies(kCall, replies);
  }
  Suspicion suspicion(const std::string& reply = kWrong) const {
    return {kCall, judgement_of({reply}).findings.at(0), {}};
  }
  Suspicion suspicion_of_silence() const { return {kCall, judgement_of({}).findings.at(0), {}}; }
  Suspicion suspicion_of_wedge() const {
    Suspicion wedge = suspicion_of_silence();
    wedge.finding.requirement = "rob-survives";
    wedge.finding.symptom = judge::Symptom::serves_no_connection;
    return wedge;
  }
  Suspicion suspicion_of_death() const {
    const Observed observed = death();
    return {kCall,
            oracle_.judge_exchange(kCall, observed.exchange, observed.survival).findings.at(0),
            observed};
  }
  Repeater& repeater() { return repeater_; }

  Investigator investigator() { return {repeater_, oracle_, limits_, findings_}; }
  const std::vector<Finding>& findings() const { return findings_.all(); }

 private:
  Oracle oracle_{judge::real_ledger(), {}};
  Limits limits_;
  run::FakeEndpoint endpoint_;
  SilentObserver observer_;
  FindingLog findings_{limits_, endpoint_, observer_, 0};
  Repeater repeater_;
};

}  // namespace jrpcheck::fuzz
