#include "session/http_conversation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "session/http_fixture_for_testing.hpp"
#include "session/opening.hpp"

namespace jrpcheck::session {
namespace http_conversation_test {

using testing::answer_each;
using testing::answer_to;
using testing::call;
using testing::events_of;
using testing::kNotification;
using testing::ScriptedConnection;
using testing::silence;
using testing::step;
using testing::texts_of;
using testing::with_length;
using Texts = std::vector<std::string>;
using HttpConversationTest = testing::HttpTest;

Texts answers(const Texts& ids) {
  Texts texts;
  for (const auto& id : ids) texts.push_back(testing::answer(id));
  return texts;
}

TEST_F(HttpConversationTest, BodyOfTheResponseIsTheReply) {
  converse(answer_each);
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), answers({"7"}));
  EXPECT_EQ(got.replies[0].http_status, 200);
  EXPECT_EQ(got.http_status, 200);
  EXPECT_EQ(got.http_content_type, "application/json");
}

TEST_F(HttpConversationTest, ConnectionIsKeptAsLongAsTheServerKeepsIt) {
  std::atomic<int> connections{0};
  converse([&](ScriptedConnection& connection) {
    connections = connection.number();
    answer_each(connection);
  });
  for (const char* id : {"7", "8", "9"}) {
    EXPECT_EQ(texts_of(exchange(step({call(id)})).replies), answers({id}));
  }
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpConversationTest, ConnectionOfAServerThatMixesCallsUpIsUsedAgainOnlyWhereThatIsAsked) {
  std::atomic<int> connections{0};
  converse([&](ScriptedConnection& connection) {
    connections = connection.number();
    answer_each(connection);
  });
  exchange(step({call("7")}));
  peer_->note_mixed_up_calls();
  exchange(step({call("8")}));
  EXPECT_EQ(connections, 2);
  auto on_the_same = step({call("9")});
  on_the_same.same_connection = true;
  exchange(on_the_same);
  EXPECT_EQ(connections, 2);
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_EQ(connections, 3);
}

TEST_F(HttpConversationTest, ServerThatClosesAfterEachResponseIsAskedOnNewConnections) {
  std::atomic<int> requests{0};
  converse([&](ScriptedConnection& connection) {
    if (const auto request = connection.read()) {
      ++requests;
      const std::string body = answer_to(*request);
      connection.send(wire::http_response(
          200, {{"Connection", "close"}, {"Content-Length", std::to_string(body.size())}}, body));
    }
  });
  EXPECT_EQ(texts_of(exchange(step({call("7")})).replies), answers({"7"}));
  EXPECT_EQ(texts_of(exchange(step({call("8")})).replies), answers({"8"}));
  EXPECT_EQ(requests, 2);
}

TEST_F(HttpConversationTest, IdleConnectionThatIsClosedOnTheNextRequestIsReplacedByANewOne) {
  converse([](ScriptedConnection& connection) {
    if (connection.number() > 1) return answer_each(connection);
    if (const auto first = connection.read()) connection.send(with_length(answer_to(*first)));
    connection.read();  // and closes without a response
  });
  EXPECT_EQ(texts_of(exchange(step({call("7")})).replies), answers({"7"}));
  const dialogue::Exchange got = exchange(step({call("8")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), answers({"8"}));
  EXPECT_EQ(events_of(transcript_, dialogue::Direction::closed),
            Texts{"the idle connection was closed; is the server there?"});
}

TEST_F(HttpConversationTest, ClosingWithoutAResponseIsToldAndTheServerLives) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      if (request->body == "{") return;
      connection.send(with_length(answer_to(*request)));
    }
  });
  const dialogue::Exchange got = exchange(step({"{"}));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_EQ(got.detail, "the server closed the connection without a response");
  EXPECT_TRUE(got.replies.empty());
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
}

TEST_F(HttpConversationTest, ChunkedResponseIsReadWhole) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      connection.send(wire::http_response(200, {{"Transfer-Encoding", "chunked"}},
                                          wire::http_chunked(answer_to(*request), 5)));
    }
  });
  EXPECT_EQ(texts_of(exchange(step({call("7")})).replies), answers({"7"}));
  EXPECT_EQ(texts_of(exchange(step({call("8")})).replies), answers({"8"}));
}

TEST_F(HttpConversationTest, ResponseWithoutBodyIsNoReply) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      connection.send(wire::http_response(204, {}, ""));
    }
  });
  const dialogue::Exchange got = exchange(step({kNotification}, silence()));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_TRUE(got.replies.empty());
  EXPECT_EQ(got.http_status, 204);
}

TEST_F(HttpConversationTest, BlankBodyIsNoReply) {
  converse([](ScriptedConnection& connection) {
    while (connection.read()) connection.send(with_length(" \r\n"));
  });
  EXPECT_TRUE(exchange(step({kNotification}, silence())).replies.empty());
}

TEST_F(HttpConversationTest, OlderServerEndsTheBodyByClosing) {
  converse([](ScriptedConnection& connection) {
    if (const auto request = connection.read()) {
      connection.send("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" +
                      answer_to(*request));
    }
  });
  EXPECT_EQ(texts_of(exchange(step({call("7")})).replies), answers({"7"}));
  EXPECT_EQ(texts_of(exchange(step({call("8")})).replies), answers({"8"}));
}

TEST_F(HttpConversationTest, InterimResponseIsNotTheAnswer) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      connection.send("HTTP/1.1 100 Continue\r\n\r\n" + with_length(answer_to(*request)));
    }
  });
  EXPECT_EQ(texts_of(exchange(step({call("7")})).replies), answers({"7"}));
}

TEST_F(HttpConversationTest, ResponseToHeadHasNoBodyToWaitFor) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const std::string body = answer_to(*request);
      const std::string whole = with_length(body);
      connection.send(request->method == "HEAD" ? whole.substr(0, whole.size() - body.size())
                                                : whole);
    }
  });
  corpus::Step head = step({""}, silence());
  head.http.method = "HEAD";
  const dialogue::Exchange got = exchange(head);
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.http_status, 200);
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_EQ(texts_of(exchange(step({call("7")})).replies), answers({"7"}));
}

TEST_F(HttpConversationTest, ErrorStatusIsToldWithItsBody) {
  converse([](ScriptedConnection& connection) {
    while (connection.read()) connection.send(with_length("no such page", 404));
  });
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.http_status, 404);
  EXPECT_EQ(texts_of(got.replies), Texts{"no such page\n"});
}

TEST_F(HttpConversationTest, WhatIsNoHttpIsToldWithTheRuleItBreaks) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) connection.send(answer_to(*request) + "\n");
  });
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_EQ(got.detail.substr(0, 34), "the response breaks HTTP/1.1: no s");
  EXPECT_TRUE(got.replies.empty());
}

TEST_F(HttpConversationTest, AResponseThatIsTooLongForUsBreaksNoRule) {
  converse([](ScriptedConnection& connection) {
    if (connection.read()) connection.send(with_length(std::string(5U << 20, ' ')));
  });
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.detail, "more came than jrpcheck reads: the body is longer than 4194304 bytes");
  EXPECT_EQ(got.beyond_limit, "the body is longer than 4194304 bytes");
  EXPECT_TRUE(got.replies.empty());
}

TEST_F(HttpConversationTest, ResponseThatIsCutShortIsTold) {
  converse([](ScriptedConnection& connection) {
    if (const auto request = connection.read()) {
      const std::string whole = with_length(answer_to(*request));
      connection.send(whole.substr(0, whole.size() - 5));
    }
  });
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_NE(got.detail.find("closed within the body"), std::string::npos);
}

TEST_F(HttpConversationTest, SecondResponseToOneRequestIsNotTakenForTheAnswerToTheNext) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const std::string once = with_length(answer_to(*request));
      connection.send(once + once);
    }
  });
  EXPECT_EQ(texts_of(exchange(step({call("7")})).replies), answers({"7"}));
  EXPECT_EQ(texts_of(exchange(step({call("8")})).replies), answers({"8"}));
}

TEST_F(HttpConversationTest, RequestIsWrittenInPieces) {
  converse(answer_each);
  corpus::Step one = step({call("7")});
  one.write_every = 7;
  one.write_at = {1, 2};
  EXPECT_EQ(texts_of(exchange(one).replies), answers({"7"}));
}

TEST_F(HttpConversationTest, ChunkedRequestArrivesWhole) {
  converse(answer_each);
  corpus::Step one = step({call("7")});
  one.http.chunked = true;
  EXPECT_EQ(texts_of(exchange(one).replies), answers({"7"}));
}

TEST_F(HttpConversationTest, RequestCanBeAnsweredAfterItsSendingDirectionIsClosed) {
  converse(answer_each);
  corpus::Step one = step({call("7")});
  one.end_of_input = true;
  EXPECT_EQ(texts_of(exchange(one).replies), answers({"7"}));
}

TEST_F(HttpConversationTest, RefusalBeforeAllIsReadIsStillRead) {
  converse([](ScriptedConnection& connection) {
    connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n");
    connection.hang();
  });
  const dialogue::Exchange got = exchange(step({std::string(8U << 20, 'x')}));
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(got.http_status, 413);
}

TEST_F(HttpConversationTest, ConcurrentMessagesAreInFlightTogetherOnConnectionsOfTheirOwn) {
  std::mutex mutex;
  std::condition_variable all_in_flight;
  int in_flight = 0;
  converse([&](ScriptedConnection& connection) {
    const auto request = connection.read();
    if (!request) return;
    std::unique_lock lock(mutex);
    ++in_flight;
    all_in_flight.notify_all();
    all_in_flight.wait(lock, [&] { return in_flight == 3; });
    connection.send(with_length(answer_to(*request)));
  });
  corpus::Step three = step({call("7"), call("8"), call("9")});
  three.concurrently = true;
  const dialogue::Exchange got = exchange(three);
  end();
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(texts_of(got.replies), answers({"7", "8", "9"}));
}

TEST_F(HttpConversationTest, OpeningIsAnsweredBeforeTheFirstStep) {
  std::mutex mutex;
  Texts bodies;
  HttpSettings settings;
  settings.opening.messages = {call("1"), kNotification};
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          {
            const std::lock_guard lock(mutex);
            bodies.push_back(request->body);
          }
          connection.send(request->body == kNotification
                              ? wire::http_response(202, {{"Content-Length", "0"}}, "")
                          : request->body == call("1")
                              ? with_length(R"({"jsonrpc":"2.0","result":{},"id":1})")
                              : with_length(answer_to(*request)));
        }
      },
      settings);
  exchange(step({call("7")}));
  end();
  EXPECT_EQ(bodies, (Texts{call("1"), kNotification, call("7")}));
}

TEST_F(HttpConversationTest, AnErrorInAnswerToANotificationOfTheOpeningRefusesNothing) {
  const std::string error = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":-1})";
  HttpSettings settings;
  settings.opening.messages = {call("1"), kNotification};
  converse(
      [&](ScriptedConnection& connection) {
        while (const auto request = connection.read()) {
          connection.send(request->body == kNotification ? with_length(error)
                          : request->body == call("1")
                              ? with_length(R"({"jsonrpc":"2.0","result":{},"id":1})")
                              : with_length(answer_to(*request)));
        }
      },
      settings);
  EXPECT_EQ(exchange(step({call("7")})).replies.size(), 1U);
  const auto received = events_of(transcript_, dialogue::Direction::received);
  EXPECT_TRUE(std::any_of(received.begin(), received.end(), [&](const auto& each) {
    return each.ends_with(error);
  })) << "it is judged";
  end();
}

// The error of an opening that is answered with this body and status.
std::string refusal(const std::string& body, int status) {
  testing::ScriptedHttpServer script([&](ScriptedConnection& connection) {
    while (connection.read()) connection.send(with_length(body, status));
  });
  HttpSettings settings;
  settings.target = testing::target_of(script.url("/"));
  settings.opening.messages = {call("1")};
  Patience patience{std::chrono::seconds(5)};
  const auto conversation = make_http_conversation(
      transport::make_server_peer(settings.target.place()), settings, patience);
  dialogue::Transcript transcript;
  const auto opened = conversation->open(transcript);
  return opened ? "" : opened.error().message;
}

TEST(HttpOpening, AnErrorOrAFailingStatusIsARefusal) {
  const std::string refused = "the opening message " + call("1") + " was refused: ";
  const std::string error = R"({"jsonrpc":"2.0","error":{"code":-32602,"message":"No"},"id":1})";
  EXPECT_EQ(refusal(error, 200), refused + "HTTP 200 " + error);
  EXPECT_EQ(refusal("Not here", 404), refused + "HTTP 404 Not here");
  EXPECT_EQ(refusal("Who?", 401), refused + "HTTP 401 Who?\n  " + std::string(kGiveTheLogin));
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","result":{},"id":1})", 200), "");
}

TEST_F(HttpConversationTest, TranscriptShowsNoCredentials) {
  testing::ScriptedHttpServer script(answer_each);
  HttpSettings settings;
  settings.extra_fields = {{"X-Api-Key", "sesame"}};
  reach("http://user:sesame@127.0.0.1:" + std::to_string(script.port()), settings);
  ASSERT_TRUE(conversation_->open(transcript_));
  exchange(step({call("7")}));
  check();
  corpus::Step two = step({call("8"), call("9")});
  two.concurrently = true;
  exchange(two);
  const Texts sent = events_of(transcript_, dialogue::Direction::sent);
  ASSERT_EQ(sent.size(), 4U);
  for (const auto& each : sent) {
    EXPECT_EQ(each.find("sesame"), std::string::npos);
    EXPECT_EQ(each.find("dXNlcjpzZXNhbWU"), std::string::npos);
  }
  conversation_.reset();
}

}  // namespace http_conversation_test
}  // namespace jrpcheck::session
