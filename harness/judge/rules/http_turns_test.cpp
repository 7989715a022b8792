#include "judge/rules/http_turns.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "judge/rules/rule_for_testing.hpp"

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

// An idle connection may be closed at any time (RFC 9112 §9.5).
TEST(HttpTurns, AControlCallIsNotAnsweredInPlaceOfTheMessageThatALostConnectionHasTaken) {
  auto control = sent("control", "control call");
  auto of_control = response(201);
  control.is_control = of_control.is_control = true;
  const Event closed{Direction::closed, {}, "", "the idle connection was closed"};
  EXPECT_EQ(statuses(turns_in({sent("a"), closed, control, of_control, sent("a"), response(200)})),
            (std::vector<std::size_t>{200, 201, 0}));
  EXPECT_EQ(statuses(turns_in({sent("a"), of_control})), (std::vector<std::size_t>{0}));
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

// A block on a stream that was opened before.
Event said(const std::string& id, const std::string& message) {
  Event event{Direction::unasked, {}, "id: " + id + "\ndata: " + message + "\n\n"};
  event.http = dialogue::HttpHead{200, "HTTP/1.1", "text/event-stream"};
  event.http->stream = 0;
  return event;
}

// Sent in that session, and answered by a stream.
std::vector<Event> call_in(const std::string& session, std::size_t stream, const std::string& id) {
  Event call{Direction::sent, {}, "POST / HTTP/1.1\r\nMcp-Session-Id: " + session + "\r\n\r\n{}"};
  Event block = said(id, "{}");
  block.direction = Direction::received;
  block.http->stream = stream;
  return {call, response(200, stream), block};
}

constexpr const char* kNote = R"({"jsonrpc":"2.0","method":"note"})";

TEST(HttpTurns, AStreamThatWasThereBeforeIsThatOfAGet) {
  const auto turns = turns_in({said("1", kNote), sent("a"), response(200), said("2", kNote)});
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].method(), "GET");
  EXPECT_TRUE(turns[0].is_standing_stream());
  EXPECT_EQ(turns[0].blocks.size(), 2U);
  EXPECT_EQ(turns[1].status(), 200U);
}

TEST(HttpTurns, AResponseOnAStreamThatWasThereBeforeIsCharged) {
  const std::string rule = "http-get-carries-no-response";
  EXPECT_EQ(times_broken(rule, {said("1", R"({"jsonrpc":"2.0","result":{},"id":1})")}), 1U);
  EXPECT_EQ(times_broken(rule, {said("1", kNote)}), 0U);
}

TEST(HttpTurns, IdsOfEventsAreUniqueInASession) {
  const std::string rule = "event-ids-unique";
  EXPECT_EQ(times_broken(rule, {said("7", kNote), said("7", kNote)}), 1U);
  auto events = call_in("a", 1, "7");
  events.push_back(said("7", kNote));
  EXPECT_EQ(times_broken(rule, events), 1U);
  // In another session they begin anew.
  auto both = call_in("a", 1, "7");
  for (const auto& each : call_in("b", 2, "7")) both.push_back(each);
  EXPECT_EQ(times_broken(rule, both), 0U);
}

// It ends in an event with this message, and so does the stream that takes it up again, at once.
std::vector<Event> taken_up_in_vain(const std::string& message) {
  const auto on = [](Event event, std::size_t stream) {
    event.http->stream = stream;
    return event;
  };
  Event block = on(said("7", message), 1);
  block.direction = Direction::received;
  Event end{Direction::closed, {}, {}, "the server ended the event stream"};
  end.http = block.http;
  const Event again{Direction::sent, {}, "GET / HTTP/1.1\r\nLast-Event-ID: 7\r\n\r\n"};
  return {sent("[]"), response(200, 1), block, end, again, response(200, 2), on(end, 2)};
}

TEST(HttpTurns, NothingFollowsTheArrayThatAnswersABatch) {
  const std::string rule = "resumed-stream-goes-on";
  EXPECT_EQ(times_broken(rule, taken_up_in_vain(kNote)), 1U);
  EXPECT_EQ(times_broken(rule, taken_up_in_vain(R"([{"jsonrpc":"2.0","result":1,"id":1}])")), 0U);
}

// It ends behind an event with this message, and answers a Request.
std::vector<Event> ended_behind(const std::string& message) {
  auto events = taken_up_in_vain(message);
  events.resize(4);
  events.front() = sent(R"({"jsonrpc":"2.0","method":"a","id":1})");
  return events;
}

TEST(HttpTurns, AMalformedResponseIsNotMissing) {
  const std::string rule = "stream-has-the-response";
  EXPECT_EQ(times_broken(rule, ended_behind(kNote)), 1U);
  EXPECT_EQ(times_broken(rule, ended_behind(R"({"jsonrpc":"2.0","results":1,"id":1})")), 0U);
  EXPECT_EQ(times_broken(rule, ended_behind(R"({"jsonrpc":"2.0","method":"a","id":1})")), 1U);
}

TEST(HttpTurns, AStreamIsPrimedByItsFirstEvent) {
  const auto primed = [](const std::vector<std::string>& blocks) {
    std::vector<Event> events = {
        {Direction::sent, {}, "POST / HTTP/1.1\r\nMCP-Protocol-Version: 3\r\n\r\n{}"},
        response(200, 0)};
    for (const auto& block : blocks) {
      events.push_back(said("", ""));
      events.back().direction = Direction::received;
      events.back().bytes = block + "\n\n";
    }
    return times_broken("stream-is-primed", events) == 0;
  };
  EXPECT_TRUE(primed({"id: 1\ndata:", "id: 2\ndata: {}"}));
  EXPECT_TRUE(primed({": connected", "retry: 2000", "id: 1\ndata:", "id: 2\ndata: {}"}));
  EXPECT_FALSE(primed({": connected", "id: 2\ndata: {}"}));
  EXPECT_FALSE(primed({"data: {}", "id: 2\ndata: {}"}));
}

}  // namespace http_turns_test
}  // namespace jrpcheck::judge
