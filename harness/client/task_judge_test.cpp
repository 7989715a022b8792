#include "client/task_judge.hpp"

#include <gtest/gtest.h>

#include "base/contains.hpp"
#include "corpus/corpus.hpp"

namespace jrpcheck::client {
namespace task_judge_test {

class JudgeTasks : public testing::Test {
 protected:
  JudgeTasks() {
    dialogue_.id = "mcp/client-x";
    dialogue_.requirements = {"mcp-c-task-poll"};
    dialogue_.task = corpus::PlayedTask{{"completed"}, 2000, false, {}, R"({"result":{}})"};
    notes_.tasks.begun = 1;
    notes_.tasks.was_asked_for = true;
  }
  std::string charged(const DialogueNotes* other = nullptr) {
    result_ = {};
    result_.requirements = dialogue_.requirements;
    DialogueCharges charges(dialogue_, ledger_, result_);
    judge_tasks(notes_, other, charges);
    judge_subscriptions(notes_, charges);
    std::string text;
    for (const auto& each : result_.findings) text += each.requirement + " ";
    return text;
  }
  bool exercises(const std::string& requirement) const {
    return contains(result_.exercised, requirement);
  }

  corpus::Dialogue dialogue_;
  DialogueNotes notes_;
  result::CaseResult result_;
  corpus::Ledger ledger_;
};

TEST_F(JudgeTasks, WhoBeginsNoneIsToldHowToTakePart) {
  notes_.tasks = {};
  EXPECT_EQ(charged(), "");
  EXPECT_TRUE(result_.exercised.empty());
  EXPECT_NE(result_.reason.find("execution.taskSupport"), std::string::npos);
}

TEST_F(JudgeTasks, LooksAreAsFarApartAsTheServerSays) {
  notes_.tasks.shortest_look = milliseconds(1600);
  EXPECT_EQ(charged(), "") << "a busy machine brings them closer";
  EXPECT_TRUE(exercises("mcp-c-task-poll"));
  notes_.tasks.shortest_look = milliseconds(1000);
  EXPECT_EQ(charged(), "mcp-c-task-poll ") << "the usual time of an own timer";
  dialogue_.task->poll_interval = 50;
  notes_.tasks.shortest_look = milliseconds(1);
  EXPECT_EQ(charged(), "") << "of so short a time nothing can be told";
}

TEST_F(JudgeTasks, OneLookBehindTheEndIsNoPolling) {
  notes_.tasks.has_seen_end = true;
  notes_.tasks.looks_after_end = 1;
  EXPECT_EQ(charged(), "");
  notes_.tasks.looks_after_end = 3;
  EXPECT_EQ(charged(), "mcp-c-task-poll ");
}

TEST_F(JudgeTasks, IdOfBeforeIsNoneWhereItsOwnIsAskedForToo) {
  notes_.tasks.asked_for_other = R"({"id":1})";
  EXPECT_EQ(charged(), "");
  notes_.tasks.was_asked_for = false;
  EXPECT_EQ(charged(), "mcp-c-task-id ");
}

TEST_F(JudgeTasks, InputThatIsNotAskedForIsCharged) {
  notes_.tasks.looks_at_input = 3;
  EXPECT_EQ(charged(), "mcp-c-task-input ");
  notes_.tasks.was_fetched_at_input = true;
  EXPECT_EQ(charged(), "");
  EXPECT_TRUE(exercises("mcp-c-task-input"));
}

TEST_F(JudgeTasks, WhatIsReachedElsewhereIsReachedHere) {
  dialogue_.requirements = {"mcp-c-task-unannounced"};
  dialogue_.reaches = "tasks/result";
  notes_.methods = {"tasks/get"};
  DialogueNotes other;
  EXPECT_EQ(charged(&other), "") << "nor does it elsewhere";
  EXPECT_FALSE(exercises("mcp-c-task-unannounced"));
  other.methods = {"tasks/get", "tasks/result"};
  EXPECT_EQ(charged(&other), "mcp-c-task-unannounced ");
  notes_.methods = other.methods;
  EXPECT_EQ(charged(&other), "");
  EXPECT_TRUE(exercises("mcp-c-task-unannounced"));
}

TEST_F(JudgeTasks, WhoComesAgainListensAnew) {
  dialogue_.task.reset();
  dialogue_.subscription = corpus::PlayedSubscription{{}, false, true};
  auto& all = notes_.subscriptions;
  all.begun = 1;
  all.was_cut = true;
  all.methods_since_cut = {"server/discover"};
  EXPECT_EQ(charged(), "") << "it may only look whether the server is there";
  EXPECT_FALSE(exercises("mcp-c-stdio-relisten"));
  all.methods_since_cut.emplace_back("tools/list");
  EXPECT_EQ(charged(), "mcp-c-stdio-relisten ");
  all.methods_since_cut.emplace_back("subscriptions/listen");
  EXPECT_EQ(charged(), "");
  EXPECT_TRUE(exercises("mcp-c-stdio-restart"));
}

}  // namespace task_judge_test
}  // namespace jrpcheck::client
