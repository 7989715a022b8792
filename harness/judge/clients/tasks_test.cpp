#include "judge/clients/tasks.hpp"
#include "judge/clients/client_for_testing.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::judge {
namespace client_tasks_test {

using Lines = std::vector<std::string>;

class TasksOfClients : public testing::Test {
 protected:
  // What was found in an open session; lines that begin with > are the client's.
  Judgement judged(const Lines& lines) const {
    ClientRules rules(law_for_testing());
    Lines all = {
        R"(>{"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":)" +
            client_ + R"(,"clientInfo":{"name":"a","version":"1"}}})",
        R"(<{"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}}})",
        R"(>{"method":"notifications/initialized"})"};
    all.insert(all.end(), lines.begin(), lines.end());
    hear_lines(rules, all);
    return rules.take();
  }
  std::string charged(const Lines& lines) const { return charged_by(judged(lines)); }
  bool exercises(const Lines& lines, std::string_view requirement) const {
    return judged(lines).exercised.contains(std::string(requirement));
  }
  static Lines with(Lines lines, const Lines& more) {
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
  }

  std::string client_ =
      R"({"elicitation":{},"sampling":{},"tasks":{"list":{},"cancel":{},"requests":{"elicitation":{"create":{}}}}})";
};

const Lines kCalled = {R"(>{"id":1,"method":"tools/call","params":{"name":"t","task":{"ttl":1}}})",
                       R"(<{"id":1,"result":{"task":{"taskId":"a","status":"working"}}})"};
const Lines kAsked = {
    R"(<{"id":"s1","method":"elicitation/create","params":{"message":"?","requestedSchema":{},"task":{}}})"};
std::string made(const std::string& id, const std::string& status) {
  return R"({"taskId":")" + id + R"(","status":")" + status +
         R"(","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00.5+01:00","ttl":null})";
}
const Lines kMade =
    Lines{kAsked.front(), R"(>{"id":"s1","result":{"task":)" + made("a", "working") + "}}"};

TEST_F(TasksOfClients, RequestsForTaskNameItInTheirParamsAlone) {
  const std::string plain = R"(>{"id":2,"method":"tasks/get","params":{"taskId":"a"}})";
  EXPECT_EQ(charged(with(kCalled, {plain})), "");
  EXPECT_TRUE(exercises(with(kCalled, {plain}), "mcp-c-task-related-not"));
  for (const std::string method : {"get", "result", "cancel"}) {
    const std::string twice =
        R"(>{"id":2,"method":"tasks/)" + method +
        R"(","params":{"taskId":"a","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}})";
    const bool is_cancel = method == "cancel";  // which the server has not declared
    EXPECT_EQ(charged(with(kCalled, {twice})),
              is_cancel ? "mcp-c-task-related-not mcp-c-caps-server" : "mcp-c-task-related-not");
  }
}

TEST_F(TasksOfClients, NoTaskIsAskedForOfWhatCanBeNone) {
  const auto with_task = [](const std::string& method) {
    return R"(>{"id":2,"method":")" + method + R"(","params":{"taskId":"a","task":{}}})";
  };
  EXPECT_EQ(charged(with(kCalled, {with_task("tasks/get")})), "mcp-c-task-augment");
  EXPECT_EQ(charged(with(kCalled, {with_task("tools/list")})), "mcp-c-task-augment");
  EXPECT_EQ(charged(with(kCalled, {with_task("com.example/run")})), "") << "it may mean another";
}

TEST_F(TasksOfClients, TaskIsCancelledByItsOwnRequestOnceItIsKnown) {
  const std::string cancelled = R"(>{"method":"notifications/cancelled","params":{"requestId":1}})";
  const std::string look = R"(>{"id":2,"method":"tasks/get","params":{"taskId":"a"}})";
  EXPECT_EQ(charged(with(kCalled, {cancelled})), "") << "the two may have crossed";
  EXPECT_EQ(charged(with(kCalled, {look, cancelled})), "mcp-c-cancel-task");
  EXPECT_EQ(
      charged(with(kCalled,
                   {look, R"(>{"method":"notifications/cancelled","params":{"requestId":2}})"})),
      "")
      << "a request for a task is none";
}

TEST_F(TasksOfClients, AnswerToWhatBelongsToTaskNamesIt) {
  const std::string asks =
      R"(<{"id":"s1","method":"ping","params":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}})";
  EXPECT_EQ(charged({asks, R"(>{"id":"s1","result":{}})"}), "mcp-c-task-related");
  EXPECT_EQ(
      charged(
          {asks,
           R"(>{"id":"s1","result":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"b"}}}})"}),
      "mcp-c-task-related");
  EXPECT_EQ(
      charged(
          {asks,
           R"(>{"id":"s1","result":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}})"}),
      "");
  EXPECT_EQ(
      charged(
          {R"(<{"id":"s1","method":"elicitation/create","params":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}})",
           R"(>{"id":"s1","error":{"code":-1,"message":"no"}})"}),
      "")
      << "an error has no _meta";
}

TEST_F(TasksOfClients, WhatIsDeclaredBecomesTask) {
  EXPECT_EQ(charged(kMade), "");
  EXPECT_EQ(charged(with(kAsked, {R"(>{"id":"s1","result":{"action":"accept"}})"})),
            "mcp-c-task-create");
  EXPECT_EQ(charged(with(kAsked, {R"(>{"id":"s1","error":{"code":-1,"message":"no"}})"})), "");
  const Lines second = {
      R"(<{"id":"s2","method":"elicitation/create","params":{"message":"?","requestedSchema":{},"task":{}}})",
      R"(>{"id":"s2","result":{"task":)" + made("a", "working") + "}}"};
  EXPECT_EQ(charged(with(kMade, second)), "mcp-c-task-create") << "its id is that of another";
}

TEST_F(TasksOfClients, WhatIsNotDeclaredIsDoneAsItIs) {
  client_ = R"({"elicitation":{}})";
  EXPECT_EQ(charged(with(kAsked, {R"(>{"id":"s1","result":{"action":"accept"}})"})), "");
  EXPECT_TRUE(exercises(with(kAsked, {R"(>{"id":"s1","result":{"action":"accept"}})"}),
                        "mcp-c-task-ignored"));
  EXPECT_NE(charged(kMade).find("mcp-c-task-ignored"), std::string::npos);
}

TEST_F(TasksOfClients, TasksHaveTheirMembers) {
  const auto task_with = [](const std::string& task) {
    return Lines{kAsked.front(), R"(>{"id":"s1","result":{"task":)" + task + "}}"};
  };
  for (
      const auto* task :
      {R"({"taskId":"a","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z"})",
       R"({"taskId":"a","status":"working","createdAt":"yesterday","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":1})",
       R"({"taskId":1,"status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":1})",
       R"({"taskId":"a","status":"busy","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":1})"}) {
    EXPECT_EQ(charged(task_with(task)), "mcp-c-task-shape") << task;
  }
  EXPECT_EQ(charged(task_with(made("a", "completed"))), "mcp-c-task-shape") << "it begins so";
}

TEST_F(TasksOfClients, TaskThatHasEndedStaysAsItIs) {
  const Lines ended =
      with(kMade, {R"(<{"id":"s2","method":"tasks/get","params":{"taskId":"a"}})",
                   R"(>{"id":"s2","result":)" + made("a", "completed") + "}",
                   R"(<{"id":"s3","method":"tasks/cancel","params":{"taskId":"a"}})"});
  EXPECT_EQ(charged(with(ended, {R"(>{"id":"s3","error":{"code":-32602,"message":"over"}})"})), "");
  EXPECT_EQ(charged(with(ended, {R"(>{"id":"s3","result":)" + made("a", "cancelled") + "}"})),
            "mcp-c-task-cancel");
  const Lines later = {R"(<{"id":"s4","method":"tasks/get","params":{"taskId":"a"}})",
                       R"(>{"id":"s4","result":)" + made("a", "working") + "}"};
  EXPECT_EQ(charged(with(with(ended, {R"(>{"id":"s3","error":{"code":-32602,"message":"over"}})"}),
                         later)),
            "mcp-c-task-path");
}

TEST_F(TasksOfClients, TaskThatIsAtWorkMayHaveEndedBeforeItIsCancelled) {
  const Lines cancel =
      with(kMade, {R"(<{"id":"s2","method":"tasks/cancel","params":{"taskId":"a"}})"});
  EXPECT_EQ(charged(with(cancel, {R"(>{"id":"s2","error":{"code":-32602,"message":"over"}})"})),
            "");
  EXPECT_EQ(charged(with(cancel, {R"(>{"id":"s2","result":)" + made("a", "cancelled") + "}"})), "");
  EXPECT_EQ(charged(with(cancel, {R"(>{"id":"s2","result":)" + made("a", "working") + "}"})),
            "mcp-c-task-cancel");
}

TEST_F(TasksOfClients, ResultOfTaskNamesIt) {
  const Lines asks =
      with(kMade, {R"(<{"id":"s2","method":"tasks/result","params":{"taskId":"a"}})"});
  EXPECT_EQ(
      charged(with(
          asks,
          {R"(>{"id":"s2","result":{"action":"accept","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}})"})),
      "");
  EXPECT_EQ(charged(with(asks, {R"(>{"id":"s2","result":{"action":"accept"}})"})),
            "mcp-c-task-result");
  EXPECT_EQ(
      charged(with(
          asks,
          {R"(>{"id":"s2","result":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}})"})),
      "mcp-c-elicit-result")
      << "it is what was elicited";
}

TEST_F(TasksOfClients, UnknownTaskIsRefused) {
  const std::string asks =
      R"(<{"id":"s2","method":"tasks/get","params":{"taskId":"jrpcheck-nobody"}})";
  EXPECT_EQ(charged({asks, R"(>{"id":"s2","error":{"code":-32602,"message":"no"}})"}), "");
  EXPECT_EQ(charged({asks, R"(>{"id":"s2","error":{"code":-32603,"message":"no"}})"}),
            "mcp-c-task-unknown");
  EXPECT_EQ(charged({R"(<{"id":"s2","method":"tasks/get","params":{"taskId":"kept"}})",
                     R"(>{"id":"s2","result":)" + made("kept", "working") + "}"}),
            "")
      << "it may be of before";
}

}  // namespace client_tasks_test
}  // namespace jrpcheck::judge
