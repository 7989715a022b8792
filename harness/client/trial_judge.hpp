// What is made of trials: their results as cases of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/trial.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

/// Judges one trial.
result::CaseResult judge_trial(const corpus::Scenario& scenario, const Trial& trial,
                               bool has_driver, const corpus::Ledger& ledger);

/// A call of the client as it was seen to end.
struct SeenCall {
  std::size_t number = 0;
  corpus::CallOutcome outcome = corpus::CallOutcome::waits;
  std::string shown = {};  ///< for people
  std::string line = {};   ///< that a driver printed of it
  /// What it is charged to where it is not accepted; empty: the first of the scenario's.
  std::string_view requirement = {};
};

/// Charges what the scenario does not accept of the subject, and then of the other calls.
void judge_calls(const corpus::Scenario& scenario, const SeenCall& subject,
                 const std::vector<SeenCall>& others, bool has_driver, const corpus::Ledger& ledger,
                 result::CaseResult& result);

/// The result of a scenario of which nothing is known yet.
result::CaseResult blank(const corpus::Scenario& scenario);

/// "Call 2 is left waiting."
std::string sentence_of(corpus::CallOutcome outcome, std::size_t number);

/// How much a breach of the requirement weighs.
corpus::Verdict severity_of(std::string_view requirement, bool only_warns,
                            const corpus::Ledger& ledger);

/// What a client is charged with.
struct ClientFault {
  std::string sentence;
  std::string expected;
  std::string actual;
  judge::Symptom symptom = judge::Symptom::outcome_of_case;
  bool only_warns = false;  ///< though the requirement is a must
};
void charge(std::string_view requirement, ClientFault fault, const corpus::Ledger& ledger,
            result::CaseResult& result);

/// What a scenario asks of a client beside its calls: that it answers a call of the server, whose
/// method nobody has told it of. Nothing: it does not.
void judge_answer_to_call(const corpus::Scenario& scenario,
                          const std::optional<std::string>& answer, const corpus::Ledger& ledger,
                          result::CaseResult& result);

/// What a client was told, what came of it, its last words and how it ended.
std::vector<dialogue::Event> transcript_of(const std::vector<std::string>& told,
                                           const std::string& shown,
                                           const std::string& standard_error,
                                           const std::string& ending);
/// Likewise where a scenario says how much of that went out, and how the connection ended then.
std::vector<dialogue::Event> transcript_of(const corpus::Scenario& scenario,
                                           std::vector<std::string> told, const std::string& shown,
                                           const std::string& standard_error,
                                           const std::string& ending);

/// "; standard error ends with: ..."; empty where there is nothing.
std::string last_words_of(const std::string& standard_error);

/// "; what it has sent begins with: ..."; empty where it has sent nothing.
std::string first_words_of(const std::vector<dialogue::TrafficEvent>& traffic);

/// Which call has not had its result where all answers were good; empty: each has.
std::string why_control_fails(const Trial& trial);

}  // namespace jrpcheck::client
