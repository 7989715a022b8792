#include "client/dialogue_judge.hpp"

#include <utility>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/join.hpp"
#include "client/dialogue_charges.hpp"
#include "client/oauth_judge.hpp"
#include "client/owed_judge.hpp"
#include "client/relay_words.hpp"
#include "client/task_judge.hpp"
#include "client/trial_judge.hpp"
#include "client/version_judge.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::client {
namespace {

using corpus::Dialogue;
using result::CaseResult;

// Two clocks measure the time of a client.
constexpr milliseconds kOfClocks{30};

class DialogueJudge {
 public:
  DialogueJudge(const Dialogue& dialogue, const DialogueTrial& trial,
                const DialogueControl* control, const corpus::Ledger& ledger,
                const DialogueTrial* other)
      : dialogue_(dialogue),
        notes_(trial.notes),
        end_(trial.end),
        control_(control),
        other_(other),
        ledger_(ledger),
        charges_(dialogue, ledger, result_) {
    result_.id = dialogue.id;
    result_.title = dialogue.title;
    result_.requirements = dialogue.requirements;
  }

  CaseResult judge() {
    const std::string ending = end_.status ? end_.status->text() : "";
    const auto heard = joined(notes_.answers, "\n", [](const auto& each) { return each.second; });
    auto told = notes_.was_said ? dialogue_.say : std::vector<std::string>();
    told.insert(told.end(), notes_.said_besides.begin(), notes_.said_besides.end());
    result_.transcript = transcript_of(told, heard, end_.standard_error, ending);
    add_what_rules_found();
    if (!notes_.was_opened) charges_.leave_open("the client did not begin a session");
    if (end_.status && end_.status->by_signal && was_told()) {
      charges_.charge("cl-survives", "The program dies of what the server says.",
                      "it goes on, or ends by itself", end_.status->text());
    } else {
      judge_what_was_said();
      if (control_ == nullptr) judge_end_of_servers();
    }
    if (!result_.findings.empty() && !notes_.oauth) {
      result_.transcript = session_of(end_.traffic);
      const auto last = transcript_of({}, {}, end_.standard_error, ending);
      result_.transcript.insert(result_.transcript.end(), last.begin(), last.end());
    }
    conclude_dialogue(result_);
    const bool is_open = result_.verdict == result::Verdict::not_exercised;
    if (is_open && result_.reason.empty()) {
      charges_.leave_open("nothing that the client does shows it");
    }
    return std::move(result_);
  }

 private:
  // Who has asked for nothing has had no answer to die of.
  bool was_told() const {
    return notes_.was_opened || notes_.was_said || notes_.oauth || !notes_.methods.empty();
  }

  // What the control has shown is not told again.
  void add_what_rules_found() {
    for (const auto& each : notes_.by_rules.findings) {
      if (control_ == nullptr || !holds_finding(control_->result.findings, each)) {
        result_.findings.push_back(each);
      }
    }
    for (const auto& each : notes_.by_rules.exercised.in_order()) result_.exercised.push_back(each);
  }

  void judge_what_was_said() {
    if (notes_.oauth) {
      const auto* flow = other_ == nullptr ? nullptr : &other_->notes;
      return judge_oauth(dialogue_, notes_, flow, ledger_, result_);
    }
    if (!dialogue_.say.empty() && !notes_.was_said) {
      charges_.leave_open(notes_.was_opened
                              ? "the client was never ready, or asked for nothing after it"
                              : "the client did not begin a session");
      return;
    }
    if (has_odd_answers() && !notes_.was_said) {
      charges_.leave_open(dialogue_.needs.empty() || !notes_.was_opened
                              ? "the client asks for nothing of what is answered oddly"
                              : "the client has not declared " + dialogue_.needs.substr(1));
      return;
    }
    if (!dialogue_.owed.empty()) judge_owed(notes_, failure_at_what_was_said(), charges_);
    judge_silence_and_going_on();
    if (dialogue_.forgets_session) judge_renewal();
    if (dialogue_.breaks_stream) judge_resumption();
    if (!dialogue_.awaits.empty()) judge_awaited();
    if (!dialogue_.never_calls.empty()) judge_calls();
    if (dialogue_.follows_cursors) judge_following();
    if (dialogue_.never_fetches) judge_fetching();
    judge_versions(notes_, control_, other_, charges_);
    judge_tasks(notes_, other_ == nullptr ? nullptr : &other_->notes, charges_);
    judge_subscriptions(notes_, charges_);
    judge_giving_up(notes_, end_, charges_);
    if (is_for_rules_alone()) judge_what_is_left_out();
    if (!dialogue_.owed.empty()) say_why_nothing_is_shown(notes_, charges_);
  }

  // What does no harm is shown where all that is asked of it was seen.
  void judge_silence_and_going_on() {
    const bool is_silence_seen = !dialogue_.stays_silent || judge_silence();
    const bool is_going_on_seen = !dialogue_.goes_on || judge_going_on();
    if (!dialogue_.stays_silent && !dialogue_.goes_on) return;
    if (is_silence_seen && is_going_on_seen) charges_.exercise_subject();
  }

  bool judge_silence() {
    if (!notes_.strays.empty()) {
      charges_.charge_subject("The client answers what is no request.", "nothing",
                              to_visible(notes_.strays.front(), 300));
      return true;
    }
    if (notes_.has_had_time || !notes_.methods_since.empty()) return true;
    charges_.leave_open("the client left before it could answer");
    return false;
  }

  // Whoever comes as far as in the control, or fails there as well, may fail for reasons of its
  // own.
  std::string failure_at_what_was_said() const {
    if (control_ == nullptr || !control_->is_steady) return {};
    const auto& as_usual = control_->trial;
    const bool makes_fewer_calls = notes_.methods.size() < as_usual.notes.methods.size();
    if (!makes_fewer_calls || !has_died(end_) || has_died(as_usual.end)) return {};
    return "it " + end_.status->text() + last_words_of(end_.standard_error);
  }

  std::string why_unsteady() const {
    const bool is_known = control_ != nullptr && !control_->difference.empty();
    return is_known ? control_->difference : "the client does not make the same calls each time";
  }

  bool judge_going_on() {
    if (control_ == nullptr || !control_->is_steady) {
      charges_.leave_open(why_unsteady());
      return false;
    }
    const auto& as_usual = control_->trial;
    const auto ending = [](const ClientEnd& end) {
      return end.status ? "it " + end.status->text() : std::string("it goes on");
    };
    const bool makes_fewer_calls = notes_.methods.size() < as_usual.notes.methods.size();
    // Who had to be ended, or is ended by a limit of its own, tells nothing by when it ends.
    const bool ends_otherwise = as_usual.end.status && ending(end_) != ending(as_usual.end);
    if (!makes_fewer_calls && !ends_otherwise) return true;
    charges_.charge_subject(
        "The client does not go on as it does without.",
        std::to_string(as_usual.notes.methods.size()) + " messages, and " + ending(as_usual.end),
        std::to_string(notes_.methods.size()) + ", and " + ending(end_) +
            last_words_of(end_.standard_error));
    return true;
  }

  bool has_odd_answers() const {
    return !dialogue_.in_turn.empty() || !dialogue_.first.empty() ||
           !dialogue_.refuses_stateless.empty();
  }

  // Nothing is asked of the client by itself but what the rules see.
  bool is_for_rules_alone() const {
    return control_ != nullptr && !has_odd_answers() && dialogue_.never_calls.empty() &&
           !notes_.by_rules.exercised.contains(charges_.subject()) && dialogue_.say.empty() &&
           !dialogue_.goes_on && !dialogue_.leaves && !dialogue_.never_fetches &&
           !dialogue_.is_newer && !dialogue_.forgets_session && !dialogue_.task &&
           !dialogue_.subscription && dialogue_.withholds.empty() && !dialogue_.breaks_stream;
  }

  // Who asks for it where it is declared, and here goes on without, has left it out.
  void judge_what_is_left_out() {
    const auto& usual = control_->trial.notes.by_rules.exercised;
    const bool asks_as_a_rule = usual.contains(charges_.subject());
    if (asks_as_a_rule && control_->is_steady && notes_.after_opening > 0) {
      charges_.exercise_subject();
    } else if (!asks_as_a_rule) {
      charges_.leave_open("the client does not ask for it in the control either");
    } else {
      charges_.leave_open(control_->is_steady ? "the client does not go on after initialize"
                                              : why_unsteady());
    }
  }

  void judge_renewal() {
    if (!notes_.was_sent_away) {
      charges_.leave_open("the client asked for nothing in its session");
      return;
    }
    // Of several clients in one program nobody can tell which begins anew.
    const bool is_one_client =
        control_ != nullptr && control_->is_steady && control_->trial.notes.sessions_begun == 1;
    if (!is_one_client) {
      std::erase(result_.exercised, charges_.subject());
      charges_.leave_open("the program does not open one session each time");
      return;
    }
    charges_.exercise_subject();
    if (notes_.has_begun_anew) return;
    charges_.charge_subject(
        "The client begins no new session where its own is gone.", "initialize",
        end_.status ? "it " + end_.status->text() + last_words_of(end_.standard_error) : "nothing");
  }

  // Since 2025-11-25 it is polled behind the first event, and not before the time that it names
  // (Streamable HTTP, Sending Messages); before, whoever wants to may resume it (Resumability).
  void judge_resumption() {
    if (!notes_.was_broken) {
      charges_.leave_open("the client asked for nothing in its session");
      return;
    }
    // Of a run that is about another version the ledger has no such rule.
    const bool polls =
        notes_.version_of_broken == "2025-11-25" && ledger_.find("mcp-c-http-sse-poll") != nullptr;
    if (!notes_.resumed_behind) {
      if (!polls || end_.was_cut_off) {
        charges_.leave_open("the client does not resume a stream");
        return;
      }
      return charges_.charge("mcp-c-http-sse-poll",
                             "The client does not poll a stream that was closed before the answer.",
                             "GET with Last-Event-ID", "nothing");
    }
    charges_.exercise_subject();
    if (*notes_.resumed_behind != kBrokenBehind) {
      charges_.charge_subject("The client resumes a stream behind another event than the last.",
                              "Last-Event-ID: " + std::string(kBrokenBehind),
                              *notes_.resumed_behind);
    }
    if (!polls) return;
    charges_.exercise("mcp-c-http-sse-poll");
    charges_.exercise("mcp-c-http-sse-retry");
    if (notes_.resumed_after >= kRetry - kOfClocks) return;
    charges_.charge("mcp-c-http-sse-retry",
                    "The client resumes a stream before the time that it was told.",
                    std::to_string(kRetry.count()) + " ms", "less");
  }

  void judge_awaited() {
    const auto& since = notes_.methods_since;
    if (contains(since, dialogue_.awaits)) {
      charges_.exercise_subject();
    } else if (dialogue_.awaits_surely) {
      charges_.charge_subject("The client does not ask for " + dialogue_.awaits + " anew.",
                              dialogue_.awaits, since.empty() ? "nothing" : since.back());
    } else {
      charges_.leave_open("whether " + dialogue_.awaits +
                          " is wanted anew is for the program to say");
    }
  }

  // The name stands nowhere but in what the client is to leave out.
  void judge_calls() {
    if (contains(notes_.tools_called, dialogue_.never_calls)) {
      return charges_.charge_subject("The client calls a tool of a list that it was not to take.",
                                     "no call of " + dialogue_.never_calls, dialogue_.never_calls);
    }
    const bool calls_what_is_listed =
        dialogue_.as_in.empty()
            ? contains(notes_.tools_called, dialogue_.calls)
            : other_ != nullptr && contains(other_->notes.tools_called, dialogue_.calls);
    if (calls_what_is_listed) {
      charges_.exercise_subject();
    } else {
      charges_.leave_open("the client does not call what is listed");
    }
  }

  // Who has accepted may go where it was led.
  void judge_fetching() {
    const bool is_elicited = !dialogue_.owed.empty();
    const auto answer =
        is_elicited ? notes_.answers.find(dialogue_.owed.begin()->first) : notes_.answers.end();
    if (is_elicited && answer == notes_.answers.end()) return;
    if (is_elicited && !notes_.declares("/elicitation/url")) {
      charges_.leave_open("the client has not declared elicitation.url");
      return;
    }
    const auto parsed = is_elicited ? json::parse(answer->second) : json::parse("{}");
    if (json::text_at(*parsed.value, "/result/action") == "accept") {
      charges_.leave_open("the client has accepted, and may go where it is led");
      return;
    }
    charges_.exercise_subject();
    if (!notes_.has_fetched) return;
    charges_.charge_subject("The client fetches what it was not to fetch by itself.",
                            "no request for what is below " + std::string(corpus::kAside),
                            "a request for it");
  }

  // The program on stdio: its input is closed before it is told to end (basic/lifecycle §
  // Shutdown).
  void judge_end_of_servers() {
    constexpr std::string_view kShutdown = "mcp-c-shutdown";
    if (ledger_.find(kShutdown) == nullptr || !end_.status || end_.servers_ended.empty()) return;
    charges_.exercise(kShutdown);
    if (!contains(end_.servers_ended, kRelayWasTerminated)) return;
    charges_.charge(kShutdown,
                    "The client ends its server by SIGTERM and has not closed its input.",
                    "the standard input of the server closed first", "SIGTERM");
  }

  void judge_following() {
    if (other_ == nullptr || !other_->notes.asked_by_cursor) {
      charges_.leave_open("the client asks for no further page");
      return;
    }
    charges_.exercise_subject();
    if (notes_.asked_by_cursor) return;
    charges_.charge_subject("The client asks for no further page, and does so elsewhere.",
                            "a request with the cursor as it was given", notes_.last_method());
  }

  const Dialogue& dialogue_;
  const DialogueNotes& notes_;
  const ClientEnd& end_;
  const DialogueControl* control_;
  const DialogueTrial* other_;
  const corpus::Ledger& ledger_;
  CaseResult result_;
  DialogueCharges charges_;
};

}  // namespace

CaseResult judge_dialogue(const Dialogue& dialogue, const DialogueTrial& trial,
                          const DialogueControl* control, const corpus::Ledger& ledger,
                          const DialogueTrial* other) {
  return DialogueJudge(dialogue, trial, control, ledger, other).judge();
}

}  // namespace jrpcheck::client
