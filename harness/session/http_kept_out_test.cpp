// Conversations with HTTP servers that keep out whoever calls.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "session/http_fixture_for_testing.hpp"

namespace jrpcheck::session {
namespace http_kept_out_test {

using testing::answer_to;
using testing::call;
using testing::ScriptedConnection;
using testing::step;
using testing::with_length;

class HttpKeptOutTest : public testing::HttpTest {};

// Serves the first call, and keeps out whoever comes then.
auto keeping_out_later(std::atomic<int>& calls, int status) {
  return [&calls, status](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const bool is_served = calls++ == 0;
      connection.send(is_served ? with_length(answer_to(*request))
                                : wire::http_response(status, {{"Content-Length", "3"}}, "no\n"));
    }
  };
}

TEST_F(HttpKeptOutTest, ServerThatKeepsEverybodyOutFromSomeTimeOnIsAliveAndNotJudged) {
  for (const int status : {401, 402, 403}) {
    std::atomic<int> calls{0};
    converse(keeping_out_later(calls, status));
    EXPECT_FALSE(exchange(step({call("6")})).limited) << status;
    EXPECT_TRUE(exchange(step({call("7")})).limited) << status;
    const auto survival = check();
    EXPECT_EQ(survival.survival, dialogue::Survival::alive) << status;
    EXPECT_TRUE(survival.keeps_out) << status;
    end();
  }
}

// Refuses what comes on a connection behind a text.
void bar_connection(ScriptedConnection& connection) {
  bool is_barred = false;
  while (const auto request = connection.read()) {
    connection.send(is_barred ? with_length("no", 403) : with_length(answer_to(*request)));
    is_barred = is_barred || request->body == "{";
  }
}

TEST_F(HttpKeptOutTest, ServerThatLetsInAgainOnANewConnectionIsAlive) {
  converse(bar_connection);
  exchange(step({call("6")}));
  exchange(step({"{"}));
  const auto survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::alive);
  EXPECT_TRUE(survival.keeps_out);
  EXPECT_FALSE(check().keeps_out);
}

TEST_F(HttpKeptOutTest, WhatIsToGoOnTheConnectionOfAForbiddenMessageDoes) {
  std::atomic<int> on_which{0};
  converse([&on_which](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const bool is_refused = request->body.find("\"id\":7") != std::string::npos;
      if (request->body.find("\"id\":8") != std::string::npos) on_which = connection.number();
      connection.send(is_refused ? with_length("no", 403) : with_length(answer_to(*request)));
    }
  });
  exchange(step({call("6")}));
  EXPECT_FALSE(exchange(step({call("7")})).limited);
  auto next = step({call("8")});
  next.same_connection = true;
  EXPECT_FALSE(exchange(next).on_new_connection);
  EXPECT_EQ(on_which, 1);
  end();
}

}  // namespace http_kept_out_test
}  // namespace jrpcheck::session
