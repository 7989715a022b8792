#include "judge/clients/tasks.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/kept.hpp"
#include "json/pointer.hpp"
#include "judge/capability.hpp"
#include "judge/clients/answers.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostKept = 10'000;
constexpr std::size_t kLongestTask = 200;  // of an id, or a method, that is kept
constexpr std::array<std::string_view, 5> kStatuses = {"working", "input_required", "completed",
                                                       "failed", "cancelled"};
// Requests of the client that no server can declare tasks for (§ Server Capabilities).
constexpr std::array<std::string_view, 7> kNeverTasks = {
    "tasks/", "tools/list", "prompts/", "resources/", "completion/", "logging/", "ping"};
constexpr std::string_view kRelated = "/_meta/io.modelcontextprotocol~1related-task";

std::string related_to(const Value* holder) {
  if (holder == nullptr) return {};
  return json::text_at(*holder, std::string(kRelated) + "/taskId");
}

bool is_end(std::string_view status) {
  return status == "completed" || status == "failed" || status == "cancelled";
}

bool is_about_task(std::string_view method) {
  return method == "tasks/get" || method == "tasks/result" || method == "tasks/cancel";
}

std::string refusal_in(const Value& message) {
  const Value* code = json::at(message, "/error/code");
  return code == nullptr ? "" : json::write(*code);
}

// RFC 3339 § 5, as ISO 8601 is written there: the day at least, and the time behind a T.
bool is_time(const Value* value) {
  const std::string text = json::text_of(value);
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() < kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const char at = text[i];
    if (kForm[i] == '0' ? !is_digit(at) : (at != kForm[i] && at != (kForm[i] | 0x20))) return false;
  }
  return true;
}

}  // namespace

void ClientTasks::forget() {
  called_.clear();
  asked_.clear();
  own_.clear();
}

std::size_t ClientTasks::kept() const {
  const auto by_called = [](const auto& each) {
    return kept_by(each.first) + kept_by(each.second.task);
  };
  const auto by_asked = [](const auto& each) {
    const Asked& asked = each.second;
    return kept_by(each.first) + kept_by(asked.method) + kept_by(asked.task) +
           kept_by(asked.related);
  };
  const auto by_own = [](const auto& each) {
    return kept_by(each.first) + kept_by(each.second.method) + kept_by(each.second.status);
  };
  return capabilities_.memory() + kept_in(called_, by_called) + kept_in(asked_, by_asked) +
         kept_in(own_, by_own);
}

void ClientTasks::hear(const Value& message, const std::string& method, const std::string& key) {
  if (method == "notifications/cancelled") return judge_cancelling(message);
  if (key.empty()) return;
  const Value* task = json::at(message, "/params/task");
  const bool is_to_be_task = task != nullptr && task->is(Kind::object);
  judge_augmenting(message, method, is_to_be_task);
  if (is_to_be_task && called_.size() < kMostKept) called_[key] = {};
  if (method != "tasks/list" && !is_about_task(method)) return;
  judge_related(message, method);
  const std::string named = json::text_at(message, "/params/taskId");
  for (auto& [id, called] : called_) {
    if (!named.empty() && called.task == named) called.is_known = true;
  }
}

// tools/call has a requirement of its own; what is of an extension may have such a member.
void ClientTasks::judge_augmenting(const Value& message, const std::string& method,
                                   bool is_to_be_task) {
  const bool is_plain = std::ranges::any_of(
      kNeverTasks, [&](auto each) { return std::string_view(method).starts_with(each); });
  if (!is_plain) return;
  if (method.starts_with("tasks/")) charges_.exercise("mcp-c-task-augment");
  if (!is_to_be_task) return;
  charges_.charge("mcp-c-task-augment", message, "/params/task",
                  "The client asks for a task of a request of which none can be made.", "no task");
}

void ClientTasks::judge_related(const Value& message, const std::string& method) {
  charges_.exercise("mcp-c-task-related-not");
  const Value* params = message.find("params");
  if (params == nullptr || json::at(*params, kRelated) == nullptr) return;
  charges_.charge("mcp-c-task-related-not", message, "/params/_meta",
                  method + " names a task in _meta, which its params are for.",
                  "no io.modelcontextprotocol/related-task");
}

// Before the client has shown that it knows its task, the two may have crossed.
void ClientTasks::judge_cancelling(const Value& message) {
  const auto key = kept_key(json::at(message, "/params/requestId"));
  const auto called = key ? called_.find(*key) : called_.end();
  if (called == called_.end() || !called->second.is_known) return;
  charges_.charge("mcp-c-cancel-task", message, "/params/requestId",
                  "The client cancels a task by notifications/cancelled.", "tasks/cancel");
}

void ClientTasks::tell_response(const std::string& key, const Value& message) {
  const auto called = called_.find(key);
  if (called == called_.end()) return;
  const std::string task = json::text_at(message, "/result/task/taskId");
  if (!task.empty() && task.size() <= kLongestTask) {
    called->second.task = task;
    charges_.exercise("mcp-c-cancel-task");
  } else {
    called_.erase(called);
  }
}

void ClientTasks::take_request(const std::string& key, const std::string& method,
                               const Value& message) {
  if (asked_.size() >= kMostKept) return;
  Asked asked{method.substr(0, kLongestTask)};
  asked.task = json::text_at(message, "/params/taskId");
  asked.related = related_to(message.find("params"));
  const Value* task = json::at(message, "/params/task");
  asked.is_task = task != nullptr && task->is(Kind::object);
  if (!asked.is_task && asked.related.empty() && !is_about_task(method) && method != "tasks/list") {
    return;
  }
  asked_[key] = std::move(asked);
}

bool ClientTasks::is_task_made(const std::string& key, const Value& message) const {
  const auto asked = asked_.find(key);
  return asked != asked_.end() && asked->second.is_task &&
         json::at(message, "/result/task") != nullptr && is_kind_declared(asked->second.method);
}

bool ClientTasks::is_kind_declared(const std::string& method) const {
  return is_stated(json::at(capabilities_, "/tasks/requests/" + method));
}

void ClientTasks::hear_response(const std::string& key, const Value& message) {
  const auto found = asked_.find(key);
  if (found == asked_.end()) return;
  const Asked asked = found->second;
  asked_.erase(found);
  if (!asked.related.empty()) judge_belonging(asked, message);
  if (asked.is_task) judge_making(asked, message);
  if (!is_about_task(asked.method) || !is_stated(json::at(capabilities_, "/tasks"))) return;
  const auto task = own_.find(asked.task);
  if (task != own_.end()) return judge_told(asked, task->second, message);
  // A task that the client has kept from before is not known here.
  if (asked.task.starts_with("jrpcheck-nobody")) judge_unknown(asked, message);
}

// An error has no _meta.
void ClientTasks::judge_belonging(const Asked& asked, const Value& message) {
  const Value* result = message.find("result");
  if (is_about_task(asked.method) || result == nullptr) return;
  charges_.exercise("mcp-c-task-related");
  if (related_to(result) == asked.related) return;
  charges_.charge("mcp-c-task-related", message, "/result/_meta",
                  "The answer to a request that belongs to a task does not name the task in _meta.",
                  "io.modelcontextprotocol/related-task with the taskId of the request");
}

void ClientTasks::judge_making(const Asked& asked, const Value& message) {
  const Value* result = message.find("result");
  if (result == nullptr || !result->is(Kind::object)) return;
  const Value* task = result->find("task");
  if (!is_kind_declared(asked.method)) {
    charges_.exercise("mcp-c-task-ignored");
    if (task == nullptr) return;
    return charges_.charge(
        "mcp-c-task-ignored", message, "/result/task",
        "The client makes a task of " + asked.method + ", and has not declared that it can.",
        "the result itself");
  }
  charges_.exercise("mcp-c-task-create");
  if (task == nullptr || !task->is(Kind::object)) {
    return charges_.charge(
        "mcp-c-task-create", message, "/result",
        "The client has declared tasks for " + asked.method + ", and does not answer with one.",
        "a result with a task");
  }
  judge_task(*task, message, "/result/task", true);
  const std::string id = json::text_of(task->find("taskId"));
  if (id.empty() || id.size() > kLongestTask) return;
  if (own_.contains(id)) {
    return charges_.charge("mcp-c-task-create", message, "/result/task/taskId",
                           "The client gives the id of one task to another.", "an id that is new");
  }
  if (own_.size() < kMostKept) own_[id] = {asked.method, json::text_of(task->find("status"))};
}

void ClientTasks::judge_task(const Value& task, const Value& message, std::string_view at,
                             bool is_new) {
  charges_.exercise("mcp-c-task-shape");
  const std::string status = json::text_of(task.find("status"));
  const Value* ttl = task.find("ttl");
  std::string lacks;
  if (json::text_of(task.find("taskId")).empty()) lacks = "taskId, a String";
  if (!contains(kStatuses, status)) {
    lacks = "a status that there is";
  }
  if (is_new && lacks.empty() && status != "working") lacks = "the status working, as it begins";
  if (!is_time(task.find("createdAt"))) lacks = "createdAt, a time of ISO 8601";
  if (!is_time(task.find("lastUpdatedAt"))) lacks = "lastUpdatedAt, a time of ISO 8601";
  if (ttl == nullptr || (!ttl->is(Kind::number) && !ttl->is(Kind::null))) {
    lacks = "ttl, a Number or null";
  }
  if (lacks.empty()) return;
  charges_.charge("mcp-c-task-shape", message, at, "A task of the client lacks " + lacks + ".",
                  lacks);
}

void ClientTasks::judge_unknown(const Asked& asked, const Value& message) {
  charges_.exercise("mcp-c-task-unknown");
  if (refusal_in(message) == "-32602") return;
  charges_.charge("mcp-c-task-unknown", message, "",
                  asked.method + " of a task that is not there is not refused by -32602.",
                  "an error -32602");
}

void ClientTasks::judge_told(const Asked& asked, Own& task, const Value& message) {
  if (asked.method == "tasks/result") return judge_result(asked, task, message);
  if (asked.method == "tasks/cancel") return judge_cancelled(task, message);
  const Value* result = message.find("result");
  if (result == nullptr || !result->is(Kind::object)) return;  // it may be gone: ttl
  judge_task(*result, message, "/result", false);
  judge_status(task, json::text_of(result->find("status")), message);
}

void ClientTasks::judge_result(const Asked& asked, const Own& task, const Value& message) {
  const Value* result = message.find("result");
  if (result == nullptr || !result->is(Kind::object)) return;  // what it asked for may have failed
  charges_.exercise("mcp-c-task-result");
  judge_result_of({task.method}, message, *result, "/result", charges_);
  if (related_to(result) == asked.task) return;
  charges_.charge("mcp-c-task-result", message, "/result/_meta",
                  "The answer to tasks/result does not name the task in _meta.",
                  "io.modelcontextprotocol/related-task with the taskId");
}

// What has not been shown to have ended may have ended meanwhile.
void ClientTasks::judge_cancelled(Own& task, const Value& message) {
  const Value* result = message.find("result");
  if (is_end(task.status)) {
    charges_.exercise("mcp-c-task-cancel");
    if (refusal_in(message) == "-32602") return;
    return charges_.charge("mcp-c-task-cancel", message, "",
                           "A task that has ended can be cancelled.", "an error -32602");
  }
  if (result == nullptr) return;
  charges_.exercise("mcp-c-task-cancel");
  const std::string status = json::text_of(result->find("status"));
  if (status == "cancelled") return judge_status(task, status, message);
  charges_.charge("mcp-c-task-cancel", message, "/result/status",
                  "A task that is cancelled does not say so.", "the status cancelled");
}

void ClientTasks::judge_status(Own& task, const std::string& status, const Value& message) {
  charges_.exercise("mcp-c-task-path");
  const bool was_at_its_end = is_end(task.status) && task.status != status;
  if (was_at_its_end) {
    charges_.charge("mcp-c-task-path", message, "/result/status",
                    "A task that was " + task.status + " is " + status + " later.", task.status);
  }
  task.status = status;
}

}  // namespace jrpcheck::judge
