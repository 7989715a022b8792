// Trials: a property tried on many scenarios, and the simplest one that breaks it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "fuzz/executor.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/properties/property.hpp"
#include "fuzz/properties/property_result.hpp"
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
  // How often a call is asked to see that it is answered alike each time, before and after.
  static constexpr int kQuickRepeats = 2;

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
