// What the trials of one property have shown.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "fuzz/properties/property.hpp"
#include "fuzz/properties/test_session.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::properties {

/// A scenario that breaks a property, reduced and confirmed.
struct Counterexample {
  judge::Finding finding;
  std::vector<Asked> record;
  std::string standard_error;
  std::size_t found_in = 0;    ///< the exchange of all trials that showed it, counted from 1
  std::size_t reduced_in = 0;  ///< exchanges that confirming and reducing it took
  bool is_at_times = false;    ///< sending the same again mostly does not show it
};

struct PropertyResult {
  const Property* property = nullptr;
  std::size_t asked = 0;                            ///< so many tests were to be made
  std::size_t tests = 0;                            ///< those that were skipped among them
  std::size_t exchanges = 0;                        ///< but for those that confirm and reduce
  std::map<std::string, std::size_t> skipped = {};  ///< how many, by the reason
  std::size_t broken = 0;                           ///< tests that broke it
  microseconds broke_after{0};  ///< how long those took: a server that hangs costs timeouts
  std::size_t unconfirmed = 0;  ///< broke it once, and not again
  /// Tests in which something was left unanswered that was answered when it was sent again.
  std::size_t left_unanswered = 0;
  std::size_t unsettled = 0;  ///< broke it once, and there was no time to try again
  std::size_t hung = 0;       ///< tests in which something was waited for in vain
  microseconds hung_for{0};
  judge::Requirements exercised = {};
  std::set<std::string> observed = {};
  std::vector<Counterexample> found = {};  ///< one for each requirement
  std::string not_tried = {};              ///< why not
  bool does_not_apply = false;             ///< that is so by the protocol on top
  std::string cut_short = {};              ///< "the time was up", or who interrupted
  bool cut_off_waiting = false;            ///< the last test, when it had waited unusually long
  bool given_up = false;                   ///< it was not gone on with, for all that waiting
  std::string lost = {};                   ///< the server is gone, and why
  microseconds duration{0};

  std::size_t shown() const;  ///< tests that were not skipped
  /// So many tests have waited in vain that nothing holds here.
  bool has_hung() const;
  /// Answers were lost, and nothing was found that loses them each time.
  bool loses_answers() const { return found.empty() && left_unanswered > 0; }
  /// Empty: it was tested enough to say that it holds where nothing broke it. Else why it was not.
  std::string gap() const;
};

}  // namespace jrpcheck::properties
