#include "client/task_judge.hpp"

#include <algorithm>
#include <string>

#include "base/bytes.hpp"
#include "base/contains.hpp"

namespace jrpcheck::client {
namespace {

using corpus::Dialogue;

constexpr std::string_view kPolls = "mcp-c-task-poll";
constexpr std::string_view kInput = "mcp-c-task-input";
constexpr std::string_view kIds = "mcp-c-task-id";
constexpr std::string_view kRelisten = "mcp-c-stdio-relisten";
constexpr std::string_view kNotifies = "mcp-c-http-cancel";
constexpr std::string_view kCloses = "mcp-c-http-close-cancel";
// More is no accident, and no program that shows where a task stands.
constexpr std::size_t kLooksTooMany = 3;
// Of a shorter interval a busy machine tells nothing.
constexpr milliseconds kShortestThatIsTimed{1000};

class PlayedJudge {
 public:
  explicit PlayedJudge(DialogueCharges& charges)
      : dialogue_(charges.dialogue()), charges_(charges) {}

  void judge(const TaskNotes& tasks) {
    if (tasks.begun == 0) {
      charges_.leave_open(
          "the client calls no tool as a task; a client takes part that does so where the server "
          "declares tasks and the tool has execution.taskSupport");
      return;
    }
    judge_ids(tasks);
    judge_interval(tasks);
    judge_end(tasks);
    judge_input(tasks);
  }

  void judge_reaching(const DialogueNotes& notes, const DialogueNotes* other) {
    const auto has_reached = [this](const DialogueNotes& each) {
      return contains(each.methods, dialogue_.reaches);
    };
    if (other == nullptr || !has_reached(*other)) {
      charges_.leave_open("the client does not ask for " + dialogue_.reaches + " as a rule");
      return;
    }
    charges_.exercise_subject();
    if (has_reached(notes)) return;
    charges_.charge_subject(
        "The client does not ask for " + dialogue_.reaches + ", as it does otherwise.",
        dialogue_.reaches, notes.last_method());
  }

  void judge(const SubscriptionNotes& all) {
    if (all.begun == 0) {
      charges_.leave_open(
          "the client does not listen; one takes part that asks for subscriptions/listen "
          "where the server declares listChanged");
      return;
    }
    judge_relistening(all);
    if (all.was_closed || all.stays_open) charges_.exercise(kCloses);
    if (all.stays_open) {
      charges_.charge(kCloses,
                      "The client calls a subscription off by a notification and leaves its stream "
                      "open.",
                      "it closes the stream", "notifications/cancelled");
    }
  }

  void judge(const WithheldNotes& all, const DialogueNotes& notes, bool has_ended) {
    if (!all.was_withheld) {
      charges_.leave_open("the client does not ask for " + dialogue_.withholds);
      return;
    }
    if (all.manner.is_stateless) {
      judge_giving_up_stateless(all);
    } else {
      judge_giving_up(all);
    }
    if (all.was_told_late) judge_late_answer(all, notes, has_ended);
    if (charges_.has_shown_subject()) return;
    charges_.leave_open(
        "the client does not give up a request that is not answered for a second; one takes part "
        "that heeds JRPCHECK_TIMEOUT (in seconds) for its calls, and goes on");
  }

 private:
  void judge_giving_up(const WithheldNotes& all) {
    if (all.was_called_off) charges_.exercise("mcp-c-timeout-cancel");
    if (!all.manner.is_over_http) return;
    if (all.was_called_off) charges_.exercise(kNotifies);
    if (all.was_called_off || !all.has_hung_up) return;
    charges_.charge(kNotifies, "The client gives up a request by hanging up alone, and goes on.",
                    "notifications/cancelled", "the connection is closed");
  }

  void judge_giving_up_stateless(const WithheldNotes& all) {
    if (!all.manner.is_over_http) {
      if (all.was_called_off) charges_.exercise("mcp-c-stdio-cancel");
      return;
    }
    if (all.has_hung_up || all.stays_open) charges_.exercise(kCloses);
    if (!all.stays_open) return;
    charges_.charge(
        kCloses, "The client gives up a request by a notification, and leaves its connection open.",
        "it closes the stream of the request", "notifications/cancelled");
  }

  // Who ends with an error may do so because of what it has given up.
  void judge_late_answer(const WithheldNotes& all, const DialogueNotes& notes, bool has_ended) {
    constexpr std::string_view kIgnores = "mcp-c-cancel-late";
    if (!notes.strays.empty()) {
      return charges_.charge(kIgnores, "The client answers a late answer.", "nothing",
                             to_visible(notes.strays.front(), 300));
    }
    if (all.heard_after_late > 0 || has_ended) charges_.exercise(kIgnores);
  }

  // Who asks for one that it has kept from before asks for its own as well.
  void judge_ids(const TaskNotes& tasks) {
    if (tasks.was_asked_for) return charges_.exercise(kIds);
    if (tasks.asked_for_other.empty()) return;
    charges_.charge(kIds, "The client does not ask for its task by the id that it was given.",
                    "the taskId of the answer to its call", to_visible(tasks.asked_for_other, 300));
  }

  void judge_interval(const TaskNotes& tasks) {
    const milliseconds asked(dialogue_.task->poll_interval.value_or(0));
    if (asked < kShortestThatIsTimed) return;
    if (!tasks.shortest_look) {
      charges_.leave_open("the client looks at its task no second time");
      return;
    }
    charges_.exercise(kPolls);
    // A busy machine lets two requests come closer than they were sent.
    if (*tasks.shortest_look * 4 >= asked * 3) return;
    charges_.charge(kPolls, "The client looks at a task sooner than pollInterval says.",
                    std::to_string(asked.count()) + " ms from one tasks/get to the next", "less");
  }

  void judge_end(const TaskNotes& tasks) {
    if (tasks.has_seen_end) {
      charges_.exercise(kPolls);
    } else if (!charges_.is_left_open() && !charges_.has_shown_subject()) {
      charges_.leave_open("the client does not look at its task until that has ended");
    }
    if (tasks.looks_after_end < kLooksTooMany) return;
    charges_.charge(kPolls, "The client goes on looking at a task that has ended.",
                    "no more tasks/get behind " + dialogue_.task->statuses.back(),
                    std::to_string(kLooksTooMany) + " more, or further");
  }

  void judge_input(const TaskNotes& tasks) {
    if (tasks.was_fetched_at_input) charges_.exercise(kInput);
    if (tasks.was_fetched_at_input || tasks.looks_at_input < kLooksTooMany) return;
    charges_.charge(kInput,
                    "The client looks at a task that waits for input, and does not ask for it.",
                    "tasks/result where the status is input_required", "tasks/get");
  }

  void judge_relistening(const SubscriptionNotes& all) {
    if (!all.was_cut) return;
    const auto& since = all.methods_since_cut;
    const auto is_use = [](const std::string& each) { return each != "server/discover"; };
    const bool listens = contains(since, "subscriptions/listen");
    if (!listens && std::ranges::none_of(since, is_use)) {
      charges_.leave_open("the client does not come again to a server that has ended");
      return;
    }
    charges_.exercise("mcp-c-stdio-restart");
    charges_.exercise(kRelisten);
    if (listens) return;
    charges_.charge(kRelisten,
                    "The client comes again to a server that has ended, and does not listen anew.",
                    "subscriptions/listen", since.back());
  }

  const Dialogue& dialogue_;
  DialogueCharges& charges_;
};

}  // namespace

void judge_tasks(const DialogueNotes& notes, const DialogueNotes* other, DialogueCharges& charges) {
  const auto& dialogue = charges.dialogue();
  const bool is_to_be_ignored = charges.subject() == "mcp-c-task-ignored";
  const bool is_of_client = !dialogue.then_say.empty() || is_to_be_ignored;
  if (is_of_client && !charges.is_left_open() && !charges.has_shown_subject()) {
    charges.leave_open(is_to_be_ignored
                           ? "the client has declared tasks for it, or refuses it"
                           : "the client declares no tasks for it (tasks.requests), or refuses it");
  }
  PlayedJudge judge(charges);
  if (dialogue.task) judge.judge(notes.tasks);
  const bool is_begun = !dialogue.task || notes.tasks.begun > 0;
  if (is_begun && !dialogue.reaches.empty()) judge.judge_reaching(notes, other);
}

void judge_subscriptions(const DialogueNotes& notes, DialogueCharges& charges) {
  if (charges.dialogue().subscription) PlayedJudge(charges).judge(notes.subscriptions);
}

void judge_giving_up(const DialogueNotes& notes, const ClientEnd& end, DialogueCharges& charges) {
  if (charges.dialogue().withholds.empty()) return;
  PlayedJudge(charges).judge(notes.withheld, notes, end.status.has_value());
}

}  // namespace jrpcheck::client
