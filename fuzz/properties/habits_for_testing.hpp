// A server with a habit that no mutant has, and a check made on it.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "corpus/reply_count.hpp"
#include "fuzz/properties/property.hpp"
#include "fuzz/properties/reference_for_testing.hpp"
#include "fuzz/properties/test_session.hpp"

namespace jrpcheck::properties::habits_for_testing {

using Texts = std::vector<std::string>;

inline std::string call(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"jrpcheckX","id":)" + id + "}";
}

inline std::string error(const std::string& code, const dialogue::Message& answered) {
  return R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"No"},"id":)" +
         json::write(*answered.find("id")) + "}";
}

// What comes for the message in this place of a step, where that is not what the reference answers.
using Habit = std::function<std::optional<Texts>(const corpus::Step&, std::size_t place)>;

class HabitualExecutor : public fuzz::Executor {
 public:
  explicit HabitualExecutor(Habit habit)
      : executor_(make_reference_for_testing({}).careful_executor()), habit_(std::move(habit)) {}

  bool was_sent(const std::string& message) const { return std::ranges::count(sent_, message) > 0; }

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    fuzz::Observed all;
    all.survival.survival = dialogue::Survival::alive;
    for (std::size_t i = 0; i < step.messages.size(); ++i) {
      sent_.push_back(step.messages[i].text());
      corpus::Step one;
      one.messages = {step.messages[i]};
      auto observed = executor_->execute(one);
      if (!observed) return observed;
      if (const auto others = habit_(step, i)) {
        for (const auto& each : *others) all.exchange.replies.push_back({each, 0});
      } else {
        for (auto& reply : observed->exchange.replies) all.exchange.replies.push_back(reply);
      }
    }
    // Nobody waits for more.
    auto& replies = all.exchange.replies;
    replies.resize(std::min(replies.size(), corpus::count_replies(step).most));
    return all;
  }

  std::unique_ptr<fuzz::Executor> executor_;
  Habit habit_;
  Texts sent_;
};

using Check = Trial (*)(const Scenario&, TestSession&);

inline Trial checked(Check check, const Scenario& scenario, HabitualExecutor& executor) {
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Circumstances circumstances{oracle, wire::known_binding("lines"),
                                    Deadline::at(Clock::time_point::max())};
  TestSession session(circumstances, executor, executor, 3);
  return check(scenario, session);
}

}  // namespace jrpcheck::properties::habits_for_testing
