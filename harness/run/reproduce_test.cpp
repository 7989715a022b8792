#include "run/reproduce.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::run {
namespace reproduce_test {

using dialogue::Direction;
using dialogue::Event;

const std::string kFirst = R"({"id":7,"method":"initialize"})";
const std::string kReady = R"({"method":"initialized"})";

corpus::Case case_of(const std::vector<std::string>& messages) {
  corpus::Case one;
  for (const auto& message : messages) one.steps.push_back(corpus::step_sending(message));
  return one;
}

std::string line_of(const corpus::Case& one, const AnswersByHand& given = {}) {
  return pipe_line(one, wire::known_binding("lines"), {{kFirst, kReady}}, way_into("server"),
                   given);
}

Event answered(const std::string& id, std::optional<std::size_t> step = {}) {
  Event event{Direction::sent, {}, R"({"result":null,"id":)" + id + "}\n"};
  event.note = dialogue::kOwnAnswerNote;
  event.step = step;
  return event;
}

std::vector<Event> opened(std::chrono::seconds took) {
  return {{Direction::sent, {}, kFirst, "opening"},
          {Direction::received, took, "{}"},
          {Direction::sent, took, kReady, "opening"},
          answered("1")};
}

TEST(LineByHand, SendsNothingBeforeTheHandshakeIsAnswered) {
  EXPECT_EQ(line_of(case_of({"[]"})), "{ printf '" + kFirst + R"(\n'; sleep 1; printf ')" + kReady +
                                          R"(\n'; sleep 1; printf '[]\n'; sleep 1; } | server)");
}

TEST(LineByHand, SendsEachStepBehindTheAnswerToTheOneBefore) {
  auto one = case_of({"1", "2"});
  one.session = corpus::Case::Session::bare;
  EXPECT_EQ(line_of(one), R"({ printf '1\n'; sleep 1; printf '2\n'; sleep 1; } | server)");
}

TEST(LineByHand, WaitsLongerThanTheServerTookToOpen) {
  auto events = opened(std::chrono::seconds(3));
  events.back().at = std::chrono::seconds(3);
  const auto line = line_of(case_of({"[]"}), {events, {}});
  EXPECT_NE(line.find("sleep 4; printf '" + kReady), std::string::npos) << line;
}

TEST(LineByHand, AnswersWhatTheServerAskedInTheOpeningAndInAStep) {
  const auto line =
      line_of(case_of({"[]"}), {opened(std::chrono::seconds(0)), {answered("2").bytes}});
  EXPECT_NE(line.find(R"(sleep 1; printf '{"result":null,"id":1}\n[]\n'; )"
                      R"(sleep 1; printf '{"result":null,"id":2}\n'; sleep 1; })"),
            std::string::npos)
      << line;
}

TEST(LinesByHand, WaitOverHttpWhereAStepListensFirst) {
  auto one = case_of({"1", "2"});
  one.steps.back().listen_first_ms = 100;
  const auto target = transport::parse_target("http://127.0.0.1:8080/");
  ASSERT_TRUE(target);
  const auto lines = curl_lines(one, *target, {});
  EXPECT_NE(lines.find("; sleep 0.1; curl"), std::string::npos) << lines;
  EXPECT_EQ(lines.find("sleep"), lines.rfind("sleep")) << lines;
}

TEST(OwnAnswers, AreThoseOfTheStepsInASessionOfTheCaseAlone) {
  auto one = case_of({"1", "2"});
  const std::vector<Event> events = {answered("1"), answered("2", 1)};
  EXPECT_EQ(own_answers(one, events), std::nullopt) << "what was asked before is counted as well";
  EXPECT_NE(own_answers(one, {answered("1")}), std::nullopt) << "as the session was opened";
  one.session = corpus::Case::Session::own;
  EXPECT_EQ(own_answers(one, events), (std::vector<std::string>{"", answered("2").bytes}));
}

TEST(OwnAnswers, AreNoneThatCouldBeGivenAheadWhereIdsAreDrawnByLot) {
  auto one = case_of({"1"});
  one.session = corpus::Case::Session::own;
  const auto by_lot = answered(R"("5f0c6f36-2c5e-4b0e-9d0f-1d0c3f8a2b11")", 0);
  EXPECT_EQ(own_answers(one, {by_lot}), std::nullopt);
  EXPECT_FALSE(asks_under_ids_by_lot(opened(std::chrono::seconds(0))));
}

}  // namespace reproduce_test
}  // namespace jrpcheck::run
