// Charger: where rules put what they find.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/dialect.hpp"
#include "corpus/ledger.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::judge {

/// What a rule has found, before it is charged to a requirement.
struct Fault {
  Symptom symptom;
  std::string expected;
  std::string actual;
  std::string pointer = {};              ///< within the Response
  std::string particulars = {};          ///< what completes the sentence
  std::vector<std::string> habits = {};  ///< as in Finding
  bool rest_counts = false;              ///< as in Finding
};

/// Collects findings at the severity that the ledger's level demands.
class Charger {
 public:
  Charger(const corpus::Ledger& ledger, Judgement& judgement)
      : ledger_(ledger), judgement_(judgement) {}

  /// Findings from here on belong to this step, which sent that many bytes.
  void begin_step(std::size_t step, std::size_t sent_bytes) {
    step_ = step;
    sent_bytes_ = sent_bytes;
  }
  /// In which dialect the server is asked, and so by whose rules its replies are judged.
  void use(corpus::Dialect dialect) { dialect_ = dialect; }
  bool judges_1_0() const { return dialect_ == corpus::Dialect::json_rpc_1_0; }
  bool message_is_huge() const { return sent_bytes_ > kHugeBytes; }

  /// The rule was applied to something, whatever came of it.
  void exercise(std::string_view requirement) {
    judgement_.exercised.insert(in_dialect(requirement));
  }

  /// Charges at the requirement's own level: must fails, should warns; info is not charged but
  /// observed under the requirement's id, because nothing may go unseen. Beyond a hundred of one
  /// kind more are no news, and are not kept.
  void charge(std::string_view requirement, Fault fault);
  void charge_as(corpus::Verdict severity, std::string_view requirement, Fault fault);

  /// Takes back what this step has been charged with in one of these ways: it follows from
  /// something else.
  void drop(std::string_view requirement, std::initializer_list<Symptom> symptoms);

  Judgement& judgement() { return judgement_; }

 private:
  std::string_view in_dialect(std::string_view requirement) const;
  bool has_enough(corpus::Verdict severity, std::string_view requirement, const Fault& fault) const;

  static constexpr std::size_t kHugeBytes = 10'000;

  const corpus::Ledger& ledger_;
  Judgement& judgement_;
  corpus::Dialect dialect_ = corpus::Dialect::json_rpc_2_0;
  std::size_t step_ = 0;
  std::size_t sent_bytes_ = 0;
};

}  // namespace jrpcheck::judge
