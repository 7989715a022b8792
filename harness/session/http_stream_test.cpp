// Event streams in answer to a POST.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "dialogue/exchanges_of.hpp"
#include "session/http_fixture_for_testing.hpp"
#include "session/http_intake.hpp"
#include "session/http_session.hpp"

namespace jrpcheck::session {
namespace http_stream_test {

using testing::call_seven;
using testing::kEventStreamHead;
using testing::message_event;
using testing::ScriptedConnection;
using Texts = std::vector<std::string>;

const std::string kAnswer = R"({"jsonrpc":"2.0","result":{},"id":7})";

std::vector<dialogue::Event> events_of(const dialogue::Transcript& transcript,
                                       dialogue::Direction direction) {
  std::vector<dialogue::Event> found;
  for (const auto& each : transcript.whole()) {
    if (each.direction == direction && !each.is_control) found.push_back(each);
  }
  return found;
}

class HttpStreamTest : public testing::HttpTest {
 protected:
  using HttpTest::HttpTest;

  /// Answers each request with these bytes, and waits.
  void serve(const std::string& bytes, bool hangs, HttpSettings settings = {}) {
    converse(
        [bytes, hangs](ScriptedConnection& connection) {
          while (connection.read()) {
            connection.send(bytes);
            if (hangs) return connection.hang();
          }
        },
        std::move(settings));
  }
};

/// Of what is waited for in vain.
class UnansweredHttpStream : public HttpStreamTest {
 protected:
  UnansweredHttpStream() : HttpStreamTest(std::chrono::seconds(1)) {}
};

TEST_F(HttpStreamTest, ResponseOnAStreamIsTheReply) {
  serve(kEventStreamHead + message_event(kAnswer) + wire::http_chunk(""), false);
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.http_status, 200);
  EXPECT_EQ(got.http_content_type, "text/event-stream");
  ASSERT_EQ(got.replies.size(), 1U);
  EXPECT_EQ(got.replies[0].text(), kAnswer);
  EXPECT_TRUE(got.replies[0].is_event);
}

TEST_F(HttpStreamTest, StreamThatStaysOpenIsLeftOnceNothingIsDue) {
  serve(kEventStreamHead + message_event(kAnswer), true);
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  const auto closed = events_of(transcript_, dialogue::Direction::closed);
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].note, "the event stream was left: nothing more is due on it");
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  end();
}

TEST_F(HttpStreamTest, ServersOwnMessagesAreNoReplies) {
  const std::string note = R"({"jsonrpc":"2.0","method":"log"})";
  serve(kEventStreamHead + wire::http_chunk(": hi\n\nid: 1\ndata:\n\n") + message_event(note) +
            message_event(kAnswer) + wire::http_chunk(""),
        false);
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  const auto own = events_of(transcript_, dialogue::Direction::unasked);
  ASSERT_EQ(own.size(), 1U);
  EXPECT_EQ(dialogue::message_of(own[0]).text(), note);
  EXPECT_EQ(own[0].bytes, "event: message\ndata: " + note + "\n\n");
}

TEST_F(HttpStreamTest, ServersOwnRequestIsAnsweredOnAnotherConnection) {
  HttpSettings settings;
  settings.opening.answers = {{"ping", R"("result":{})"}};
  std::mutex mutex;
  Texts bodies;
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          {
            const std::lock_guard lock(mutex);
            bodies.push_back(request->body);
          }
          if (connection.number() == 1) {
            connection.send(kEventStreamHead +
                            message_event(R"({"jsonrpc":"2.0","method":"ping","id":"s"})"));
            connection.send(message_event(kAnswer) + wire::http_chunk(""));
          } else {
            connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
          }
        }
      },
      settings);
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  end();
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_EQ(bodies[1], R"({"jsonrpc":"2.0","result":{},"id":"s"})");
}

TEST_F(HttpStreamTest, StreamThatEndsBeforeTheResponseHasLostIt) {
  serve(kEventStreamHead + wire::http_chunk(""), false);
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_EQ(got.detail, "the event stream ended before the Response");
}

TEST_F(HttpStreamTest, EndlessStreamWithoutTheResponseIsWaitedForOnce) {
  Patience short_patience(milliseconds(200), microseconds(1));
  short_patience.note_first_answer();
  testing::ScriptedHttpServer script([](ScriptedConnection& connection) {
    if (connection.read())
      connection.send(kEventStreamHead + message_event(R"({"jsonrpc":"2.0","method":"a"})"));
    connection.hang();
  });
  HttpSettings settings;
  settings.target = testing::target_of(script.url());
  const auto conversation = make_http_conversation(
      transport::make_server_peer(settings.target.place()), settings, short_patience);
  ASSERT_TRUE(conversation->open(transcript_));
  const auto got = conversation->exchange(call_seven(), transcript_);
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_EQ(got.detail.substr(0, 34), "no Response on the event stream in");
}

TEST_F(HttpStreamTest, EachMessageIsTakenAsItComes) {
  converse([](ScriptedConnection& connection) {
    while (connection.read()) {
      const std::string stream = kEventStreamHead + message_event(kAnswer) + wire::http_chunk("");
      for (const char byte : stream) connection.send({&byte, 1});
    }
  });
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
}

// Together they are longer than any one message may be.
std::string long_comments() {
  constexpr int kComments = 60;
  const std::string comment = wire::http_chunk(":" + std::string(100'000, '.') + "\n\n");
  std::string all;
  for (int i = 0; i < kComments; ++i) all += comment;
  return all;
}

TEST_F(HttpStreamTest, ResponseIsTakenHoweverMuchCameBeforeIt) {
  serve(kEventStreamHead + long_comments() + message_event(kAnswer) + wire::http_chunk(""), false);
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled) << got.detail;
  EXPECT_EQ(got.replies.size(), 1U);
}

TEST_F(HttpStreamTest, ChunkThatIsLongerThanWeReadHasNotLostTheResponse) {
  serve(kEventStreamHead + long_comments() + "FFFFFF\r\n: begins\n\n", true);
  EXPECT_FALSE(exchange(call_seven()).beyond_limit.empty());
  end();
}

TEST_F(HttpStreamTest, WhatIsStoredIsReadAsTheSameExchange) {
  serve(kEventStreamHead + message_event("{\"a\":\n data: 1}") +
            wire::http_chunk("data: [1,\r\ndata: 2]\r\n\r\n") + wire::http_chunk(""),
        false);
  transcript_.begin_step(0);
  const auto got = exchange(call_seven());
  transcript_.add(dialogue::end_of(got));
  auto events = transcript_.events();
  for (auto& each : events) each.message.reset();
  const auto again = dialogue::exchanges_of(events);
  ASSERT_TRUE(again);
  const auto& replies = again->steps.front().replies;
  ASSERT_EQ(replies.size(), got.replies.size());
  for (std::size_t i = 0; i < replies.size(); ++i) {
    EXPECT_EQ(replies[i].text(), got.replies[i].text());
    EXPECT_TRUE(replies[i].is_event);
  }
  EXPECT_EQ(replies.back().text(), "[1,\n2]");
}

TEST_F(HttpStreamTest, SessionIsKeptAndLeft) {
  HttpSettings settings;
  settings.opening.messages = {R"({"jsonrpc":"2.0","method":"initialize","id":7})"};
  settings.habits.kept = {"Mcp-Session-Id"};
  settings.habits.after_opening = {{"MCP-Protocol-Version", "x"}};
  std::mutex mutex;
  Texts seen;
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          const std::lock_guard lock(mutex);
          seen.push_back(request->method + " " +
                         std::string(request->field("Mcp-Session-Id").value_or("-")) + " " +
                         std::string(request->field("MCP-Protocol-Version").value_or("-")));
          connection.send("HTTP/1.1 200 OK\r\nMcp-Session-Id: s1\r\nContent-Length: " +
                          std::to_string(kAnswer.size()) + "\r\n\r\n" + kAnswer);
        }
      },
      settings);
  exchange(call_seven());
  end();
  EXPECT_EQ(seen, (Texts{"POST - -", "POST s1 x", "DELETE s1 x"}));
}

// The opening asks for x, and the server grants y (MCP transports § Protocol Version Header).
TEST_F(HttpStreamTest, VersionThatWasAgreedOnIsSentFromThenOn) {
  HttpSettings settings;
  settings.opening.messages = {R"({"jsonrpc":"2.0","method":"initialize","id":7})"};
  settings.habits.kept = {"Mcp-Session-Id"};
  settings.habits.after_opening = {{"MCP-Protocol-Version", "x"}};
  settings.habits.from_message = {{"MCP-Protocol-Version", {"/result/protocolVersion"}}};
  const std::string grants = R"({"jsonrpc":"2.0","id":7,"result":{"protocolVersion":"y"}})";
  std::mutex mutex;
  Texts seen;
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          const std::lock_guard lock(mutex);
          seen.push_back(request->method + " " +
                         std::string(request->field("MCP-Protocol-Version").value_or("-")));
          connection.send("HTTP/1.1 200 OK\r\nMcp-Session-Id: s1\r\nContent-Length: " +
                          std::to_string(grants.size()) + "\r\n\r\n" + grants);
        }
      },
      settings);
  exchange(call_seven());
  end();
  EXPECT_EQ(seen, (Texts{"POST -", "POST y", "DELETE y"}));
}

// Its first session is gone as soon as it has begun.
class HttpSessionTest : public HttpStreamTest {
 protected:
  ~HttpSessionTest() override { end(); }

  void serve_sessions() {
    HttpSettings settings;
    settings.opening.messages = {R"({"jsonrpc":"2.0","method":"initialize","id":7})"};
    settings.habits.kept = {"Mcp-Session-Id"};
    converse(
        [this](ScriptedConnection& connection) {
          while (const auto request = connection.read()) {
            const bool begins = request->body.find("initialize") != std::string::npos;
            const bool is_old = request->field("Mcp-Session-Id") == "1";
            connection.send(
                "HTTP/1.1 " + std::string(is_old ? "404 Not Found" : "200 OK") + "\r\n" +
                (begins ? "Mcp-Session-Id: " + std::to_string(++sessions_) + "\r\n" : "") +
                "Content-Length: " + std::to_string(kAnswer.size()) + "\r\n\r\n" + kAnswer);
          }
        },
        settings);
  }

  std::atomic<int> sessions_ = 0;
};

TEST_F(HttpSessionTest, SessionThatIsGoneIsReplacedOnce) {
  serve_sessions();
  EXPECT_EQ(exchange(call_seven()).http_status, 200);
  EXPECT_EQ(sessions_, 2);
}

TEST_F(HttpSessionTest, SessionThatIsGoneIsReplacedWhereAStepNamesNoneOfItsOwn) {
  serve_sessions();
  corpus::Step step = call_seven();
  step.http.headers = {{"mcp-session-id", "1"}};
  EXPECT_EQ(exchange(step).http_status, 404);
  EXPECT_EQ(sessions_, 1);
  step.http.headers = {{"Accept", "*/*"}};
  EXPECT_EQ(exchange(step).http_status, 200);
  EXPECT_EQ(sessions_, 2);
}

TEST_F(HttpSessionTest, SessionThatIsGoneIsReplacedForAControlCallToo) {
  serve_sessions();
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_EQ(sessions_, 2);
}

TEST(AwaitedBy, CountsTheRequestsOfAMessage) {
  const auto replies = [](const char* text) { return awaited_by(dialogue::Message(text)).replies; };
  EXPECT_EQ(replies(R"({"method":"a","id":1})"), 1U);
  EXPECT_EQ(replies(R"({"method":"a"})"), 0U);
  EXPECT_EQ(replies(R"({"result":1,"id":1})"), 0U);
  EXPECT_EQ(replies(R"([{"method":"a","id":1},{"method":"b"},{"method":"c","id":2}])"), 2U);
  EXPECT_EQ(replies(R"([{"method":"a"}])"), 0U);
  EXPECT_EQ(replies("[]"), 1U);
  EXPECT_EQ(replies("{bad"), 1U);
}

TEST_F(HttpStreamTest, StreamThatBreaksOffIsTakenUpBehindItsLastEvent) {
  std::mutex mutex;
  Texts asked_behind;
  converse([&](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      if (request->method == "POST") {
        connection.send(kEventStreamHead + wire::http_chunk("id: 4-0\nretry: 1\ndata:\n\n") +
                        wire::http_chunk(""));
        continue;
      }
      {
        const std::lock_guard lock(mutex);
        asked_behind.emplace_back(request->field("Last-Event-ID").value_or(""));
      }
      connection.send(kEventStreamHead + message_event(kAnswer) + wire::http_chunk(""));
    }
  });
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  ASSERT_EQ(got.replies.size(), 1U);
  EXPECT_EQ(got.replies[0].text(), kAnswer);
  end();
  EXPECT_EQ(asked_behind, Texts{"4-0"});
}

class AnsweredBatch : public HttpStreamTest {
 protected:
  // Of two calls, in the only event of a stream that ends.
  void is_whole(const std::string& answer) {
    std::atomic<int> asked = 0;
    converse([&](ScriptedConnection& connection) {
      while (const auto request = connection.read()) {
        if (request->method == "GET") ++asked;
        connection.send(kEventStreamHead + wire::http_chunk("id: 1\ndata: " + answer + "\n\n") +
                        wire::http_chunk(""));
      }
    });
    corpus::Step batch;
    batch.messages.emplace_back(
        R"([{"jsonrpc":"2.0","method":"a","id":7},{"jsonrpc":"2.0","method":"a","id":8}])");
    const auto got = exchange(batch);
    end();
    EXPECT_EQ(got.ending, dialogue::Ending::settled);
    EXPECT_EQ(got.replies.size(), 1U);
    EXPECT_EQ(asked, 0) << "nothing follows";
  }
};

TEST_F(AnsweredBatch, IsNotAskedForAgainWhereAnElementIsMissing) { is_whole("[" + kAnswer + "]"); }

TEST_F(AnsweredBatch, IsNotAskedForAgainWhereItIsRefusedAsAWhole) {
  is_whole(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":null})");
}

TEST_F(AnsweredBatch, IsNotAskedForAgainWhereTheRefusalHasNoId) {
  is_whole(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"}})");
}

TEST_F(UnansweredHttpStream, RequestsWhoseAnswersAreNotTakenAreWaitedForOnceTogether) {
  HttpSettings settings;
  settings.opening.answers = {{"ping", R"("result":{})"}};
  converse(
      [](ScriptedConnection& connection) {
        if (!connection.read() || connection.number() > 1) return connection.hang();
        std::string stream = kEventStreamHead;
        for (int i = 0; i < 50; ++i) {
          stream +=
              message_event(R"({"jsonrpc":"2.0","method":"ping","id":)" + std::to_string(i) + "}");
        }
        connection.send(stream + message_event(kAnswer) + wire::http_chunk(""));
      },
      settings);
  const auto begin = Clock::now();
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  EXPECT_LT(time_since(begin), 10 * patience_.timeout());
  end();
}

TEST_F(UnansweredHttpStream, ThatBringsNothingWhenTakenUpAgainHasLostTheResponse) {
  serve(kEventStreamHead + wire::http_chunk("id: 1\nretry: 1\ndata:\n\n") + wire::http_chunk(""),
        false);
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_TRUE(got.replies.empty());
}

// A server that lets its clients poll says so by no more than that.
TEST_F(HttpStreamTest, StreamThatHasNothingYetIsAskedForAgain) {
  std::atomic<int> asked = 0;
  converse([&](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const bool is_ready = request->method == "GET" && ++asked == 5;
      const std::string first =
          request->method == "GET" ? "" : wire::http_chunk("id: 1\ndata:\n\n");
      connection.send(kEventStreamHead + (is_ready ? message_event(kAnswer) : first) +
                      wire::http_chunk(""));
    }
  });
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.replies.size(), 1U);
  EXPECT_EQ(asked, 5);
}

}  // namespace http_stream_test
}  // namespace jrpcheck::session
