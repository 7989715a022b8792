// Trials: a property tried on many scenarios, and the simplest one that breaks it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "fuzz/executor.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/properties/property.hpp"
#include "fuzz/properties/test_session.hpp"

namespace jrpcheck::properties {

class Search;

/// Whom the properties are tried on.
struct Server {
  using MakeExecutor = std::function<std::unique_ptr<fuzz::Executor>()>;
  MakeExecutor quick_executor;
  MakeExecutor careful_executor;  ///< on stdio each has a process of its own
  const wire::Binding& binding;
};

struct Limits {
  std::size_t tests = 100;  ///< of each property
  /// Of all tests. One that is under way then is cut off; so is it when the user interrupts.
  Deadline end = Deadline::at(Clock::time_point::max());
  /// A property is given up when so long has been waited in vain in several tests.
  microseconds waiting = std::chrono::seconds(15);
};

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

/// Called with each result as it comes.
using Told = std::function<void(const PropertyResult&)>;

class Trials {
 public:
  /// All of them must outlive it.
  Trials(const Server& server, const fuzz::Oracle& oracle, const Words& words, Limits limits,
         unsigned long long seed);

  /// Tries these one after the other; each gets its share of the time.
  std::vector<PropertyResult> run(const std::vector<const Property*>& properties,
                                  const Told& told = {});

 private:
  PropertyResult try_property(const Property& property, Deadline deadline);
  std::string obstacle_now(const std::vector<PropertyResult>& results);
  /// Whether the trials of this property go on.
  bool try_once(const Property& property, Search& search, PropertyResult& result);
  void note_protocol(const Property& property, PropertyResult& result) const;
  const Scenario& next_scenario(const Property& property, Search& search) const;
  /// `awaits_end`: a server that ends a moment after the last answer is waited for.
  Trial attempt(const Property& property, const Scenario& scenario, TestSession& session,
                bool awaits_end = false);
  std::unique_ptr<Counterexample> confirmed(const Property& property, const Scenario& scenario,
                                            const judge::Finding& like);
  void settle_silence(const TestSession& met, PropertyResult& result);
  std::unique_ptr<Counterexample> death_behind(const std::string& message);
  std::unique_ptr<Counterexample> settled_death(std::unique_ptr<Counterexample> shown,
                                                const TestSession& met);
  std::unique_ptr<Counterexample> reduced(const Property& property, Search& search,
                                          const judge::Finding& like);
  std::size_t tests_of(const Property& property) const;
  std::string obstacle(const Property& property) const;
  bool answers_anything();
  void drop_told_elsewhere(const Property& property, std::vector<judge::Finding>& findings) const;

  const Server& server_;
  const fuzz::Oracle& oracle_;
  const Words& words_;
  Limits limits_;
  unsigned long long seed_;
  Circumstances circumstances_;
  std::unique_ptr<fuzz::Executor> quick_;
  std::unique_ptr<fuzz::Executor> patient_;
  // Which property the fault of form was charged to: it shows in the replies of many, and is told
  // once.
  std::map<std::string, const Property*> malformed_;
  // The same of the server's death: what a property begins with may be what another has told of.
  const Property* death_told_by_ = nullptr;
  bool is_told_to_lose_ = false;  // answers, now and then
  std::string sent_before_;       // what the test before this one has sent last
  std::size_t tried_ = 0;         // exchanges, of all properties
  std::size_t asked_ = 0;         // the same, and those that confirm and reduce
};

}  // namespace jrpcheck::properties
