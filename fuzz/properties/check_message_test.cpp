// What comes for a call when nothing is waited for any more, and for one of a certain length.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "fuzz/properties/checks.hpp"
#include "fuzz/properties/reference_for_testing.hpp"
#include "fuzz/properties/test_session.hpp"

namespace jrpcheck::properties {
namespace check_message_test {

// Says each answer once more when nothing is waited for.
class AnsweringLater : public fuzz::Executor {
 public:
  explicit AnsweringLater(std::unique_ptr<fuzz::Executor> executor)
      : executor_(std::move(executor)) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    auto observed = executor_->execute(step);
    if (!observed) return observed;
    if (step.listen_first_ms > 0) observed->late = std::exchange(said_, {});
    for (const auto& reply : observed->exchange.replies) said_.push_back(reply);
    return observed;
  }

  std::unique_ptr<fuzz::Executor> executor_;
  std::vector<dialogue::Message> said_;
};

TEST(AnsweredOnce, ASecondAnswerIsSeenWhenNothingIsWaitedFor) {
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Circumstances circumstances{oracle, wire::known_binding("lines"),
                                    Deadline::at(Clock::time_point::max())};
  const Scenario calls{{R"({"jsonrpc":"2.0","method":"jrpcheckX","id":1})",
                        R"({"jsonrpc":"2.0","method":"jrpcheckX","id":"a"})"}};
  const auto quick = make_reference_for_testing({}).quick_executor();
  TestSession proper(circumstances, *quick, *quick, 1);
  EXPECT_TRUE(check_answered_once(calls, proper).findings.empty());

  AnsweringLater patient(make_reference_for_testing({}).careful_executor());
  TestSession session(circumstances, *quick, patient, 1);
  const auto trial = check_answered_once(calls, session);
  ASSERT_EQ(trial.findings.size(), 1U);
  EXPECT_EQ(trial.findings.front().requirement, "res-once");
  EXPECT_EQ(trial.findings.front().step, 0U);
}

// Leaves unanswered what `is_lost` says, of a message and the answer to it.
class LosingExecutor : public fuzz::Executor {
 public:
  using IsLost = bool (*)(std::size_t sent, std::size_t reply);
  explicit LosingExecutor(IsLost is_lost)
      : executor_(make_reference_for_testing({}).careful_executor()), is_lost_(is_lost) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    auto observed = executor_->execute(step);
    if (!observed) return observed;
    auto& exchange = observed->exchange;
    const std::size_t sent = step.messages.front().text().size();
    if (!is_lost_(sent, exchange.replies.front().text().size())) return observed;
    exchange.replies.clear();
    exchange.ending = dialogue::Ending::timed_out;
    return observed;
  }

  std::unique_ptr<fuzz::Executor> executor_;
  IsLost is_lost_;
};

std::size_t charged_lengths(LosingExecutor::IsLost is_lost) {
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Circumstances circumstances{oracle, wire::known_binding("lines"),
                                    Deadline::at(Clock::time_point::max())};
  LosingExecutor executor(is_lost);
  std::size_t charged = 0;
  for (const auto& scenario : all_scenarios(Material::length, {{{"echo", "echo"}}, {}})) {
    TestSession session(circumstances, executor, executor, 1);
    const auto findings = check_lengths(scenario, session).findings;
    if (findings.empty()) continue;
    EXPECT_EQ(findings.front().requirement, "res-always");
    ++charged;
  }
  return charged;
}

TEST(Lengths, ALengthIsChargedWhereOthersAboutAsLongAreAnswered) {
  constexpr std::size_t kNone = 0;
  EXPECT_EQ(charged_lengths([](std::size_t, std::size_t) { return false; }), kNone);
  // The line feed is a byte of each line. Texts of 64 KiB may be left unanswered (RFC 8259 §9).
  EXPECT_EQ(charged_lengths([](std::size_t, std::size_t reply) { return reply % 4096 == 4095; }),
            3U);
  EXPECT_EQ(charged_lengths([](std::size_t sent, std::size_t) { return sent == 4096; }), 1U);
  EXPECT_EQ(charged_lengths([](std::size_t sent, std::size_t) { return sent > 8192; }), kNone)
      << "that is a limit";
}

// What it says beside the text is longer than what is to be reached.
class WordyExecutor : public fuzz::Executor {
 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    auto observed = executor_->execute(step);
    if (!observed) return observed;
    for (auto& reply : observed->exchange.replies) {
      dialogue::Message& message = reply;
      message = dialogue::Message(reply.text() + std::string(100'000, ' '));
    }
    return observed;
  }

  std::unique_ptr<fuzz::Executor> executor_ = make_reference_for_testing({}).careful_executor();
};

TEST(Lengths, NoneIsTriedThatTheAnswerToAShortTextExceeds) {
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Circumstances circumstances{oracle, wire::known_binding("lines"),
                                    Deadline::at(Clock::time_point::max())};
  WordyExecutor executor;
  for (const auto& scenario : all_scenarios(Material::length, {{{"echo", "echo"}}, {}})) {
    TestSession session(circumstances, executor, executor, 1);
    EXPECT_EQ(check_lengths(scenario, session).findings.size(), 0U);
  }
}

}  // namespace check_message_test
}  // namespace jrpcheck::properties
