// Repeater: sends a suspected message again, and says whether it shows the fault.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/carriage.hpp"
#include "fuzz/company.hpp"
#include "fuzz/executor.hpp"
#include "fuzz/finding_log.hpp"
#include "fuzz/history.hpp"
#include "fuzz/judge_company.hpp"
#include "fuzz/oracle.hpp"

namespace jrpcheck::fuzz {

/// A fault that a message seems to show.
struct Suspicion {
  std::string sent;
  judge::Finding finding;
  Observed observed;
  Messages before = {};                 ///< sent before it, without which it does not show
  std::optional<Company> company = {};  ///< the same of what left in one write with it
};

/// Requirement and shape: suspicions that share both are one fault.
using Identity = std::pair<std::string, std::string>;

class Repeater {
 public:
  /// All of them must outlive it.
  Repeater(const Oracle& oracle, const FindingLog& findings, const wire::Binding& binding,
           Executor& fast, Executor& careful)
      : oracle_(oracle), findings_(findings), binding_(binding), fast_(fast), careful_(careful) {}

  /// What is wrong with the answer to `message` when `before` has been sent before it: of several
  /// faults the one most like `like`. Where that is an end that comes later (`died_later`), it is
  /// waited for a moment. So is a second answer (`second_response`), on a connection of its own.
  /// Nothing where none is like it, or nothing could be sent.
  std::optional<Suspicion> repeat(const std::string& message, const judge::Finding* like = nullptr,
                                  const Messages& before = {}) {
    return repeat_with(awaits_second(like) ? careful_ : fast_, message, like, before);
  }
  std::optional<Suspicion> repeat_carefully(const std::string& message,
                                            const judge::Finding* like = nullptr,
                                            const Messages& before = {}) {
    return repeat_with(careful_, message, like, before);
  }

  /// The same of the answer to `message` when it leaves in one write with others, on a connection
  /// of their own. The careful executor is the one that does it.
  std::optional<Suspicion> repeat_in_company(const std::string& message, const Company& company,
                                             const judge::Finding* like);
  /// Of messages that leave in one write: those that are wrong there, each with the others as its
  /// company. They may be wrong alone as well. Nothing where the call behind all of them was not
  /// answered: who is slow has not read them yet.
  std::optional<std::vector<Suspicion>> wrong_ones_of(const Messages& together,
                                                      const std::optional<Cut>& cut);
  /// What is sent carefully next goes on a connection of its own.
  void begin_connection() { careful_.begin_connection(); }

  /// What is sent next meets a server that remembers nothing, where that can be had. The careful
  /// executor's server is its own.
  void start_anew() { fast_.start_anew(); }

  /// Counts from here on what an investigation costs.
  void begin_investigation() { exchanges_ = 0; }
  std::size_t exchanges() const { return exchanges_; }

  bool can_send(const std::string& message) const {
    return fuzz::can_send(binding_, oracle_.traits(), message);
  }
  Expectation expectation_for(const std::string& message) const {
    return expectation_of(message, oracle_.traits());
  }
  /// Whether the message has a fault of its own.
  bool is_faulty(const std::string& message) const;
  /// The company without those that may be answered in any way: plain calls stand in their place.
  Company without_open_ones(Company company) const;
  Identity identity_of(const Suspicion& suspicion) const;

 private:
  static bool awaits_second(const judge::Finding* like) {
    return like != nullptr && like->symptom == judge::Symptom::second_response;
  }
  std::optional<Suspicion> repeat_with(Executor& executor, const std::string& message,
                                       const judge::Finding* like, const Messages& before);
  std::optional<Observed> execute_together(const std::string& message, const Company& company);
  std::optional<Suspicion> wrong_in_company(const std::string& message, const Company& company,
                                            const Observed& observed, const judge::Finding* like,
                                            Suits& suits) const;
  const judge::Finding* closest(const judge::Judgement& judgement,
                                const judge::Finding* like) const;

  const Oracle& oracle_;
  const FindingLog& findings_;
  const wire::Binding& binding_;
  Executor& fast_;
  Executor& careful_;
  std::size_t exchanges_ = 0;
};

}  // namespace jrpcheck::fuzz
