// Ids that cases spell out, such as 0 or "", and so share: a Response that comes after its case
// does not tell whose it is.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "dialogue/transcript.hpp"

namespace jrpcheck::run {

/// The ids of the calls of a case, by their keys.
struct SharedIds {
  std::set<std::string> answered = {};  ///< as many Responses came as calls were made
  std::set<std::string> awaited = {};   ///< there were less
};

/// `bound` as it was sent, and what came of it.
SharedIds shared_ids(const corpus::Case& bound, const std::vector<dialogue::Event>& events);

/// Those of all cases that have run.
class IdsOfCases {
 public:
  void note(std::size_t ordinal, SharedIds ids);

  /// Those of `ordinals` that may have had `late` as a second Response. None where its id tells its
  /// case, or another case has not had all Responses with that id, so that it may be one of them.
  std::set<std::size_t> answered_in_full(const dialogue::Message& late,
                                         const std::set<std::size_t>& ordinals) const;

 private:
  std::map<std::size_t, SharedIds> ids_;
  std::set<std::string> awaited_;
};

}  // namespace jrpcheck::run
