// Conversations with HTTP servers that stop serving.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <mutex>
#include <string>

#include "session/http_fixture_for_testing.hpp"

namespace jrpcheck::session {
namespace http_survival_test {

using testing::answer_each;
using testing::answer_to;
using testing::call;
using testing::ScriptedConnection;
using testing::step;
using testing::with_length;

class HttpSurvivalTest : public testing::HttpTest {
 protected:
  HttpSurvivalTest() : HttpTest(milliseconds(150)) {}
};

TEST_F(HttpSurvivalTest, ServerThatAnswersTheControlCallIsAlive) {
  converse(answer_each);
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_TRUE(conversation_->usable());
}

TEST_F(HttpSurvivalTest, ServerThatAnswersTheControlCallInAnArrayIsAlive) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      connection.send(with_length("[" + answer_to(*request) + "]"));
    }
  });
  exchange(step({call("7")}));
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
}

// As patient as it takes to read such answers.
class HttpRoomTest : public testing::HttpTest {};

TEST_F(HttpRoomTest, ServerOfWhichACaseHasNoRoomForMoreIsAlive) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      connection.send(with_length(answer_to(*request) + std::string(3U << 20, ' ')));
    }
  });
  bool is_full = false;
  for (int i = 0; i < 10 && !is_full; ++i) {
    is_full = !exchange(step({call("7")})).beyond_limit.empty();
  }
  EXPECT_TRUE(is_full);
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
}

TEST_F(HttpSurvivalTest, ControlCallThatAloneIsLeftOutIsTold) {
  converse([](ScriptedConnection& connection) {
    for (int served = 0; const auto request = connection.read(); ++served) {
      const bool is_left_out = connection.number() == 1 && served == 1;
      connection.send(is_left_out ? wire::http_response(204, {}, "")
                                  : with_length(answer_to(*request)));
    }
  });
  exchange(step({call("7")}));
  const auto left_out = check();
  EXPECT_EQ(left_out.survival, dialogue::Survival::deaf);
  EXPECT_TRUE(left_out.answers_next);
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
}

TEST_F(HttpSurvivalTest, AnswerToTheControlCallThatNobodyCanReadShowsThatTheServerServes) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      connection.send(with_length("/**/" + answer_to(*request)));
    }
  });
  exchange(step({call("7")}));
  const auto found = check();
  EXPECT_EQ(found.survival, dialogue::Survival::alive);
  EXPECT_EQ(found.answer.substr(0, 4), "/**/");
}

TEST_F(HttpSurvivalTest, TextThatNamesNoCallIsNoAnswerToTheControlCall) {
  converse([](ScriptedConnection& connection) {
    for (int served = 0; const auto request = connection.read(); ++served) {
      const bool is_lost = connection.number() == 1 && served == 1;
      connection.send(with_length(is_lost ? R"({"error":"busy", )" : answer_to(*request)));
    }
  });
  exchange(step({call("7")}));
  EXPECT_EQ(check().survival, dialogue::Survival::deaf);
}

TEST_F(HttpSurvivalTest, SecondResponseToTheCallBeforeIsNoAnswerToTheControlCall) {
  converse([](ScriptedConnection& connection) {
    for (std::string before; const auto request = connection.read();) {
      const std::string again = connection.number() == 1 ? before : "";
      before = with_length(answer_to(*request));
      connection.send(again + before);
    }
  });
  exchange(step({call("7")}));
  const auto survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::alive);
  EXPECT_EQ(survival.answer.find(R"("id":7)"), std::string::npos);
  EXPECT_EQ(conversation_->take_late_answers().size(), 1U);
}

TEST_F(HttpSurvivalTest, ServerThatClosesTheConnectionAndServesANewOneIsAlive) {
  converse([](ScriptedConnection& connection) {
    if (const auto request = connection.read()) connection.send(with_length(answer_to(*request)));
  });
  exchange(step({call("7")}));
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
}

TEST_F(HttpSurvivalTest, RequestThatIsNeverAnsweredIsTimedOutAndTheServerAliveOnANewConnection) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      if (request->body == "hang") return connection.hang();
      connection.send(with_length(answer_to(*request)));
    }
  });
  const dialogue::Exchange got = exchange(step({"hang"}));
  EXPECT_EQ(got.ending, dialogue::Ending::timed_out);
  EXPECT_EQ(got.detail.substr(0, 20), "no HTTP response in ");
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
  EXPECT_TRUE(conversation_->usable());
}

TEST_F(HttpSurvivalTest, ResponseThatIsThereWhenTheControlCallIsAnsweredWasHeldUp) {
  std::latch control_has_come(1);
  std::latch is_answered(1);
  converse([&](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const bool is_slow = request->body == "slow";
      const bool is_behind_it = connection.number() == 2 && !control_has_come.try_wait();
      if (is_slow) control_has_come.wait();
      if (is_behind_it) control_has_come.count_down();
      if (is_behind_it) is_answered.wait();
      connection.send(with_length(answer_to(*request)));
      if (is_slow) is_answered.count_down();
    }
  });
  EXPECT_EQ(exchange(step({"slow"})).ending, dialogue::Ending::timed_out);
  EXPECT_TRUE(check().answered_meanwhile);
  EXPECT_FALSE(check().answered_meanwhile);
  end();
}

// Refuses with that status what contains the text.
auto refusing(const std::string& text, int status) {
  return [=](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const bool is_refused = request->body.find(text) != std::string::npos;
      connection.send(is_refused ? wire::http_response(
                                       status, {{"Retry-After", "0"}, {"Content-Length", "0"}}, "")
                                 : with_length(answer_to(*request)));
    }
  };
}

TEST_F(HttpSurvivalTest, ServerThatRefusesEveryCallForTheirNumberIsAliveAndNotJudged) {
  for (const int status : {429, 503}) {
    converse(refusing("", status));
    EXPECT_TRUE(exchange(step({call("7")})).limited) << status;
    EXPECT_EQ(check().survival, dialogue::Survival::alive) << status;
    end();
  }
}

TEST_F(HttpSurvivalTest, UnavailableForOneMessageAloneIsItsAnswer) {
  converse(refusing("\"id\":7", 503));
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.http_status, 503);
  EXPECT_FALSE(got.limited);
}

TEST_F(HttpSurvivalTest, ServerThatKeepsEverybodyOutFromTheFirstIsNotTakenForOneWithALimit) {
  converse(refusing("", 403));
  EXPECT_FALSE(exchange(step({call("7")})).limited);
}

TEST_F(HttpSurvivalTest, ForbiddenForOneMessageAloneIsItsAnswer) {
  converse(refusing("\"id\":7", 403));
  exchange(step({call("6")}));
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_EQ(got.http_status, 403);
  EXPECT_FALSE(got.limited);
}

// Refuses with that status what comes so soon after what it has served.
auto refusing_within(milliseconds pause, int status) {
  return [=, served = std::make_shared<std::atomic<Clock::time_point>>(Clock::time_point{})](
             ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const auto now = Clock::now();
      const bool is_refused = now - served->load() < pause;
      if (!is_refused) *served = now;
      connection.send(is_refused ? wire::http_response(status, {{"Content-Length", "0"}}, "")
                                 : with_length(answer_to(*request)));
    }
  };
}

TEST_F(HttpSurvivalTest, WhatIsRefusedAtOnceBehindACallThatIsServedIsSentAgainAWhileLater) {
  for (const int status : {429, 503}) {
    converse(refusing_within(milliseconds(60), status));
    exchange(step({call("6")}));
    const dialogue::Exchange got = exchange(step({call("7")}));
    EXPECT_EQ(got.http_status, 200) << status;
    EXPECT_FALSE(got.limited) << status;
    end();
  }
}

TEST_F(HttpSurvivalTest, UnavailableWhereOtherCallsAreRefusedTooIsNotJudged) {
  std::atomic<int> calls{0};
  converse([&](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const bool is_ours = request->body.find("\"id\":7") != std::string::npos;
      const bool is_refused = is_ours || calls++ % 2 == 0;
      connection.send(is_refused ? wire::http_response(503, {{"Content-Length", "0"}}, "")
                                 : with_length(answer_to(*request)));
    }
  });
  EXPECT_TRUE(exchange(step({call("7")})).limited);
  end();
}

TEST_F(HttpSurvivalTest, RefusalOfOneOfSeveralCallsAtOnceIsNotJudged) {
  converse(refusing("\"id\":7", 503));
  auto several = step({call("7"), call("8")});
  several.concurrently = true;
  EXPECT_TRUE(exchange(several).limited);
}

TEST_F(HttpSurvivalTest, ServerOfOneConnectionAtATimeIsAskedAfterASilence) {
  std::mutex one_at_a_time;
  converse([&](ScriptedConnection& connection) {
    const std::lock_guard lock(one_at_a_time);
    while (const auto request = connection.read()) {
      if (request->body != "silence") connection.send(with_length(answer_to(*request)));
    }
  });
  EXPECT_EQ(exchange(step({"silence"})).ending, dialogue::Ending::timed_out);
  const auto survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::alive);
  EXPECT_FALSE(survival.answered_meanwhile);
  end();
}

TEST_F(HttpSurvivalTest, WhatEndsAServerIsNotSentTwice) {
  std::atomic<int> deadly{0};
  converse([&deadly](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      if (request->body.find("die") != std::string::npos) ++deadly;
      if (deadly > 0 || !connection.send(with_length(answer_to(*request)))) return;
    }
  });
  EXPECT_EQ(exchange(step({call("7")})).replies.size(), 1U);
  EXPECT_EQ(exchange(step({"{die"})).ending, dialogue::Ending::closed);
  EXPECT_EQ(deadly, 1);
}

TEST_F(HttpSurvivalTest, ConnectionThatStandsAndAnswersNoMoreIsDeaf) {
  converse([](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      connection.send(with_length(answer_to(*request)));
      if (request->body == "{") return connection.hang();
    }
  });
  EXPECT_EQ(exchange(step({"{"})).ending, dialogue::Ending::settled);
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::deaf);
  EXPECT_EQ(survival.detail, "the connection stands and answers calls no more; a new one works");
  EXPECT_TRUE(conversation_->usable());
  EXPECT_EQ(check().survival, dialogue::Survival::alive);
}

TEST_F(HttpSurvivalTest, ConnectionThatAnswersTheControlCallWithAPageIsDeaf) {
  converse([](ScriptedConnection& connection) {
    bool broken = false;
    while (const auto request = connection.read()) {
      broken = broken || request->body == "{";
      connection.send(broken ? with_length("<h1>Oops</h1>", 500)
                             : with_length(answer_to(*request)));
    }
  });
  exchange(step({"{"}));
  EXPECT_EQ(check().survival, dialogue::Survival::deaf);
}

TEST_F(HttpSurvivalTest, StatusOfTheAnswerToTheControlCallIsTold) {
  converse([](ScriptedConnection& connection) {
    while (connection.read()) connection.send(with_length(R"({"error":"Oops"})", 500));
  });
  const auto survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::alive);
  EXPECT_EQ(survival.answer, R"({"error":"Oops"})");
  EXPECT_EQ(survival.answer_status, 500);
}

TEST_F(HttpSurvivalTest, ServerThatServesNoConnectionAnyMoreIsWedgedAndNotUsable) {
  std::atomic<bool> wedged{false};
  converse([&](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      if (request->body == "wedge") wedged = true;
      if (wedged) return connection.hang();
      connection.send(with_length(answer_to(*request)));
    }
  });
  EXPECT_EQ(exchange(step({"wedge"})).ending, dialogue::Ending::timed_out);
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::wedged);
  EXPECT_EQ(survival.detail,
            "connections are accepted and no call is answered on them; "
            "it came back and answers no call");
  EXPECT_FALSE(conversation_->usable());
}

TEST_F(HttpSurvivalTest, PortThatRefusesIsDead) {
  converse(answer_each);
  exchange(step({call("7")}));
  const auto generation = conversation_->server_generation();
  const auto port = script_->port();
  script_.reset();
  const dialogue::Exchange got = exchange(step({call("8")}));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_EQ(got.detail, "the server accepts no connection");
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::dead);
  EXPECT_EQ(survival.detail,
            "connections are accepted no more; it did not come back: "
            "no connection to 127.0.0.1:" +
                std::to_string(port) + ": Connection refused");
  EXPECT_FALSE(conversation_->usable());
  EXPECT_FALSE(conversation_->open(transcript_));
  EXPECT_EQ(conversation_->server_generation(), generation);
}

TEST_F(HttpSurvivalTest, ServerThatEndsBetweenTheStepsOfACaseIsNotSentTheNext) {
  converse(answer_each);
  transcript_.begin_step(0);
  exchange(step({call("7")}));
  script_.reset();
  transcript_.begin_step(1);
  const dialogue::Exchange got = exchange(step({call("8")}));
  EXPECT_TRUE(got.comes_too_late);
  EXPECT_TRUE(got.sent.empty());
  EXPECT_FALSE(conversation_->take_unseen_death());
  EXPECT_EQ(check().survival, dialogue::Survival::dead);
}

TEST_F(HttpSurvivalTest, OpeningThatIsNotAnsweredIsAnError) {
  testing::ScriptedHttpServer script([](ScriptedConnection& connection) { connection.hang(); });
  HttpSettings settings;
  settings.opening.messages = {call("1")};
  reach(script.url(), settings);
  const auto opened = conversation_->open(transcript_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message.substr(0, 20 + call("1").size()),
            "the opening message " + call("1"));
  EXPECT_FALSE(conversation_->usable());
  conversation_.reset();
}

TEST_F(HttpSurvivalTest, ServerThatFloodsInsteadOfReadingIsStoppedAtTheDeadline) {
  converse([](ScriptedConnection& connection) {
    const std::string many(1U << 16, '\n');
    while (connection.send(many)) {
    }
  });
  EXPECT_EQ(exchange(step({std::string(16U << 20, 'x')})).ending, dialogue::Ending::timed_out);
}

TEST_F(HttpSurvivalTest, EndlessBodyIsCutAtALimit) {
  converse([](ScriptedConnection& connection) {
    if (!connection.read()) return;
    connection.send("HTTP/1.1 200 OK\r\n\r\n");
    const std::string many(1U << 20, 'x');
    while (connection.send(many)) {
    }
  });
  const dialogue::Exchange got = exchange(step({call("7")}));
  EXPECT_NE(got.ending, dialogue::Ending::settled);
  EXPECT_TRUE(got.replies.empty());
}

class HttpStartTest : public testing::HttpTest {
 protected:
  HttpStartTest() : HttpTest(std::chrono::seconds(20), std::chrono::seconds(20)) {}
};

TEST_F(HttpStartTest, ServerThatHasComeBackIsAskedUntilItSaysNoMoreThatItStarts) {
  constexpr int kWhenGone = 2;
  constexpr int kWhenStarting = 3;
  std::atomic<int> calls{0};
  converse([&](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const int call = ++calls;
      if (call <= kWhenGone) return;
      connection.send(with_length(
          call <= kWhenGone + kWhenStarting
              ? R"({"result":null,"error":{"code":-28,"message":"Loading block index"},"id":1})"
              : answer_to(*request)));
    }
  });
  ControlCall control{"control", ""};
  control.not_yet.push_back({.at = "/error/code", .equals = "-28"});
  conversation_->use_control_call(control);
  EXPECT_EQ(check().survival, dialogue::Survival::wedged);
  EXPECT_TRUE(conversation_->usable());
  EXPECT_EQ(calls, kWhenGone + kWhenStarting + 1);
  end();
}

}  // namespace http_survival_test
}  // namespace jrpcheck::session
