// What calls and their neighbours show of servers with habits that no mutant has.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "corpus/reply_count.hpp"
#include "fuzz/properties/checks.hpp"
#include "fuzz/properties/reference_for_testing.hpp"
#include "fuzz/properties/spelling.hpp"
#include "fuzz/properties/test_session.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::properties {
namespace check_neighbours_test {

using Texts = std::vector<std::string>;

std::string call(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"jrpcheckX","id":)" + id + "}";
}

std::string error(const std::string& code, const dialogue::Message& answered) {
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

Trial checked(Check check, const Scenario& scenario, HabitualExecutor& executor) {
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Circumstances circumstances{oracle, wire::known_binding("lines"),
                                    Deadline::at(Clock::time_point::max())};
  TestSession session(circumstances, executor, executor, 3);
  return check(scenario, session);
}

TEST(OneWrite, OfWhoseCallsSomeAreRefusedAsTooManyShowsNothing) {
  const auto refused_with = [](const std::string& code) {
    HabitualExecutor executor([&](const corpus::Step& step, std::size_t place) {
      return place > 0 ? std::optional(Texts{error(code, step.messages[place])}) : std::nullopt;
    });
    return checked(&check_one_write, {.messages = {call("1"), call("2"), call("3")}}, executor);
  };
  EXPECT_EQ(refused_with("-32601").findings.size(), 0U);
  const auto too_many = refused_with("-32005");
  EXPECT_TRUE(too_many.findings.empty());
  EXPECT_NE(too_many.skipped, "");
  EXPECT_EQ(refused_with("-32700").findings.size(), 1U) << "that says something else";
}

// What is charged where the very next call, in one write with another message, brings this.
judge::Charges charges_behind(const std::string& other,
                              const std::function<Texts(const dialogue::Message&)>& next) {
  HabitualExecutor executor([&](const corpus::Step& step, std::size_t place) {
    const bool is_next = place > 0 && step.messages[place - 1].text() == other;
    return is_next ? std::optional(next(step.messages[place])) : std::nullopt;
  });
  judge::Judgement judgement;
  judgement.findings =
      checked(&check_call_after_anything, {.messages = {call("1")}, .others = {other}}, executor)
          .findings;
  return judge::charges(judgement);
}

TEST(CallAfterAnything, IsNotAnsweredTwiceNorByAnIdThatNobodyHasSent) {
  using judge::Charges;
  const auto right = [](const dialogue::Message& one) { return error("-32601", one); };
  const std::string strange =
      R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":"xjrpcheck-next"})";
  for (const char* other : {R"({"jsonrpc":"2.0","method":"jrpcheckX"})", "[1", "7"}) {
    const auto once = charges_behind(other, [&](const auto& one) { return Texts{right(one)}; });
    EXPECT_EQ(once, Charges()) << other;
    const auto nothing = charges_behind(other, [](const auto&) { return Texts{}; });
    EXPECT_EQ(nothing, Charges()) << "it may still come";
    const auto twice = charges_behind(other, [&](const auto& one) {
      return Texts{right(one), right(one)};
    });
    EXPECT_EQ(twice, Charges{"res-once: fail"}) << other;
    const auto by_strange_id = charges_behind(other, [&](const auto&) { return Texts{strange}; });
    EXPECT_EQ(by_strange_id, Charges{"id-echo: fail"}) << other;
  }
}

TEST(CallAfterAnything, IsSentDirectlyBehindIt) {
  const std::string other = call("0");
  HabitualExecutor silent([&](const corpus::Step& step, std::size_t place) {
    return step.messages[place].text() == other ? std::optional(Texts{}) : std::nullopt;
  });
  const Scenario scenario{.messages = {call("1")}, .others = {other}};
  EXPECT_TRUE(checked(&check_call_after_anything, scenario, silent).findings.empty());
  EXPECT_TRUE(silent.was_sent(other));
  EXPECT_FALSE(silent.was_sent(with_usual_ids(other).value()));
}

}  // namespace check_neighbours_test
}  // namespace jrpcheck::properties
