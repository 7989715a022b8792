#include "fuzz/find_in_company.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/reply_count.hpp"
#include "fuzz/finding_log.hpp"
#include "fuzz/observer_for_testing.hpp"
#include "judge/test_support.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace find_in_company_test {

using Lines = std::vector<std::string>;

std::string call(std::size_t id) {
  return R"({"jsonrpc":"2.0","method":"jrpcheckX","id":)" + std::to_string(id) + "}";
}

std::string error(const std::string& code, const std::string& id) {
  return R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"No"},"id":)" + id + "}";
}

std::string answer_to(const std::string& message) {
  const auto parsed = json::parse(message);
  if (!parsed) return error("-32700", "null");
  const json::Value* id = parsed.value->is(json::Kind::object) ? parsed.value->find("id") : nullptr;
  const bool is_call = id != nullptr && parsed.value->find("method") != nullptr;
  return is_call ? error("-32601", json::write(*id)) : error("-32600", "null");
}

Lines answers_to(const Lines& messages) {
  Lines answers;
  for (const auto& each : messages) answers.push_back(answer_to(each));
  return answers;
}

// What comes back for all that is written together.
using Reader = std::function<Lines(Lines together)>;

class ReadingExecutor : public Executor {
 public:
  explicit ReadingExecutor(Reader reader, bool answers_later_calls = true)
      : reader_(std::move(reader)), answers_later_calls_(answers_later_calls) {}

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    Lines together;
    for (const auto& each : step.messages) together.push_back(each.text());
    Observed observed;
    for (const auto& each : reader_(together)) observed.exchange.replies.push_back({each, 0});
    if (observed.exchange.replies.size() < corpus::count_replies(step).least) {
      observed.exchange.ending = dialogue::Ending::timed_out;
    }
    observed.exchange.control_answered = answers_later_calls_ || together.size() == 1;
    observed.survival.survival = dialogue::Survival::alive;
    return observed;
  }

  Reader reader_;
  bool answers_later_calls_;
};

class FindLost : public ::testing::Test {
 protected:
  // Sixteen calls are lost together: what is found, reduced.
  std::optional<Suspicion> found_with(ReadingExecutor executor) {
    Repeater repeater(oracle_, findings_, wire::default_stream_binding(), executor, executor);
    Messages together;
    for (std::size_t i = 0; i < 16; ++i) together.push_back(call(i));
    auto [found, is_slow] = find_lost(together, std::nullopt, repeater);
    is_slow_ = is_slow;
    if (found) found = reduced_in_company(*std::move(found), repeater);
    return found;
  }

  bool is_slow_ = false;

 private:
  Oracle oracle_{judge::real_ledger(), {}};
  Limits limits_;
  run::FakeEndpoint endpoint_;
  SilentObserver observer_;
  FindingLog findings_{limits_, endpoint_, observer_, 0};
};

TEST_F(FindLost, AServerThatForgetsTheNinthOfOneRead) {
  const auto found = found_with(ReadingExecutor([](Lines together) {
    together.resize(std::min<std::size_t>(together.size(), 8));
    return answers_to(together);
  }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->finding.requirement, "rob-pipelined");
  ASSERT_TRUE(found->company);
  EXPECT_EQ(found->company->ahead.size(), 8U);
  EXPECT_TRUE(found->company->behind.empty());
}

TEST_F(FindLost, AServerThatAnswersManyCallsOfOneReadWithAnArray) {
  const auto found = found_with(ReadingExecutor([](Lines together) {
    auto answers = answers_to(together);
    if (answers.size() <= 10) return answers;
    std::string array = "[" + answers.front();
    for (std::size_t i = 1; i < answers.size(); ++i) array += "," + answers[i];
    return Lines{array + "]"};
  }));
  ASSERT_TRUE(found);
  ASSERT_TRUE(found->company);
  EXPECT_EQ(found->company->ahead.size() + found->company->behind.size(), 10U);
}

TEST_F(FindLost, AServerThatAnswersInAnyOrderLosesNothing) {
  EXPECT_FALSE(found_with(ReadingExecutor([](Lines together) {
    std::ranges::reverse(together);
    return answers_to(together);
  })));
}

TEST_F(FindLost, OneThatIsLostEachTimeBehindOneThatWasLostOnce) {
  const auto found = found_with(ReadingExecutor([is_first = true](Lines together) mutable {
    const bool are_several = together.size() > 1;
    std::erase_if(together, [&](const std::string& each) {
      return are_several &&
             (each == call(7) || (each == call(3) && std::exchange(is_first, false)));
    });
    return answers_to(together);
  }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sent, call(7));
}

TEST_F(FindLost, OfASlowServerNothingIsToldAndItIsAskedOnce) {
  int times = 0;
  EXPECT_FALSE(found_with(ReadingExecutor(
      [&times](Lines together) {
        ++times;
        together.resize(std::min<std::size_t>(together.size(), 3));
        return answers_to(together);
      },
      false)));
  EXPECT_EQ(times, 1);
  EXPECT_TRUE(is_slow_);
}

TEST_F(FindLost, WhoRefusesWhatIsTooMuchLosesNothing) {
  EXPECT_FALSE(found_with(ReadingExecutor([](Lines together) {
    auto answers = answers_to(together);
    for (std::size_t i = 8; i < answers.size(); ++i) answers[i] = error("-32005", "null");
    return answers;
  })));
  EXPECT_FALSE(found_with(ReadingExecutor([](Lines together) {
    auto answers = answers_to(together);
    if (answers.size() <= 8) return answers;
    answers.resize(8);
    answers.push_back(error("-32005", "null"));
    return answers;
  })));
}

}  // namespace find_in_company_test
}  // namespace jrpcheck::fuzz
