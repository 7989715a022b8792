#include "fuzz/judge_company.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "judge/test_support.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::fuzz {
namespace judge_company_test {

using judge::Charges;
using Replies = std::vector<std::string>;

std::string call(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"jrpcheckX","id":)" + id + "}";
}

std::string error(const std::string& code, const std::string& id) {
  return R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"No"},"id":)" + id + "}";
}

std::string not_found(const std::string& id) { return error("-32601", id); }

const std::string kNoJson = error("-32700", "null");
const std::string kNotification = R"({"jsonrpc":"2.0","method":"jrpcheckX"})";
// Params beyond a double: any answer will do.
const std::string kOpen = R"({"jsonrpc":"2.0","method":"echo","params":[1e999],"id":5})";

dialogue::Exchange exchange_with(const Replies& replies) {
  dialogue::Exchange exchange;
  for (const auto& text : replies) exchange.replies.push_back({text, 0});
  exchange.control_answered = true;
  return exchange;
}

judge::Judgement judged(const std::string& message, const Company& company,
                        const dialogue::Exchange& exchange, Traits traits = {}) {
  traits.binding = &wire::on_sockets(*traits.binding);
  dialogue::SurvivalCheck survival;
  survival.survival = dialogue::Survival::alive;
  Suits suits;
  return judge_in_company(Oracle(judge::real_ledger(), std::move(traits)), message, company,
                          exchange, survival, suits);
}

judge::Judgement judged(const std::string& message, const Company& company, const Replies& replies,
                        Traits traits = {}) {
  return judged(message, company, exchange_with(replies), std::move(traits));
}

Charges charges_of(const std::string& message, const Company& company, const Replies& replies) {
  return judge::charges(judged(message, company, replies));
}

const Company kTwoCalls{{call("1")}, {call("3")}};
const Charges kLost{"tcp-coalesced: fail"};

TEST(JudgeInCompany, AnAnswerInAnyOrderIsRight) {
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, {not_found("1"), not_found("2"), not_found("3")}),
            Charges{});
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, {not_found("3"), not_found("2"), not_found("1")}),
            Charges{});
}

TEST(JudgeInCompany, AnAnswerThatIsMissingIsChargedToWhatLosesMessagesOfOneWrite) {
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, {not_found("1"), not_found("3")}), kLost);
  EXPECT_EQ(charges_of(call("2"), {{call("1")}, {}, Cut{1, 4}}, {not_found("1")}),
            Charges{"rob-split: fail"});
}

// Else a write of many messages is judged for minutes.
TEST(JudgeInCompany, NoReplyIsJudgedTwiceByWhatOneMessageAsks) {
  Suits suits;
  int judged = 0;
  for (int times = 0; times < 2; ++times) {
    for (const std::size_t reply : {std::size_t{0}, std::size_t{1}, Suits::kNoReply}) {
      EXPECT_EQ(suits.look_up(0, reply, [&] { return ++judged == 1; }), reply == 0);
    }
  }
  EXPECT_EQ(judged, 3);
}

TEST(JudgeInCompany, OnOtherStreamsItHasAnotherName) {
  dialogue::SurvivalCheck survival;
  const Oracle oracle(judge::real_ledger(), {});
  Suits suits;
  EXPECT_EQ(judge::charges(judge_in_company(oracle, call("2"), {{call("1")}, {}},
                                            exchange_with({not_found("1")}), survival, suits)),
            Charges{"rob-pipelined: fail"});
}

TEST(JudgeInCompany, WhatCameInItsPlaceIsItsOwn) {
  const auto judgement = judged(call("2"), kTwoCalls, {not_found("1"), kNoJson, not_found("3")});
  ASSERT_EQ(judge::charges(judgement), kLost);
  EXPECT_EQ(judgement.findings.front().symptom, judge::Symptom::wrong_code_and_null_id);
}

TEST(JudgeInCompany, WhatIsWrongWithACompanionIsNotItsFault) {
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, {not_found("2"), not_found("3")}), Charges{});
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, {not_found("2"), not_found("3"), kNoJson}), Charges{});
  EXPECT_EQ(charges_of(call("2"), kTwoCalls,
                       {not_found("1"), not_found("2"), not_found("3"), not_found("3")}),
            Charges{});
}

TEST(JudgeInCompany, OfTwoThatShareAnIdEitherMayBeTheOneThatWasAnswered) {
  EXPECT_EQ(charges_of(call("1"), {{call("1")}, {}}, {not_found("1")}), Charges{});
}

TEST(JudgeInCompany, ASecondAnswerIsChargedWhereItCanBeNobodyElses) {
  const Replies twice = {not_found("1"), not_found("2"), not_found("2"), not_found("3")};
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, twice), kLost);
  const Company with_a_notification{{call("1"), kNotification}, {call("3")}};
  EXPECT_EQ(charges_of(call("2"), with_a_notification, twice), Charges{});
}

TEST(JudgeInCompany, AnswersThatCameInOneArrayAreNobodysOwn) {
  const Replies merged = {"[" + not_found("1") + "," + not_found("2") + "," + not_found("3") + "]"};
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, merged), kLost);
  // One of another only: then its own is missing.
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, {"[" + not_found("1") + "]"}), kLost);
  EXPECT_EQ(charges_of(call("1"), {{"[" + call("1") + "]"}, {call("3")}}, merged), Charges{});
}

TEST(JudgeInCompany, WhereSomeWereRefusedAsTooManyNobodysAnswerIsMissed) {
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, {error("-32005", "null")}), Charges{});
  EXPECT_EQ(charges_of(call("2"), kTwoCalls, {"{\"jsonrpc\""}), Charges{});
}

TEST(JudgeInCompany, AnAnswerToANotificationIsItsFaultOnlyAmongCalls) {
  const Replies one_more = {not_found("1"), error("-32601", "null"), not_found("3")};
  EXPECT_EQ(charges_of(kNotification, kTwoCalls, one_more), kLost);
  const Company with_another{{call("1"), kNotification}, {call("3")}};
  EXPECT_EQ(charges_of(kNotification, with_another, one_more), Charges{});
}

TEST(JudgeInCompany, WhoIsAskedForMuchAtOnceMayRefuseSomeOfIt) {
  EXPECT_EQ(
      charges_of(call("2"), kTwoCalls, {not_found("1"), error("-32005", "2"), not_found("3")}),
      Charges{});
  const std::string batch = "[" + call("2") + "]";
  EXPECT_EQ(charges_of(batch, kTwoCalls,
                       {not_found("1"), "[" + error("-32005", "2") + "]", not_found("3")}),
            Charges{});
}

TEST(JudgeInCompany, ThatAMessageIsLostBesideABrokenOneIsAWarning) {
  EXPECT_EQ(charges_of(call("2"), {{"{\"jsonrpc\""}, {}}, {kNoJson}),
            Charges{"tcp-coalesced: warn"});
  Traits traits;
  traits.binding = &wire::known_binding("concatenated");
  EXPECT_EQ(judge::charges(judged(call("2"), {{"{\"jsonrpc\""}, {}}, {kNoJson}, traits)),
            Charges{});
}

TEST(JudgeInCompany, NothingIsToldWhereAnyAnswerWillDo) {
  EXPECT_EQ(charges_of(call("2"), {{kOpen}, {}}, {not_found("5")}), Charges{});
}

TEST(JudgeInCompany, NothingIsToldWhereALaterCallWasNotAnswered) {
  const Oracle oracle(judge::real_ledger(), {});
  auto exchange = exchange_with({not_found("1")});
  const auto charges_now = [&] {
    Suits suits;
    return judge::charges(judge_in_company(oracle, call("2"), kTwoCalls, exchange, {}, suits));
  };
  exchange.control_answered = false;
  EXPECT_EQ(charges_now(), Charges{});
  exchange.control_answered = true;
  exchange.ending = dialogue::Ending::closed;
  EXPECT_EQ(charges_now(), Charges{});
}

TEST(JudgeInCompany, AConnectionThatIsClosedIsTheFaultOfTheMessageThatIsCut) {
  auto closed = exchange_with({not_found("1")});
  closed.control_answered = false;
  closed.ending = dialogue::Ending::closed;
  const auto charges_where_cut = [&](CutInto into, std::size_t message) {
    const Company company{{call("1")}, {call("3")}, Cut{message, 4, into}};
    return judge::charges(judged(call("2"), company, closed));
  };
  EXPECT_EQ(charges_where_cut(CutInto::fragments, 1), Charges{"ws-fragments: fail"});
  EXPECT_EQ(charges_where_cut(CutInto::records, 1), Charges{"tls-records: fail"});
  EXPECT_EQ(charges_where_cut(CutInto::fragments, 2), Charges{});
  closed.replies.push_back({kNoJson, 0});
  EXPECT_EQ(charges_where_cut(CutInto::fragments, 1), Charges{"ws-fragments: fail"});
  EXPECT_EQ(judge::charges(judged(call("1"), {{}, {call("2")}, Cut{0, 4}}, closed)), Charges{});
}

TEST(JudgeInCompany, ABatchIsAnsweredByAnArrayAmongOtherMessages) {
  const std::string batch = "[" + call("2") + "," + kNotification + "]";
  EXPECT_EQ(
      charges_of(batch, kTwoCalls, {not_found("1"), "[" + not_found("2") + "]", not_found("3")}),
      Charges{});
  EXPECT_EQ(charges_of(batch, kTwoCalls, {not_found("1"), not_found("3")}), kLost);
}

}  // namespace judge_company_test
}  // namespace jrpcheck::fuzz
