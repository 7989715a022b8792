// What a rule of a protocol finds in what was said.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "judge/charger.hpp"
#include "judge/protocol.hpp"
#include "judge/rules/law.hpp"

namespace jrpcheck::judge {

/// What the rules of the corpus's profile find in these events.
inline Judgement judged_by_rules(const corpus::Corpus& corpus,
                                 const std::vector<dialogue::Event>& events) {
  const auto law = law_of(corpus);
  EXPECT_TRUE(law) << law.error().message;
  Judgement judgement;
  const corpus::Ledger none;
  Charger charger(none, judgement);
  judge_protocol(events, **law, charger);
  return judgement;
}

inline std::vector<Finding> findings_by(const std::string& rule,
                                        const std::vector<dialogue::Event>& events) {
  corpus::Corpus corpus;
  corpus.profile.name = "house";
  corpus.profile.version = "3";
  corpus.profile.rules = {{rule, "it"}};
  return judged_by_rules(corpus, events).findings;
}

inline std::size_t times_broken(const std::string& rule,
                                const std::vector<dialogue::Event>& events) {
  return findings_by(rule, events).size();
}

}  // namespace jrpcheck::judge
