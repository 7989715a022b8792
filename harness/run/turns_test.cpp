#include "run/turns.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jrpcheck::run {
namespace turns_test {

using dialogue::Direction;
using dialogue::Event;

constexpr auto k2_0 = corpus::Dialect::json_rpc_2_0;
const std::string kCall = R"({"jsonrpc":"2.0","method":"a","id":1})";
const std::string kAnswer = R"({"jsonrpc":"2.0","result":1,"id":1})";
const std::string kRefusal = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"x"},"id":null})";

corpus::Case sends(const std::string& message) {
  corpus::Case one;
  one.steps.emplace_back();
  one.steps.front().messages = {message};
  return one;
}

Event happened(Direction direction, const std::string& bytes) {
  return {direction, {}, bytes, {}, 0};
}

TEST(Turns, RefusalBeforeAnythingWasSentAnswersWhatWasSentEarlier) {
  EXPECT_TRUE(has_come_late(
      sends("[]"), {happened(Direction::aside, kRefusal), happened(Direction::sent, "[]")}, k2_0));
  EXPECT_FALSE(has_come_late(
      sends("[]"), {happened(Direction::sent, "[]"), happened(Direction::aside, kRefusal)}, k2_0));
}

TEST(Turns, RefusalBesideTheAnswerToACallAnswersSomethingElse) {
  const std::vector<Event> both = {happened(Direction::sent, kCall),
                                   happened(Direction::received, kRefusal),
                                   happened(Direction::received, kAnswer)};
  EXPECT_TRUE(has_come_late(sends(kCall), both, k2_0));
}

TEST(Turns, RefusalBehindAllStepsAnswersOneOfThemTooLate) {
  Event behind = happened(Direction::received, kRefusal);
  behind.step.reset();
  EXPECT_TRUE(has_come_late(sends("1"), {happened(Direction::sent, "1"), behind}, k2_0));
}

TEST(Turns, WhatAnswersTheHandshakeIsNotLate) {
  Event before = happened(Direction::received, kRefusal);
  before.step.reset();
  EXPECT_FALSE(has_come_late(sends("1"), {before, happened(Direction::sent, "1")}, k2_0));
}

TEST(Turns, RefusalAloneMayBeTheAnswerWithAWrongId) {
  EXPECT_FALSE(has_come_late(
      sends(kCall), {happened(Direction::sent, kCall), happened(Direction::received, kRefusal)},
      k2_0));
}

TEST(Turns, OneRefusalMoreThanIsDueAnswersAnEarlierMessage) {
  const Event sent = happened(Direction::sent, "1");
  const Event refused = happened(Direction::received, kRefusal);
  EXPECT_FALSE(has_come_late(sends("1"), {sent, refused}, k2_0));
  EXPECT_TRUE(has_come_late(sends("1"), {sent, refused, refused}, k2_0));
  EXPECT_FALSE(has_come_late(sends("[1,2]"), {sent, refused, refused}, k2_0))
      << "a batch that is answered element by element";
}

TEST(Turns, CallsOfSeveralCasesWithOneIdAreAnsweredOnceEach) {
  const corpus::Case call = sends(kCall);
  Turns turns;
  turns.watch();
  EXPECT_FALSE(turns.take(call, {happened(Direction::sent, kCall)}, k2_0));
  EXPECT_FALSE(turns.take(call,
                          {happened(Direction::aside, kAnswer), happened(Direction::sent, kCall),
                           happened(Direction::received, kAnswer)},
                          k2_0));
  EXPECT_TRUE(turns.take(sends("1"), {happened(Direction::aside, kRefusal)}, k2_0));
}

TEST(Turns, NothingIsLateOfAServerThatAnswersTwice) {
  const corpus::Case call = sends(kCall);
  const std::vector<Event> answered = {happened(Direction::sent, kCall),
                                       happened(Direction::received, kAnswer)};
  const corpus::Case next = sends("1");
  const std::vector<Event> refused = {happened(Direction::aside, kRefusal),
                                      happened(Direction::sent, "1")};
  Turns right;
  right.watch();
  EXPECT_FALSE(right.take(call, answered, k2_0));
  EXPECT_FALSE(right.take(call, answered, k2_0)) << "the case ran again";
  EXPECT_TRUE(right.take(next, refused, k2_0));

  Turns twice;
  twice.watch();
  EXPECT_FALSE(twice.take(call, answered, k2_0));
  EXPECT_FALSE(twice.take(next, {happened(Direction::aside, kAnswer)}, k2_0));
  EXPECT_FALSE(twice.take(next, refused, k2_0));
}

TEST(Turns, RefusalOfWhatIsNoCallIsInTime) {
  EXPECT_FALSE(
      has_come_late(sends("1"),
                    {happened(Direction::sent, "1"), happened(Direction::received, kRefusal),
                     happened(Direction::received, kAnswer)},
                    k2_0));
}

}  // namespace turns_test
}  // namespace jrpcheck::run
