// Answers on the stream that a GET has opened.
#include "session/standing_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "dialogue/id_key.hpp"
#include "session/http_fixture_for_testing.hpp"

namespace jrpcheck::session {
namespace standing_stream_test {

using testing::call_seven;
using testing::kEventStreamHead;
using testing::message_event;
using testing::ScriptedConnection;

const std::string kAccepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 8\r\n\r\nAccepted";

// HTTP with SSE, as of MCP 2024-11-05.
class EndpointStreamTest : public testing::HttpTest {
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
              connection.send(kEventStreamHead +
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

// Clients hear of messages alone (MCP 2024-11-05, HTTP with SSE); what is one under another name
// was meant for them.
TEST_F(EndpointStreamTest, EventOfAnotherTypeIsNoAnswer) {
  const auto events_before = [](const std::string& events) {
    return [=](const wire::HttpMessage& post) {
      return wire::http_chunk(events) + answered_on_stream(post);
    };
  };
  serve_endpoint(events_before("event: heartbeat\ndata: 0\n\nevent: ping\ndata: {}\n\n"));
  const auto got = exchange(call_seven());
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.replies.size(), 1U);
  const auto aside = testing::events_of(transcript_, dialogue::Direction::aside);
  EXPECT_EQ(std::count(aside.begin(), aside.end(), "event: heartbeat\ndata: 0\n\n"), 1);
  EXPECT_TRUE(testing::events_of(transcript_, dialogue::Direction::unasked).empty());
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
  for (const auto& each : transcript_.whole()) {
    const bool is_aside = each.direction == dialogue::Direction::aside;
    if (is_aside && each.http && each.http->status == 202) {
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
            connection.send(kEventStreamHead +
                            wire::http_chunk("event: endpoint\ndata: /there\n\n"));
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
            connection.send(kEventStreamHead +
                            wire::http_chunk("event: endpoint\ndata: /there\n\n"));
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

// Who comes back without the handshake is refused, and rightly.
TEST_F(EndpointStreamTest, EachStreamBeginsWithTheOpening) {
  HttpSettings settings;
  settings.has_endpoint_stream = true;
  settings.opening.messages = {testing::call("1"), testing::kNotification};
  std::vector<std::string> bodies;
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          const std::lock_guard lock(mutex_);
          if (request->method == "GET") {
            stream_ = &connection;
            connection.send(kEventStreamHead +
                            wire::http_chunk("event: endpoint\ndata: /there\n\n"));
            continue;
          }
          const bool is_control = testing::is_control(request->body);
          const bool is_seven = request->body.find("\"id\":7}") != std::string::npos;
          if (!is_control) bodies.push_back(request->body);
          if (request->body == testing::call("1")) {
            stream_->send(message_event(R"({"jsonrpc":"2.0","result":1,"id":1})"));
          }
          if (is_control || is_seven) stream_->send(answered_on_stream(*request));
          if (is_seven) stream_->send(wire::http_chunk(""));
          connection.send(kAccepted);
        }
      },
      settings);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  end();
  const std::string seven = call_seven().messages.front().text();
  const std::vector<std::string> each = {testing::call("1"), testing::kNotification, seven};
  std::vector<std::string> twice = each;
  twice.insert(twice.end(), each.begin(), each.end());
  EXPECT_EQ(bodies, twice);
}

// Of two clients, each of which has a stream, the second asks nothing.
class TwoStreamsTest : public EndpointStreamTest {
 protected:
  /// Answers go to the streams of which this is true.
  dialogue::Exchange exchange_where(std::function<bool(std::size_t stream)> gets_answers) {
    HttpSettings settings;
    settings.has_endpoint_stream = true;
    converse(
        [=, this](ScriptedConnection& connection) {
          while (const auto request = connection.read()) {
            const std::lock_guard lock(mutex_);
            if (request->method == "GET") {
              streams_.push_back(&connection);
              connection.send(kEventStreamHead +
                              wire::http_chunk("event: endpoint\ndata: /there\n\n"));
              continue;
            }
            for (std::size_t i = 0; i < streams_.size(); ++i) {
              if (gets_answers(i)) streams_[i]->send(answered_on_stream(*request));
            }
            connection.send(kAccepted);
          }
        },
        settings);
    auto step = call_seven();
    step.http.needs_endpoint = true;
    step.http.another_listens = true;
    auto got = exchange(step);
    end();
    return got;
  }

  std::size_t overheard() const {
    return static_cast<std::size_t>(
        std::ranges::count(transcript_.whole(), dialogue::kOverheardNote, &dialogue::Event::note));
  }

  std::vector<ScriptedConnection*> streams_;
};

TEST_F(TwoStreamsTest, OneThatAsksNothingHearsNothing) {
  EXPECT_EQ(exchange_where([](std::size_t stream) { return stream == 0; }).replies.size(), 1U);
  EXPECT_EQ(overheard(), 0U);
}

TEST_F(TwoStreamsTest, WhatItHearsIsNotedAndAnswersNothing) {
  EXPECT_EQ(exchange_where([](std::size_t) { return true; }).replies.size(), 1U);
  EXPECT_EQ(overheard(), 1U);
}

// A status tells nothing there of what was sent.
TEST_F(EndpointStreamTest, WhatIsAboutStatusesIsNotAsked) {
  serve_endpoint([](const auto&) { return std::string(); });
  auto step = call_seven();
  step.http.without_endpoint = true;
  EXPECT_FALSE(exchange(step).not_asked.empty());
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

TEST_F(EndpointStreamTest, ACommentOnAStreamThatIsListenedToAnswersNothing) {
  HttpSettings settings;
  settings.opening.messages = {testing::call("1")};
  settings.habits.listens = true;
  const std::string comment = ": still here\n\n";
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          const bool is_opening = request->body.find("\"id\":1}") != std::string::npos;
          const std::string answer =
              is_opening ? R"({"jsonrpc":"2.0","result":1,"id":1})" : testing::answer_to(*request);
          connection.send(request->method == "GET" ? kEventStreamHead + wire::http_chunk(comment)
                                                   : testing::with_length(answer));
        }
      },
      settings);
  EXPECT_EQ(exchange(call_seven()).replies.size(), 1U);
  std::size_t comments = 0;
  for (const auto& each : transcript_.whole()) {
    if (each.bytes != comment) continue;
    EXPECT_EQ(each.direction, dialogue::Direction::aside);
    ++comments;
  }
  EXPECT_EQ(comments, 1U);
  end();
}

// What a server has sent at once.
class SentAtOnce : public transport::ByteStream {
 public:
  explicit SentAtOnce(std::string bytes) : bytes_(std::move(bytes)) {}

  transport::Transfer transfer(std::string_view, std::string& in, Deadline) override {
    const std::string some = bytes_.substr(taken_, 1U << 16);
    taken_ += some.size();
    in += some;
    return {.received = !some.empty(), .ended = some.empty()};
  }
  void close_write() override {}

 private:
  std::string bytes_;
  std::size_t taken_ = 0;
};

TEST(StandingStream, IsLeftWhereItIsAFloodOfAnswersToAnEarlierCall) {
  constexpr std::size_t kAnswers = 100;
  std::string bytes = kEventStreamHead + wire::http_chunk("event: endpoint\ndata: /there\n\n");
  const std::string answer =
      message_event(R"({"jsonrpc":"2.0","id":7,"result":")" + std::string(200'000, 'x') + "\"}");
  for (std::size_t i = 0; i < kAnswers; ++i) bytes += answer;
  HttpConnection connection(std::make_unique<SentAtOnce>(bytes));
  connection.expect_response_to("GET");
  EarlierCalls earlier;
  for (const auto& key : dialogue::id_keys_of(call_seven().messages.front())) {
    earlier.ids.insert(key);
  }
  const EventStream::AnswerCall answer_call = nullptr;
  StandingStream stream(std::move(connection), 0, {}, answer_call, earlier, Listener::own);
  dialogue::Exchange exchange;
  dialogue::Transcript transcript;
  stream.await({.replies = 1}, Deadline::in(std::chrono::seconds(20)), {exchange, transcript});
  EXPECT_FALSE(exchange.beyond_limit.empty());
  EXPECT_LT(earlier.late.size(), kAnswers);
  EXPECT_FALSE(stream.is_open());
}

}  // namespace standing_stream_test
}  // namespace jrpcheck::session
