// Event streams in answer to a POST.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>

#include "dialogue/exchanges_of.hpp"
#include "session/http_fixture_for_testing.hpp"
#include "session/http_intake.hpp"
#include "session/http_session.hpp"

namespace jrpcheck::session {
namespace http_stream_test {

using testing::ScriptedConnection;
using Texts = std::vector<std::string>;

const std::string kHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string message_event(const std::string& data) {
  return wire::http_chunk("event: message\ndata: " + data + "\n\n");
}

const std::string kAnswer = R"({"jsonrpc":"2.0","result":{},"id":7})";

corpus::Step call_seven() {
  corpus::Step step;
  step.messages.emplace_back(R"({"jsonrpc":"2.0","method":"a","id":7})");
  return step;
}

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
  serve(kHead + message_event(kAnswer) + wire::http_chunk(""), false);
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.http_status, 200);
  EXPECT_EQ(got.http_content_type, "text/event-stream");
  ASSERT_EQ(got.replies.size(), 1U);
  EXPECT_EQ(got.replies[0].text(), kAnswer);
  EXPECT_TRUE(got.replies[0].is_event);
}

TEST_F(HttpStreamTest, StreamThatStaysOpenIsLeftOnceNothingIsDue) {
  serve(kHead + message_event(kAnswer), true);
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  const auto closed = events_of(transcript_, dialogue::Direction::closed);
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].note, "the event stream was left: nothing more is due on it");
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  end();
}

TEST_F(HttpStreamTest, ServersOwnMessagesAreNoReplies) {
  const std::string note = R"({"jsonrpc":"2.0","method":"log"})";
  serve(kHead + wire::http_chunk(": hi\n\nid: 1\ndata:\n\n") + message_event(note) +
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
            connection.send(kHead + message_event(R"({"jsonrpc":"2.0","method":"ping","id":"s"})"));
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
  serve(kHead + wire::http_chunk(""), false);
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_EQ(got.detail, "the event stream ended before the Response");
}

TEST_F(HttpStreamTest, EndlessStreamWithoutTheResponseIsWaitedForOnce) {
  Patience short_patience(milliseconds(200), microseconds(1));
  short_patience.note_first_answer();
  testing::ScriptedHttpServer script([](ScriptedConnection& connection) {
    if (connection.read())
      connection.send(kHead + message_event(R"({"jsonrpc":"2.0","method":"a"})"));
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
      const std::string stream = kHead + message_event(kAnswer) + wire::http_chunk("");
      for (const char byte : stream) connection.send({&byte, 1});
    }
  });
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
}

TEST_F(HttpStreamTest, WhatIsStoredIsReadAsTheSameExchange) {
  serve(kHead + message_event("{\"a\":\n data: 1}") +
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

TEST_F(HttpStreamTest, SessionThatIsGoneIsReplacedOnce) {
  HttpSettings settings;
  settings.opening.messages = {R"({"jsonrpc":"2.0","method":"initialize","id":7})"};
  settings.habits.kept = {"Mcp-Session-Id"};
  std::atomic<int> sessions = 0;
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          const bool begins = request->body.find("initialize") != std::string::npos;
          const bool is_old = request->field("Mcp-Session-Id") == "1";
          connection.send("HTTP/1.1 " + std::string(is_old ? "404 Not Found" : "200 OK") + "\r\n" +
                          (begins ? "Mcp-Session-Id: " + std::to_string(++sessions) + "\r\n" : "") +
                          "Content-Length: " + std::to_string(kAnswer.size()) + "\r\n\r\n" +
                          kAnswer);
        }
      },
      settings);
  EXPECT_EQ(exchange(call_seven()).http_status, 200);
  EXPECT_EQ(sessions, 2);
  end();
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

const std::string kAccepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 8\r\n\r\nAccepted";

TEST_F(HttpStreamTest, StreamThatBreaksOffIsTakenUpBehindItsLastEvent) {
  std::mutex mutex;
  Texts asked_behind;
  converse([&](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      if (request->method == "POST") {
        connection.send(kHead + wire::http_chunk("id: 4-0\nretry: 1\ndata:\n\n") +
                        wire::http_chunk(""));
        continue;
      }
      {
        const std::lock_guard lock(mutex);
        asked_behind.emplace_back(request->field("Last-Event-ID").value_or(""));
      }
      connection.send(kHead + message_event(kAnswer) + wire::http_chunk(""));
    }
  });
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  ASSERT_EQ(got.replies.size(), 1U);
  EXPECT_EQ(got.replies[0].text(), kAnswer);
  end();
  EXPECT_EQ(asked_behind, Texts{"4-0"});
}

TEST_F(UnansweredHttpStream, ThatBringsNothingWhenTakenUpAgainHasLostTheResponse) {
  serve(kHead + wire::http_chunk("id: 1\nretry: 1\ndata:\n\n") + wire::http_chunk(""), false);
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
      connection.send(kHead + (is_ready ? message_event(kAnswer) : first) + wire::http_chunk(""));
    }
  });
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.replies.size(), 1U);
  EXPECT_EQ(asked, 5);
}

// HTTP with SSE, as of MCP 2024-11-05.
class EndpointStreamTest : public HttpStreamTest {
 protected:
  ~EndpointStreamTest() override { end(); }

  /// A POST is accepted, and on the stream comes what `on_stream` makes of it.
  void serve_endpoint(std::function<std::string(const wire::HttpMessage& post)> on_stream,
                      std::string accepted = kAccepted, HttpSettings settings = {}) {
    settings.has_endpoint_stream = true;
    converse(
        [=, this](ScriptedConnection& connection) {
          while (const auto request = connection.read()) {
            const std::lock_guard lock(mutex_);
            if (request->method == "GET") {
              stream_ = &connection;
              connection.send(kHead +
                              wire::http_chunk("event: endpoint\ndata: /there?session=1\n\n"));
            } else if (request->target == "/there?session=1") {
              stream_->send(on_stream(*request));
              connection.send(accepted);
            }
          }
        },
        settings);
  }

  std::mutex mutex_;
  ScriptedConnection* stream_ = nullptr;
};

std::string answered_on_stream(const wire::HttpMessage& post) {
  return message_event(testing::answer_to(post));
}

TEST_F(EndpointStreamTest, AnswersComeOnTheStreamThatAGetOpened) {
  serve_endpoint(answered_on_stream);
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  ASSERT_EQ(got.replies.size(), 1U);
  EXPECT_NE(got.replies[0].text().find("\"id\":7"), std::string::npos);
  end();
}

TEST_F(EndpointStreamTest, WhatAnAnswerOfOursIsAnsweredIsTheServersOwnAffair) {
  HttpSettings settings;
  settings.opening.answers = {{"ping", R"("result":{})"}};
  serve_endpoint(
      [](const wire::HttpMessage& post) {
        if (post.body.find("\"method\"") == std::string::npos) return std::string();
        return message_event(R"({"jsonrpc":"2.0","method":"ping","id":"s"})") +
               answered_on_stream(post);
      },
      kAccepted, settings);
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  std::size_t accepted = 0;
  for (const auto& each : events_of(transcript_, dialogue::Direction::aside)) {
    if (each.http && each.http->status == 202) {
      EXPECT_EQ(each.note, dialogue::kAcceptedNote);
      ++accepted;
    }
  }
  EXPECT_EQ(accepted, 2U);
  end();
}

TEST_F(EndpointStreamTest, WhatComesBeforeTheAnswerToTheControlCallAnswersANotification) {
  serve_endpoint(answered_on_stream);
  corpus::Step step;
  step.messages.emplace_back(R"({"jsonrpc":"2.0","method":"a"})");
  const auto got = exchange(step);
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.replies.size(), 1U);
  EXPECT_TRUE(got.control_answered);
  end();
}

TEST_F(EndpointStreamTest, StreamThatEndsInPlaceOfTheAnswerHasLostIt) {
  HttpSettings settings;
  settings.has_endpoint_stream = true;
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          const std::lock_guard lock(mutex_);
          const bool is_control = request->body.find("\"id\":7") == std::string::npos;
          if (request->method == "GET") {
            stream_ = &connection;
            connection.send(kHead + wire::http_chunk("event: endpoint\ndata: /there\n\n"));
            continue;
          }
          stream_->send(is_control ? answered_on_stream(*request) : wire::http_chunk(""));
          connection.send(kAccepted);
        }
      },
      settings);
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_TRUE(got.replies.empty());
  end();
}

// It ends behind the answer to the first call, and the second is asked on another one.
TEST_F(EndpointStreamTest, StreamThatHasEndedIsOpenedAnewBeforeTheNextCall) {
  HttpSettings settings;
  settings.has_endpoint_stream = true;
  std::atomic<int> streams = 0;
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          const std::lock_guard lock(mutex_);
          if (request->method == "GET") {
            stream_ = &connection;
            ++streams;
            connection.send(kHead + wire::http_chunk("event: endpoint\ndata: /there\n\n"));
            continue;
          }
          if (stream_ != nullptr) {
            stream_->send(answered_on_stream(*request) + wire::http_chunk(""));
            stream_ = nullptr;
          }
          connection.send(kAccepted);
        }
      },
      settings);
  for (int i = 0; i < 3; ++i) {
    const auto got = exchange(call_seven());
    EXPECT_EQ(got.ending, dialogue::Ending::settled);
    EXPECT_EQ(got.replies.size(), 1U);
  }
  EXPECT_GE(streams, 3);
  end();
}

TEST_F(EndpointStreamTest, RefusalIsTheAnswer) {
  serve_endpoint([](const auto&) { return std::string(); },
                 "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.http_status, 400);
  EXPECT_TRUE(got.replies.empty());
  end();
}

}  // namespace http_stream_test
}  // namespace jrpcheck::session
