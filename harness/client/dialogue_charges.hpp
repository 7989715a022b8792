// What one dialogue has shown of a client, as it is put into the result.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/contains.hpp"
#include "client/trial_judge.hpp"
#include "corpus/client_dialogue.hpp"

namespace jrpcheck::client {

class DialogueCharges {
 public:
  DialogueCharges(const corpus::Dialogue& dialogue, const corpus::Ledger& ledger,
                  result::CaseResult& result)
      : dialogue_(dialogue), ledger_(ledger), result_(result) {}

  const corpus::Dialogue& dialogue() const { return dialogue_; }
  /// The requirement that the dialogue is about before all others.
  const std::string& subject() const { return dialogue_.requirements.front(); }
  bool is_about(std::string_view requirement) const {
    return contains(dialogue_.requirements, requirement);
  }

  void exercise(std::string_view requirement) { result_.exercised.emplace_back(requirement); }
  void exercise_subject() { exercise(subject()); }
  bool has_shown_subject() const { return contains(result_.exercised, subject()); }

  /// Why it has shown nothing, or not all.
  void leave_open(std::string reason) { result_.reason = std::move(reason); }
  bool is_left_open() const { return !result_.reason.empty(); }

  /// Only warns where that is said of the dialogue.
  void charge(std::string_view requirement, const std::string& sentence,
              const std::string& expected, const std::string& actual) {
    exercise(requirement);
    ClientFault fault{sentence, expected, actual};
    fault.only_warns = dialogue_.only_warns;
    client::charge(requirement, std::move(fault), ledger_, result_);
  }
  void charge_subject(const std::string& sentence, const std::string& expected,
                      const std::string& actual) {
    charge(subject(), sentence, expected, actual);
  }

 private:
  const corpus::Dialogue& dialogue_;
  const corpus::Ledger& ledger_;
  result::CaseResult& result_;
};

}  // namespace jrpcheck::client
