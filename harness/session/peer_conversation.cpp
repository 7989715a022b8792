#include "session/peer_conversation.hpp"

#include <algorithm>
#include <utility>

#include "session/framed_connection.hpp"

namespace jrpcheck::session {
namespace {

// How often a server that has just come back is asked whether it serves already.
constexpr milliseconds kRetryInterval{10};

// How often a server is brought back that dies again meanwhile, at the hands of other
// conversations.
constexpr int kAttempts = 5;

// An answer that comes so soon behind a message may have been brought by it.
constexpr milliseconds kAtOnce{50};

constexpr const char* kRefusing = "connections are accepted no more";

constexpr const char* kKeepingOut =
    "every call is refused (HTTP 401, 402 or 403) until the program is started anew";

}  // namespace

std::ptrdiff_t PeerConversation::answers_in(const dialogue::Transcript& transcript) {
  return std::ranges::count_if(transcript.whole(), [](const auto& event) {
    return event.is_control && event.direction == dialogue::Direction::received;
  });
}

std::optional<transport::ExitStatus> PeerConversation::ended(Deadline deadline) const {
  const auto present = program();
  return present ? present->ended(deadline) : std::nullopt;
}

std::string PeerConversation::last_words() const {
  const auto present = program();
  return present ? present->standard_error_tail() : std::string();
}

void PeerConversation::note_unseen_death(const std::optional<transport::ExitStatus>& how) {
  const std::string detail = how                  ? "the program " + how->text()
                             : peer_->is_shared() ? kRefusing
                                                  : "the program closed its output";
  unseen_death_ = UnseenDeath{detail, last_words(), how.has_value()};
}

Result<bool> PeerConversation::start_anew(dialogue::Transcript& transcript) {
  if (!peer_->is_shared() || !peer_->program()) return open(transcript);
  const std::string why = bring_back(peer_->generation());
  if (why.empty()) return true;
  return Error{why};
}

bool PeerConversation::is_there(Control control) {
  return control == Control::answered || control == Control::limited ||
         control == Control::kept_out || control == Control::unavailable;
}

// The connection before may count still with who serves so many at a time.
PeerConversation::Control PeerConversation::ask_newly(dialogue::Transcript& transcript) {
  for (const auto pause : kUntilNoticed) {
    const Control control = ask_newly_once(transcript);
    if (control != Control::closed || !was_turned_away()) return control;
    transport::wait_until(Deadline::in(pause));
  }
  return ask_newly_once(transcript);
}

PeerConversation::Control PeerConversation::ask_newly_once(dialogue::Transcript& transcript) {
  if (!reconnect(transcript)) return Control::closed;
  const std::size_t asked_at = transcript.whole().size();
  const Control control = ask(due_in(for_control()), transcript);
  for (std::size_t i = asked_at; i < transcript.whole().size(); ++i) {
    const auto& event = transcript.whole()[i];
    const bool is_answer = event.is_control && event.direction == dialogue::Direction::received;
    if (is_answer) transcript.put_right(i, event.direction, "on another connection");
  }
  return control;
}

bool PeerConversation::accepts(dialogue::Transcript& transcript) {
  drop();
  const auto connected = peer_->connect(Deadline::in(patience_.timeout()));
  if (!connected) transcript.add(dialogue::Direction::closed, {}, connected.error().message);
  return bool(connected);
}

microseconds PeerConversation::for_control(std::size_t bytes_before) {
  if (std::exchange(is_at_work_, false)) return patience_.for_control_behind_work();
  const microseconds wait = patience_.for_control(bytes_before);
  return std::exchange(is_given_all_, false) ? std::max(wait, patience_.timeout()) : wait;
}

dialogue::SurvivalCheck PeerConversation::check_survival(dialogue::Transcript& transcript) {
  const bool is_doubted = patience_.doubts_silence();
  is_given_all_ = is_doubted;
  if (is_doubted) patience_.begin_doubt();
  const bool was_at_work = is_at_work_;
  auto check = find_out(transcript);
  if (is_doubted) patience_.end_doubt();
  const bool is_silent =
      check.survival == dialogue::Survival::deaf || check.survival == dialogue::Survival::wedged;
  if (is_silent && was_at_work) patience_.note_endless_work();
  if (is_silent && !std::exchange(is_given_all_, false)) patience_.note_hang();
  return check;
}

dialogue::SurvivalCheck PeerConversation::find_out(dialogue::Transcript& transcript) {
  const auto generation = peer_->generation();
  answered_meanwhile_ = false;
  const auto before = answers_in(transcript);
  const auto begin = Clock::now();
  const Control same = ask_again(transcript);
  if (is_there(same) && same != Control::kept_out) {
    // With it came the answer to one before, which had been waited for in vain: the wait was short.
    const bool was_late = has_waited_in_vain_ && answers_in(transcript) - before > 1;
    if (was_late) patience_.forgive();
    auto check = alive(answered_meanwhile_ || was_late);
    // At once, it may have been held back until more is sent.
    check.was_slow = check.answered_meanwhile && Clock::now() - begin > kAtOnce;
    return check;
  }
  const Next next = ask_next(same, answers_in(transcript) > before, transcript);
  if (next == Next::both_answered) {
    patience_.forgive();
    auto check = alive(true);
    check.was_slow = true;
    return check;
  }
  auto check = find_what_became(same, generation, transcript);
  if (check.survival != dialogue::Survival::deaf) return check;
  // What holds answers back, or loses one of those that come together, is no end.
  if (next == Next::held_back && usable()) check = alive(false);
  check.answers_next = next != Next::unanswered;
  return check;
}

// A server that has answered may leave out one call and serve on.
PeerConversation::Next PeerConversation::ask_next(Control first, bool others_were_answered,
                                                  dialogue::Transcript& transcript) {
  const bool stands = first == Control::unanswered || first == Control::unfit;
  if (!stands || !patience_.has_answered()) return Next::unanswered;
  const auto before = answers_in(transcript);
  const bool is_answered = ask_again(transcript) == Control::answered;
  const auto came = answers_in(transcript) - before;
  if (first == Control::unanswered) {
    // The first answer may have been no more than late.
    if (is_answered && came > 1) return Next::both_answered;
    if (pairs_by_ids() && others_were_answered && came > 0) return Next::held_back;
  }
  return is_answered ? Next::answered : Next::unanswered;
}

dialogue::SurvivalCheck PeerConversation::find_what_became(Control same,
                                                           transport::Generation generation,
                                                           dialogue::Transcript& transcript) {
  const bool has_come_late = std::exchange(answered_meanwhile_, false);
  if (!peer_->is_shared()) return find_own_end(same, transcript);
  const Control other = ask_newly(transcript);
  if (other == Control::kept_out) return find_why_kept_out(generation, transcript);
  if (is_there(other)) {
    // A server may close a connection after an error, and who was refused for the number of calls,
    // or the connection, is let in later. But one that stands and answers wrongly, or not at all,
    // is deaf.
    if (same == Control::closed || same == Control::kept_out) {
      auto check = alive(has_come_late || answered_meanwhile_);
      check.keeps_out = same == Control::kept_out;
      return check;
    }
    return {dialogue::Survival::deaf,
            "the connection stands and answers calls no more; a new one works",
            {}};
  }
  // What was asked may have been a server that another conversation has brought back since.
  const auto present = peer_->generation();
  if (present != generation && is_there(ask_newly(transcript))) return alive(false);
  auto check = find_death(present, transcript);
  // Who has never served a connection serves none that this message has not ended.
  const bool is_wedged = check.survival == dialogue::Survival::wedged;
  if (is_wedged && !patience_.has_answered()) check.survival = dialogue::Survival::unasked;
  return check;
}

// Who may call is the server's own affair: a login has ended, a quota is used up. But what is gone
// with the program, where it is ours to start, a message may have brought about.
dialogue::SurvivalCheck PeerConversation::find_why_kept_out(transport::Generation generation,
                                                            dialogue::Transcript& transcript) {
  auto check = alive(answered_meanwhile_);
  check.keeps_out = true;
  if (is_kept_out_anew_ || !peer_->program()) return check;
  const std::string words = last_words();
  if (!bring_back(generation).empty()) return check;
  const Control same = ask_again(transcript);
  is_kept_out_anew_ = (same == Control::closed ? ask_newly(transcript) : same) != Control::answered;
  if (is_kept_out_anew_) return check;
  check.survival = dialogue::Survival::wedged;
  check.detail = kKeepingOut;
  check.standard_error = words;
  check.answer.clear();
  return check;
}

dialogue::SurvivalCheck PeerConversation::find_own_end(Control, dialogue::Transcript& transcript) {
  return find_death(peer_->generation(), transcript);
}

dialogue::SurvivalCheck PeerConversation::find_death(transport::Generation generation,
                                                     dialogue::Transcript& transcript) {
  dialogue::SurvivalCheck check;
  const bool is_accepting = accepts(transcript);
  const auto how = ended(Deadline::in(is_accepting ? microseconds(0) : kReaping));
  check.survival = how || !is_accepting ? dialogue::Survival::dead : dialogue::Survival::wedged;
  check.detail = how            ? "the program " + how->text()
                 : is_accepting ? "connections are accepted and no call is answered on them"
                                : kRefusing;
  check.standard_error = last_words();
  if (how) transcript.add(dialogue::Direction::exited, {}, how->text());
  if (!check.standard_error.empty()) {
    transcript.add(dialogue::Direction::standard_error, check.standard_error);
  }
  // What has just been tried in vain is not tried again.
  const std::string why = gone_.empty() ? bring_back(generation) : std::exchange(gone_, {});
  if (!why.empty()) check.detail += "; " + why;
  return check;
}

std::string PeerConversation::bring_back(transport::Generation generation) {
  const Deadline deadline = Deadline::in(patience_.for_start());
  for (int attempt = 1;; ++attempt) {
    auto back = peer_->revive(generation, deadline);
    const bool is_there = bool(back);
    if (is_there) back = serves_again(deadline);
    if (back && *back) return {};
    if (!peer_->is_shared()) {
      return "started again it " +
             (back ? "answers no call" : "does not come up: " + back.error().message);
    }
    std::string why = is_there ? "it came back and answers no call"
                               : "it did not come back: " + back.error().message;
    if (attempt == kAttempts || deadline.passed()) return why;
    // Only what is known to have died is started again; any other generation was brought back by
    // another conversation meanwhile.
    const auto present = peer_->generation();
    if (ended(Deadline::in(microseconds(0)))) generation = present;
  }
}

// A server that was started anew may accept connections before it serves them. A program of our own
// connection has no others to wait for.
Result<bool> PeerConversation::serves_again(Deadline deadline) {
  const bool is_shared = peer_->is_shared();
  for (;;) {
    dialogue::Transcript aside;
    auto opened = open(aside);
    if (!is_shared && !opened) {
      drop();
      return opened;
    }
    // Of a server that has answered nothing yet no answer can be expected.
    if (opened && !patience_.has_answered()) return true;
    const Deadline wait = is_shared ? deadline : due_in(patience_.for_first_answer());
    const Control control = opened ? ask(wait, aside) : Control::closed;
    const bool still_starts =
        control == Control::unavailable ||
        (control == Control::answered && control_call().says_not_yet(control_answer_));
    if (!still_starts && (is_there(control) || control == Control::unfit)) return true;
    if (control == Control::unanswered) patience_.note_return_in_vain();
    drop();
    if (!is_shared || deadline.passed() || ended(Deadline::in(microseconds(0)))) return false;
    transport::wait_until(Deadline::earlier(deadline, Deadline::in(kRetryInterval)));
  }
}

}  // namespace jrpcheck::session
