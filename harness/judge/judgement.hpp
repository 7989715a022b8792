// Judgement: what the judge says about a case, as data.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "corpus/case.hpp"

namespace jrpcheck::judge {

/// One thing that is wrong, charged to one requirement.
struct Finding {
  std::string requirement;
  corpus::Verdict severity = corpus::Verdict::fail;  ///< warn or fail
  std::string message;                               ///< one sentence: what was wrong
  std::string expected;
  std::string actual;
  std::size_t step = 0;  ///< from 0
  /// Names of habits it may be due to (habit.hpp); result/habits.hpp takes those out that another
  /// case has charged.
  std::vector<std::string> habits = {};
  /// Where it is taken out: whether the case tells something all the same.
  bool rest_counts = false;
  /// What of the message it is about, in words, where whoever has it judged finds that out.
  std::string about = {};
};

/// How the server behaves where the specification leaves it open.
struct Observation {
  std::string name;
  std::string value;
};

struct Judgement {
  std::vector<Finding> findings;
  /// Requirements about which the replies told something. A requirement that is not among them has
  /// not been exercised, whatever the absence of findings suggests.
  std::set<std::string> exercised;
  std::vector<Observation> observations;
  /// Not empty: why the case could not be judged although nothing is charged to it.
  std::string unjudged;

  corpus::Verdict worst() const;
};

}  // namespace jrpcheck::judge
