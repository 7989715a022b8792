#include "client/played_tasks.hpp"

#include <gtest/gtest.h>

#include "client/played_subscriptions.hpp"
#include "json/parse.hpp"

namespace jrpcheck::client {
namespace played_tasks_test {

const std::string kRelated =
    R"("_meta":{"io.modelcontextprotocol/related-task":{"taskId":"${taskId}"}})";

class TasksThatAreServed : public testing::Test {
 protected:
  PlayedTasks::Turn ask(const std::string& method, const std::string& params) {
    const auto request =
        json::parse(R"({"id":1,"method":")" + method + R"(","params":)" + params + "}");
    const auto turn = tasks_->answer(*request.value, client_, now_);
    EXPECT_TRUE(turn) << method;
    return turn.value_or(PlayedTasks::Turn());
  }
  PlayedTasks::Turn about(const std::string& method) {
    return ask(method, R"({"taskId":"jrpcheck-task-1"})");
  }
  void begin() {
    tasks_.emplace(how_);
    ask("tools/call", R"({"name":"t","task":{"ttl":7}})");
  }
  static bool says(const PlayedTasks::Turn& turn, const std::string& text) {
    return turn.members.find(text) != std::string::npos;
  }

  corpus::PlayedTask how_ = {
      {"working", "input_required", "completed"},
      500,
      false,
      {R"({"id":"${id}","method":"roots/list","params":{)" + kRelated + "}}"},
      R"({"result":{)" + kRelated + "}}"};
  std::string client_ = R"({"roots":{}})";
  std::optional<PlayedTasks> tasks_;
  Clock::time_point now_ = Clock::now();
};

TEST_F(TasksThatAreServed, OnlyCallsThatAreToBeTasksBecomeOne) {
  tasks_.emplace(how_);
  for (const auto* call : {R"({"method":"tools/call","params":{"name":"t"}})",
                           R"({"method":"tools/call","params":{"name":"t","task":null}})",
                           R"({"method":"tools/list"})"}) {
    EXPECT_FALSE(tasks_->answer(*json::parse(call).value, client_, now_)) << call;
  }
  const auto made = ask("tools/call", R"({"name":"t","task":{"ttl":7}})");
  EXPECT_TRUE(says(made, R"("taskId":"jrpcheck-task-1","status":"working")")) << made.members;
  EXPECT_TRUE(says(made, R"("ttl":7)"));
}

TEST_F(TasksThatAreServed, EachLookShowsTheNextStatus) {
  begin();
  EXPECT_TRUE(says(about("tasks/get"), R"("status":"working")"));
  for (int look = 0; look < 3; ++look) {
    EXPECT_TRUE(says(about("tasks/get"), R"("status":"input_required")")) << look;
  }
  EXPECT_TRUE(says(about("tasks/get"), R"("status":"completed")")) << "nobody gives it input";
  EXPECT_EQ(tasks_->notes().looks_at_input, 3U);
  EXPECT_FALSE(tasks_->notes().was_fetched_at_input);
  for (int look = 0; look < 2; ++look) about("tasks/get");
  EXPECT_EQ(tasks_->notes().looks_after_end, 2U);
}

TEST_F(TasksThatAreServed, ResultIsHeldUntilWhatTheTaskAsksIsAnswered) {
  begin();
  const auto turn = about("tasks/result");
  ASSERT_EQ(turn.said.size(), 1U);
  EXPECT_NE(turn.said.front().find(R"("id":"jrpcheck-of-task")"), std::string::npos);
  EXPECT_NE(turn.said.front().find(R"("taskId":"jrpcheck-task-1")"), std::string::npos);
  EXPECT_TRUE(says(turn, R"("taskId":"jrpcheck-task-1")"));
  EXPECT_TRUE(tasks_->awaits_answer());
  EXPECT_FALSE(tasks_->take_answer("1"));
  EXPECT_TRUE(tasks_->take_answer("\"jrpcheck-of-task\""));
  EXPECT_FALSE(tasks_->awaits_answer());
}

TEST_F(TasksThatAreServed, ClientThatCanBeAskedNothingIsAskedForNoInput) {
  client_ = "{}";
  begin();
  EXPECT_TRUE(says(about("tasks/get"), R"("status":"working")"));
  EXPECT_TRUE(says(about("tasks/get"), R"("status":"completed")"));
  EXPECT_TRUE(about("tasks/result").said.empty());
}

TEST_F(TasksThatAreServed, ShortestTimeBetweenLooksCounts) {
  begin();
  about("tasks/get");
  EXPECT_FALSE(tasks_->notes().shortest_look) << "the first may come at once";
  now_ += milliseconds(600);
  about("tasks/get");
  now_ += milliseconds(40);
  about("tasks/get");
  EXPECT_EQ(tasks_->notes().shortest_look, milliseconds(40));
  EXPECT_GT(tasks_->waits_until(), now_ + milliseconds(500));
}

TEST_F(TasksThatAreServed, TaskThatIsAnnouncedRunsByItself) {
  how_.notifies = true;
  begin();
  EXPECT_EQ(tasks_->take_untold().size(), 3U);
  EXPECT_TRUE(says(about("tasks/get"), R"("status":"completed")"));
}

TEST_F(TasksThatAreServed, TaskIsCancelledOnce) {
  begin();
  EXPECT_TRUE(says(about("tasks/cancel"), R"("status":"cancelled")"));
  EXPECT_TRUE(says(about("tasks/cancel"), "-32602"));
  EXPECT_TRUE(says(about("tasks/get"), R"("status":"cancelled")"));
  EXPECT_TRUE(says(about("tasks/result"), "error"));
}

TEST_F(TasksThatAreServed, AnotherIdIsRefusedAndNoted) {
  begin();
  EXPECT_TRUE(says(ask("tasks/get", R"({"taskId":"x"})"), "-32602"));
  EXPECT_NE(tasks_->notes().asked_for_other.find("\"x\""), std::string::npos);
  EXPECT_FALSE(tasks_->notes().was_asked_for);
}

class SubscriptionsThatAreServed : public testing::Test {
 protected:
  PlayedSubscriptions::Turn listen(const std::string& filter) {
    return all_.begin(
        *json::parse(R"({"id":7,"method":"subscriptions/listen","params":{"notifications":)" +
                     filter + "}}")
             .value);
  }
  void hear(const std::string& text) { all_.hear(*json::parse(text).value, true, now_); }

  corpus::PlayedSubscription how_ = {
      {R"({"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"${subscription}"}}})"}};
  PlayedSubscriptions all_{how_};
  Clock::time_point now_ = Clock::now();
};

TEST_F(SubscriptionsThatAreServed, OnlyWhatIsAskedForIsTold) {
  const auto told = listen(R"({"toolsListChanged":true,"promptsListChanged":true})");
  ASSERT_EQ(told.said.size(), 2U);
  EXPECT_NE(told.said.front().find(R"("notifications":{"toolsListChanged":true})"),
            std::string::npos);
  for (const auto& each : told.said) {
    EXPECT_NE(each.find(R"("io.modelcontextprotocol/subscriptionId":7)"), std::string::npos)
        << each;
  }
  EXPECT_FALSE(told.members) << "the request stays open";
  EXPECT_EQ(listen(R"({"promptsListChanged":true})").said.size(), 1U);
  EXPECT_EQ(listen("1").said.size(), 1U);
}

TEST_F(SubscriptionsThatAreServed, StreamIsClosedByWhoGoesOnBehindThat) {
  listen(R"({"toolsListChanged":true})");
  all_.note_closed("7");
  EXPECT_FALSE(all_.notes().was_closed) << "the client may have ended";
  hear(R"({"id":8,"method":"tools/list"})");
  EXPECT_TRUE(all_.notes().was_closed);
}

TEST_F(SubscriptionsThatAreServed, WordOfItsEndIsNoneWhereTheStreamStaysOpen) {
  listen(R"({"toolsListChanged":true})");
  hear(R"({"method":"notifications/cancelled","params":{"requestId":7}})");
  hear(R"({"id":8,"method":"tools/list"})");
  EXPECT_FALSE(all_.notes().stays_open) << "it may still come";
  now_ += milliseconds(500);
  hear(R"({"id":9,"method":"tools/list"})");
  EXPECT_TRUE(all_.notes().stays_open);
}

TEST_F(SubscriptionsThatAreServed, WhoClosesAsWellIsNotCharged) {
  listen(R"({"toolsListChanged":true})");
  hear(R"({"method":"notifications/cancelled","params":{"requestId":7}})");
  all_.note_closed("7");
  now_ += milliseconds(500);
  hear(R"({"id":9,"method":"tools/list"})");
  EXPECT_FALSE(all_.notes().stays_open);
}

}  // namespace played_tasks_test
}  // namespace jrpcheck::client
