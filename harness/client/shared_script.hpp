// SharedScript: what the server answers a client that takes several scenarios in one process. Of
// calls 1 to 2N + 1 every other one is the subject of a scenario, and those between have good
// answers: each belongs to the scenario before it and to the one behind it.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "client/script.hpp"

namespace jrpcheck::client {

class SharedScript : public Respondent {
 public:
  explicit SharedScript(const std::vector<const corpus::Scenario*>& scenarios);

  std::optional<Answer> take(const std::string& message, std::size_t connection) override;
  void hear(const std::string& message) override;
  void hear_control(const ControlHeard& control, std::size_t connection) override;
  std::optional<Answer> give_up_waiting(std::size_t connection) override;

  /// What has come of the scenario at that place.
  const Script& of(std::size_t place) const { return scripts_.at(place); }

  /// As in Script, of the scenario that it has come to.
  bool is_called_without_end() { return current().is_called_without_end(); }

  /// All calls that are made for so many scenarios.
  static std::size_t calls_for(std::size_t scenarios) { return 2 * scenarios + 1; }
  /// The first of the three calls that a scenario looks at.
  static std::size_t first_call(std::size_t place) { return 2 * place + 1; }

 private:
  Script& current();

  std::deque<Script> scripts_;
  std::mutex mutex_;  // guards what follows
  std::size_t at_ = 0;
};

}  // namespace jrpcheck::client
