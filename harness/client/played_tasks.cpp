#include "client/played_tasks.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include "base/bytes.hpp"
#include "base/join.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/capability.hpp"
#include "judge/clients/words.hpp"

namespace jrpcheck::client {
namespace {

using json::Kind;
using json::Value;

constexpr const char* kAsked = "\"jrpcheck-of-task\"";
constexpr std::size_t kMostTasks = 1000;
constexpr std::size_t kMostLooksAtInput = 3;  // then it goes on without
// A client that has waited as it was told to needs its time to go on, too.
constexpr std::chrono::seconds kForTheNext{2};
constexpr const char* kInputRequired = "input_required";

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::string error_of(int code, const std::string& message) {
  return R"({"error":{"code":)" + std::to_string(code) + R"(,"message":")" + message + "\"}}";
}

}  // namespace

bool is_declared_for(const Value& request, const std::string& capabilities) {
  const std::string method = json::text_of(request.find("method"));
  const auto declared = json::parse(capabilities);
  for (const auto& each : judge::kUsesOfClients) {
    if (each.method != method) continue;
    return declared && judge::is_stated(json::at(*declared.value, each.capability));
  }
  return true;
}

std::optional<PlayedTasks::Turn> PlayedTasks::answer(const Value& request,
                                                     const std::string& capabilities,
                                                     Clock::time_point now) {
  const std::string method = json::text_of(request.find("method"));
  if (method == "tools/call") {
    const Value* task = json::at(request, "/params/task");
    const bool is_task = task != nullptr && task->is(Kind::object);
    return is_task && tasks_.size() < kMostTasks ? std::optional(begin(request, capabilities))
                                                 : std::nullopt;
  }
  if (method == "tasks/list") return Turn{list()};
  if (method != "tasks/get" && method != "tasks/result" && method != "tasks/cancel") {
    return std::nullopt;
  }
  const std::string id = json::text_at(request, "/params/taskId");
  const auto found = tasks_.find(id);
  if (found == tasks_.end()) {
    const bool is_first = notes_.begun > 0 && notes_.asked_for_other.empty();
    if (is_first) notes_.asked_for_other = json::write(request);
    return Turn{error_of(-32602, "Failed to retrieve task: Task not found")};
  }
  notes_.was_asked_for = true;
  if (method == "tasks/get") return look(found->second, capabilities, now);
  return method == "tasks/cancel" ? cancel(found->second) : fetch(found->second, capabilities);
}

PlayedTasks::Turn PlayedTasks::begin(const Value& request, const std::string& capabilities) {
  Task task;
  task.id = "jrpcheck-task-" + std::to_string(++notes_.begun);
  const Value* ttl = json::at(request, "/params/task/ttl");
  task.ttl = ttl != nullptr && ttl->is(Kind::number) ? json::write(*ttl) : "60000";
  task.created = time_now();
  const std::string text = written(task);
  // One that is announced runs by itself: who waits for the word of it need not look.
  while (how_.notifies && !has_ended(task)) go_on(task, capabilities);
  tasks_.emplace(task.id, std::move(task));
  return {R"({"result":{"task":)" + text + "}}", {}, true};
}

// From one request for it to the next: who asks at fixed times, and who waits for the answer first.
void PlayedTasks::note_look(Task& task, Clock::time_point now) {
  const bool is_timed = how_.poll_interval && task.looked_at && !has_ended(task);
  if (is_timed) {
    const auto since = std::chrono::duration_cast<microseconds>(now - *task.looked_at);
    if (!notes_.shortest_look || since < *notes_.shortest_look) notes_.shortest_look = since;
  }
  task.looked_at = now;
  if (how_.poll_interval) {
    waits_until_ = std::max(waits_until_, now + milliseconds(*how_.poll_interval) + kForTheNext);
  }
}

PlayedTasks::Turn PlayedTasks::look(Task& task, const std::string& capabilities,
                                    Clock::time_point now) {
  const bool was_shown_the_end = has_ended(task) && task.looked_at;
  if (was_shown_the_end) {
    notes_.looks_after_end = std::max(notes_.looks_after_end, ++task.looks_after_end);
  }
  note_look(task, now);
  const bool waits_for_input = status_of(task) == kInputRequired;
  if (waits_for_input)
    notes_.looks_at_input = std::max(notes_.looks_at_input, ++task.looks_at_input);
  if (!waits_for_input || task.looks_at_input >= kMostLooksAtInput) {
    go_on(task, capabilities);
  }
  notes_.has_seen_end = notes_.has_seen_end || has_ended(task);
  return with_changes(R"({"result":)" + written(task) + "}");
}

// All that it still comes to, and what it needs for that.
PlayedTasks::Turn PlayedTasks::fetch(Task& task, const std::string& capabilities) {
  bool needs_input = status_of(task) == kInputRequired;
  if (needs_input) notes_.was_fetched_at_input = true;
  while (!has_ended(task) && !needs_input) {
    go_on(task, capabilities);
    needs_input = status_of(task) == kInputRequired;
  }
  Turn turn = with_changes({});
  if (needs_input && !notes_.asked) {
    for (const auto& each : how_.asks) {
      const auto request = json::parse(each);
      if (!request || !is_declared_for(*request.value, capabilities)) continue;
      std::string text = each;
      replace_all(text, "\"${id}\"", kAsked);
      replace_all(text, "${taskId}", task.id);
      turn.said.push_back(text);
      notes_.asked = kAsked;
      break;
    }
  }
  // What it comes to after that is not told: it is seen by its result.
  while (!has_ended(task)) ++task.step;
  turn.members = task.is_cancelled ? error_of(-32000, "The task was cancelled") : how_.result;
  replace_all(turn.members, "${taskId}", task.id);
  return turn;
}

PlayedTasks::Turn PlayedTasks::cancel(Task& task) {
  if (has_ended(task)) {
    return {error_of(-32602, "Cannot cancel task: already in terminal status")};
  }
  task.is_cancelled = true;
  return {R"({"result":)" + written(task) + "}"};
}

std::string PlayedTasks::list() const {
  const auto tasks = joined(tasks_, ",", [this](const auto& each) { return written(each.second); });
  return R"({"result":{"tasks":[)" + tasks + "]}}";
}

bool PlayedTasks::take_answer(const std::string& id) {
  if (!awaits_answer() || id != *notes_.asked) return false;
  notes_.was_answered = true;
  return true;
}

bool PlayedTasks::can_ask(const std::string& capabilities) const {
  return std::ranges::any_of(how_.asks, [&](const std::string& each) {
    const auto request = json::parse(each);
    return request && is_declared_for(*request.value, capabilities);
  });
}

// A task that can ask nothing of its client never waits for it.
void PlayedTasks::go_on(Task& task, const std::string& capabilities) {
  if (has_ended(task)) return;
  ++task.step;
  while (status_of(task) == kInputRequired && !can_ask(capabilities)) ++task.step;
  if (!how_.notifies) return;
  untold_.push_back(R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":)" +
                    written(task) + "}");
}

std::string PlayedTasks::status_of(const Task& task) const {
  if (task.is_cancelled) return "cancelled";
  return task.step == 0 ? "working" : how_.statuses[task.step - 1];
}

bool PlayedTasks::has_ended(const Task& task) const {
  return task.is_cancelled || task.step == how_.statuses.size();
}

std::string PlayedTasks::written(const Task& task) const {
  std::string text = R"({"taskId":")" + task.id + R"(","status":")" + status_of(task) +
                     R"(","createdAt":")" + task.created + R"(","lastUpdatedAt":")" + time_now() +
                     R"(","ttl":)" + task.ttl;
  if (how_.poll_interval) text += R"(,"pollInterval":)" + std::to_string(*how_.poll_interval);
  if (how_.has_unknown_members) text += R"(,"jrpcheck":{"a":1})";
  return text + "}";
}

}  // namespace jrpcheck::client
