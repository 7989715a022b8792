// What calls and their neighbours show of servers with habits that no mutant has.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/properties/checks.hpp"
#include "fuzz/properties/habits_for_testing.hpp"
#include "fuzz/properties/spelling.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::properties {
namespace check_neighbours_test {

using namespace habits_for_testing;

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

// What a batch of two calls brings where its elements bring this, and each alone what is right.
judge::Charges charges_of_batch(const Texts& together) {
  HabitualExecutor executor([&](const corpus::Step& step, std::size_t place) {
    const std::string& sent = step.messages[place].text();
    std::string reply;
    for (const auto& each : together) reply += (reply.empty() ? "[" : ",") + each;
    return sent.front() == '[' ? std::optional(Texts{reply + "]"}) : std::nullopt;
  });
  judge::Judgement judgement;
  judgement.findings =
      checked(&check_batch_of_calls, {.messages = {call("1"), call("2")}}, executor).findings;
  return judge::charges(judgement);
}

TEST(BatchOfCalls, AnIdThatNobodyHasSentIsChargedToTheId) {
  using judge::Charges;
  const auto answer = [](const char* id) { return error("-32601", dialogue::Message(call(id))); };
  EXPECT_EQ(charges_of_batch({answer("2"), answer("1")}), Charges());
  EXPECT_EQ(charges_of_batch({answer("1"), answer("\"2\"")}), Charges{"id-echo: fail"});
  EXPECT_EQ(charges_of_batch({answer("1"), answer("1")}), Charges{"bat-each: fail"});
  EXPECT_EQ(charges_of_batch({answer("1")}), Charges{"bat-each: fail"});
}

TEST(BatchOfCalls, AWrongIdOfACallAloneIsNoFaultOfTheBatch) {
  HabitualExecutor executor([](const corpus::Step& step, std::size_t place) {
    const bool is_alone = step.messages[place].text().front() == '{';
    const dialogue::Message other(call("\"2\""));
    return is_alone ? std::optional(Texts{error("-32601", other)}) : std::nullopt;
  });
  const auto trial = checked(&check_batch_of_calls, {.messages = {call("2")}}, executor);
  EXPECT_TRUE(trial.findings.empty());
  EXPECT_TRUE(trial.lacks_baseline);
}

TEST(CallAfterAnything, AnotherIdThanBeforeIsChargedToTheId) {
  HabitualExecutor executor(
      [&, is_after = false](const corpus::Step& step, std::size_t place) mutable {
        const std::string& sent = step.messages[place].text();
        if (sent == "7") is_after = true;
        const bool is_wrong = is_after && sent == call("1");
        return is_wrong ? std::optional(Texts{error("-32601", dialogue::Message(call("2")))})
                        : std::nullopt;
      });
  judge::Judgement judgement;
  judgement.findings =
      checked(&check_call_after_anything, {.messages = {call("1")}, .others = {"7"}}, executor)
          .findings;
  EXPECT_EQ(judge::charges(judgement), judge::Charges{"id-echo: fail"});
}

}  // namespace check_neighbours_test
}  // namespace jrpcheck::properties
