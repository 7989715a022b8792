#include "reference-impl/client/session_tasks.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

namespace jrpcheck::reference {

namespace {

using Json = SessionJson;

constexpr const char* kRelatedTask = "io.modelcontextprotocol/related-task";
constexpr int kMostLooks = 8;
constexpr std::array<std::string_view, 9> kOfThoseWhoServe = {"mcp-serves-tasks",
                                                              "mcp-makes-no-task",
                                                              "mcp-task-without-times",
                                                              "mcp-task-begins-ended",
                                                              "mcp-task-result-without-name",
                                                              "mcp-task-knows-any",
                                                              "mcp-task-not-cancelled",
                                                              "mcp-task-cancelled-after-end",
                                                              "mcp-task-comes-back"};

Json error_with(int code, const std::string& message) {
  return {{"error", {{"code", code}, {"message", message}}}};
}

bool is_end(const std::string& status) {
  return status == "completed" || status == "failed" || status == "cancelled";
}

}  // namespace

bool SessionTasks::serves_tasks() const {
  return std::find(kOfThoseWhoServe.begin(), kOfThoseWhoServe.end(), oddity_) !=
         kOfThoseWhoServe.end();
}

Json SessionTasks::capability() {
  return {{"list", Json::object()},
          {"cancel", Json::object()},
          {"requests",
           {{"elicitation", {{"create", Json::object()}}},
            {"sampling", {{"createMessage", Json::object()}}}}}};
}

bool SessionTasks::calls_as_task(const Json& server, const std::string& support) const {
  if (support == "required" && is("mcp-task-not-used")) return false;
  if (support == "optional" && is("mcp-calls-plainly")) return false;
  const Json requests = server.value("tasks", Json::object()).value("requests", Json::object());
  const bool is_declared = requests.value("tools", Json::object()).contains("call");
  return is_declared && (support == "required" || support == "optional");
}

void SessionTasks::take_word(const Json& message) {
  if (message["method"] != "notifications/tasks/status") return;
  last_word_ = message["params"].value("status", "");
}

bool SessionTasks::looks_further(const Json& task, int looks) const {
  const auto status = task.value("status", "");
  if (is("mcp-task-waits-for-word")) return looks == 0;
  if (is("mcp-task-fetches-at-once")) return false;
  if (status == "input_required") return is("mcp-task-leaves-input");
  if (is("mcp-task-waits-for-success")) return status != "completed";
  return !is_end(status);
}

Json SessionTasks::finish(const Json& created, const AskServer& ask,
                          const std::function<void()>& cancel) {
  if (!has_result(created) || !created["result"].contains("task")) return created;
  Json task = created["result"]["task"];
  std::string id = task.value("taskId", "");
  if (is("mcp-task-other-id")) id += "x";
  Json about = {{"taskId", id}};
  if (is("mcp-task-names-itself")) about["_meta"][kRelatedTask] = {{"taskId", id}};
  if (is("mcp-task-of-task")) about["task"] = Json::object();
  for (int looks = 0; looks < kMostLooks && looks_further(task, looks); ++looks) {
    if (looks > 0 && !is("mcp-task-hurries")) {
      const std::chrono::milliseconds interval(task.value("pollInterval", 100));
      std::this_thread::sleep_for(is("mcp-task-looks-late") ? 2 * interval : interval);
    }
    Json answer = ask("tasks/get", about);
    if (!has_result(answer)) return answer;
    task = answer["result"];
    if (is("mcp-task-cancelled-as-call")) cancel();
    if (is("mcp-task-cancels")) return ask("tasks/cancel", about);
  }
  if (is("mcp-task-waits-for-word") && last_word_ != "completed") return created;
  return ask("tasks/result", about);
}

Json SessionTasks::written(const std::string& id, const std::string& status) const {
  Json task = {{"taskId", id},
               {"status", status},
               {"createdAt", "2025-11-25T10:30:00Z"},
               {"lastUpdatedAt", "2025-11-25T10:30:00Z"},
               {"ttl", nullptr}};
  if (is("mcp-task-without-times")) task.erase("createdAt");
  return task;
}

Json SessionTasks::begin(const Json& result) {
  const std::string id = "task-" + std::to_string(own_.size() + 1);
  own_[id] = {result};
  return {
      {"result", {{"task", written(id, is("mcp-task-begins-ended") ? "completed" : "working")}}}};
}

std::optional<Json> SessionTasks::serve(const std::string& method, const Json& params,
                                        const std::optional<Json>& result) {
  const bool is_to_be_task = params.is_object() && params.contains("task");
  const bool makes_task = serves_tasks() ? !is("mcp-makes-no-task") : is("mcp-task-of-its-own");
  if (is_to_be_task && makes_task && result) return begin(*result);
  if (!serves_tasks() || !method.starts_with("tasks/")) return std::nullopt;
  if (method == "tasks/list") {
    Json tasks = Json::array();
    for (const auto& [id, task] : own_) tasks.push_back(written(id, task.status));
    return Json{{"result", {{"tasks", tasks}}}};
  }
  return answer_about(method, params.value("taskId", ""));
}

Json SessionTasks::answer_about(const std::string& method, const std::string& id) {
  auto found = own_.find(id);
  if (found == own_.end() && is("mcp-task-knows-any")) found = own_.begin();
  if (found == own_.end()) return error_with(-32602, "Task not found");
  Own& task = found->second;
  if (method == "tasks/cancel") return cancel(id, task);
  if (method == "tasks/get") {
    const bool comes_back = task.status == "cancelled" && is("mcp-task-comes-back");
    return {{"result", written(id, comes_back ? "working" : task.status)}};
  }
  if (task.status == "cancelled") return error_with(-32000, "The task was cancelled");
  task.status = "completed";
  Json result = task.result;
  if (!is("mcp-task-result-without-name")) result["_meta"][kRelatedTask] = {{"taskId", id}};
  return {{"result", result}};
}

Json SessionTasks::cancel(const std::string& id, Own& task) {
  if (is_end(task.status) && !is("mcp-task-cancelled-after-end")) {
    return error_with(-32602, "Cannot cancel task: already in terminal status");
  }
  if (is("mcp-task-not-cancelled")) return {{"result", written(id, task.status)}};
  task.status = "cancelled";
  return {{"result", written(id, task.status)}};
}

void SessionTasks::name_task(const Json& params, Json& result) const {
  const Json meta = params.is_object() ? params.value("_meta", Json::object()) : Json::object();
  if (!meta.contains(kRelatedTask) || !result.is_object()) return;
  if (!is("mcp-task-answers-without-name")) result["_meta"][kRelatedTask] = meta[kRelatedTask];
}

std::vector<ClientMutant> task_mutants() {
  return {
      {"mcp-task-hurries", breaks("mcp-c-task-poll"), kOverBoth,
       "It looks at a task without waiting."},
      {"mcp-task-waits-for-success", breaks("mcp-c-task-poll"), kOverBoth,
       "It looks at a task that has failed until it is completed."},
      {"mcp-task-other-id", breaks("mcp-c-task-id"), kOverBoth,
       "It asks for a task by another id than it was given."},
      {"mcp-task-names-itself", breaks("mcp-c-task-related-not"), kOverBoth,
       "Its requests for a task name it in _meta as well."},
      {"mcp-task-of-task", breaks("mcp-c-task-augment"), kOverBoth,
       "It asks for a task when it looks at one."},
      {"mcp-task-cancelled-as-call", breaks("mcp-c-cancel-task"), kOverBoth,
       "It cancels a task by notifications/cancelled."},
      {"mcp-task-answers-without-name", breaks("mcp-c-task-related"), kOverBoth,
       "What it answers to a task does not name the task."},
      {"mcp-task-leaves-input", breaks("mcp-c-task-input"), kOverBoth,
       "It does not ask for the result of a task that waits for input."},
      {"mcp-task-waits-for-word", breaks("mcp-c-task-unannounced"), kOverBoth,
       "It fetches a result where a notification says that the task is completed, and else never."},
      {"mcp-makes-no-task", breaks("mcp-c-task-create"), kOverBoth,
       "It has declared tasks for what the server asks, and makes none."},
      {"mcp-task-without-times", breaks("mcp-c-task-shape"), kOverBoth,
       "Its tasks have no createdAt."},
      {"mcp-task-begins-ended",
       breaks("mcp-c-task-shape").perhaps("mcp-c-task-path", "mcp-c-task-cancel"), kOverBoth,
       "Its tasks begin as completed."},
      {"mcp-task-result-without-name", breaks("mcp-c-task-result"), kOverBoth,
       "Its answer to tasks/result does not name the task."},
      {"mcp-task-knows-any", breaks("mcp-c-task-unknown"), kOverBoth,
       "It answers for a task that is not there."},
      {"mcp-task-not-cancelled", breaks("mcp-c-task-cancel"), kOverBoth,
       "A task of it goes on though it was cancelled."},
      {"mcp-task-cancelled-after-end", breaks("mcp-c-task-cancel"), kOverBoth,
       "A task of it that has ended can be cancelled."},
      {"mcp-task-comes-back", breaks("mcp-c-task-path"), kOverBoth,
       "A task of it that was cancelled is at work again."},
      {"mcp-task-of-its-own",
       breaks("mcp-c-task-ignored").perhaps("mcp-c-elicit-result", "mcp-c-sampling-result"),
       kOverBoth, "It makes tasks, and has not declared that."},
      {"mcp-http-hangs-up", breaks("mcp-c-http-cancel"), kOverHttp,
       "It gives up a request by hanging up, and says nothing."},
      {"mcp-answers-late-answers", breaks("mcp-c-cancel-late").perhaps_any_of("cl-"), kOverStdio,
       "It answers an answer that comes after it has given up."},
      {"mcp-serves-tasks", kLegal, kOverBoth, "It makes tasks of what its server asks as such."},
      {"mcp-calls-plainly", kLegal, kOverBoth, "It calls no tool as a task that need not be one."},
      {"mcp-task-fetches-at-once", kLegal, kOverBoth,
       "It asks for a result and never looks at the task."},
      {"mcp-task-looks-late", kLegal, kOverBoth,
       "It looks at a task half as often as it is told to."},
      {"mcp-task-cancels", kLegal, kOverBoth, "It looks at a task once and cancels it."},
  };
}

}  // namespace jrpcheck::reference
