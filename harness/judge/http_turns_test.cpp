#include "judge/rules/http_turns.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jrpcheck::judge {
namespace http_turns_test {

using dialogue::Direction;
using dialogue::Event;

Event sent(const std::string& body, std::string note = {}) {
  return {Direction::sent, {}, "POST /mcp HTTP/1.1\r\n\r\n" + body, std::move(note)};
}

Event response(std::size_t status, std::optional<std::size_t> stream = {}, std::string note = {}) {
  const std::string head = "HTTP/1.1 " + std::to_string(status) + " X\r\n\r\n";
  const auto direction = note.empty() ? Direction::received : Direction::aside;
  Event event{direction, {}, head, std::move(note)};
  event.http = dialogue::HttpHead{status, "HTTP/1.1", "", head.size()};
  event.http->stream = stream;
  return event;
}

std::vector<std::size_t> statuses(const std::vector<HttpTurn>& turns) {
  std::vector<std::size_t> all;
  for (const auto& turn : turns) all.push_back(turn.status());
  return all;
}

TEST(HttpTurns, AnAnswerOfOursIsAnsweredBeforeTheCallsThatWereSentBefore) {
  const auto answer = sent("answer", std::string(dialogue::kOwnAnswerNote));
  const auto taken = response(202, {}, std::string(dialogue::kAnswerTakenNote));
  const auto turns = turns_in(
      {sent("a"), sent("b"), response(200, 1), answer, taken, response(201, 2), answer, taken});
  EXPECT_EQ(statuses(turns), (std::vector<std::size_t>{200, 201, 202, 202}));
}

TEST(HttpTurns, AnAnswerOfOursThatNobodyTakesIsNotAnsweredByTheNextResponse) {
  const auto answer = sent("answer", std::string(dialogue::kOwnAnswerNote));
  const auto turns = turns_in({sent("a"), sent("b"), response(200, 1), answer, response(201)});
  EXPECT_EQ(statuses(turns), (std::vector<std::size_t>{200, 201, 0}));
}

TEST(HttpTurns, AStreamThatIsTakenUpAgainIsThatOfItsGet) {
  Event get{Direction::sent, {}, "GET /mcp HTTP/1.1\r\n\r\n", "the event stream is taken up again"};
  const auto turns =
      turns_in({sent("a"), sent("b"), response(200, 1), get, response(203, 2), response(201)});
  EXPECT_EQ(statuses(turns), (std::vector<std::size_t>{200, 201, 203}));
}

}  // namespace http_turns_test
}  // namespace jrpcheck::judge
