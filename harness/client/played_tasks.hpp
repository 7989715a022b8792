// Played tasks: a server's tasks of MCP 2025-11-25 (basic/utilities/tasks) in one trial. They go on
// by what the client asks, and by no clock.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/client_dialogue.hpp"
#include "json/value.hpp"

namespace jrpcheck::client {

/// What the client did with them.
struct TaskNotes {
  std::size_t begun = 0;
  bool was_asked_for = false;        ///< one of them, by its id
  std::string asked_for_other = {};  ///< the first id that nobody has given
  /// The shortest time from one look at a task to the next while an interval was asked for.
  std::optional<microseconds> shortest_look = {};
  bool has_seen_end = false;        ///< of one of them, by looking at it
  std::size_t looks_after_end = 0;  ///< since a look has shown the end; the most of one task
  std::size_t looks_at_input = 0;   ///< while the task waits for input, and nobody asks for it
  bool was_fetched_at_input = false;
  std::optional<std::string> asked = {};  ///< the id of the request that a task has sent, in JSON
  bool was_answered = false;              ///< that one
};

class PlayedTasks {
 public:
  explicit PlayedTasks(const corpus::PlayedTask& how) : how_(how) {}

  struct Turn {
    std::string members;                 ///< of the Response
    std::vector<std::string> said = {};  ///< goes out before it
    bool is_begin = false;               ///< what has changed since is told behind it
  };
  /// The answer to a request about tasks, or to a call that is made as one; nothing: it is neither.
  /// `capabilities`: of the client, in JSON.
  std::optional<Turn> answer(const json::Value& request, const std::string& capabilities,
                             Clock::time_point now);
  /// Whether that is the answer to what a task has asked.
  bool take_answer(const std::string& id);
  /// Changes of their status that are to be told.
  std::vector<std::string> take_untold() { return std::exchange(untold_, {}); }
  /// The result of a task is held until what it has asked is answered.
  bool awaits_answer() const { return notes_.asked && !notes_.was_answered; }
  /// A client that waits as it was told to is not idle before that.
  Clock::time_point waits_until() const { return waits_until_; }

  const TaskNotes& notes() const { return notes_; }

 private:
  struct Task {
    std::string id;
    std::string ttl;
    std::string created;
    std::size_t step = 0;  // 0: working; else of the statuses that it comes to
    bool is_cancelled = false;
    std::optional<Clock::time_point> looked_at = {};
    std::size_t looks_after_end = 0;
    std::size_t looks_at_input = 0;
  };

  Turn begin(const json::Value& request, const std::string& capabilities);
  Turn look(Task& task, const std::string& capabilities, Clock::time_point now);
  Turn fetch(Task& task, const std::string& capabilities);
  Turn cancel(Task& task);
  std::string list() const;
  Turn with_changes(std::string members) { return {std::move(members), take_untold()}; }
  void note_look(Task& task, Clock::time_point now);
  bool can_ask(const std::string& capabilities) const;
  void go_on(Task& task, const std::string& capabilities);
  std::string status_of(const Task& task) const;
  bool has_ended(const Task& task) const;
  std::string written(const Task& task) const;

  const corpus::PlayedTask& how_;
  std::map<std::string, Task> tasks_;  // by id
  std::vector<std::string> untold_;    // changes
  TaskNotes notes_;
  Clock::time_point waits_until_;
};

/// Whether the client has declared what a request of the server's needs; what needs nothing is as
/// good as declared. `capabilities`: in JSON.
bool is_declared_for(const json::Value& request, const std::string& capabilities);

}  // namespace jrpcheck::client
