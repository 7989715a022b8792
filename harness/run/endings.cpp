#include "run/endings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "base/last_words.hpp"
#include "run/case_verdict.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::run {
namespace {

constexpr std::size_t kShownOfAnswer = 100;  // bytes

std::string times(std::size_t number) {
  return number == 1 ? "once" : fmt::format("{} times", number);
}

}  // namespace

void Endings::note_unexplained(const dialogue::SurvivalCheck& how, const std::string& during) {
  if (is_interrupted()) return;  // whoever has not answered by then may have been about to
  if (how.keeps_out) return note_kept_out(during);  // may be a quota of each process
  const std::lock_guard lock(mutex_);
  if (how.answers_next) {
    if (++left_out_ == 1) first_left_out_during_ = during;
    return;
  }
  ++count_;
  if (++unexplained_ == 1) first_during_ = during;
  if (how.survival == dialogue::Survival::dead) ++deaths_;
  ++details_[how.detail.substr(0, how.detail.find(';'))];
  if (!how.standard_error.empty()) standard_error_ = how.standard_error;
}

void Endings::note_lost_answer(const std::string& case_id, std::vector<dialogue::Event> shown_by) {
  const std::lock_guard lock(mutex_);
  if (++lost_ > 1) return;
  first_lost_in_ = case_id;
  lost_shown_by_ = std::move(shown_by);
}

void Endings::note_changed(const std::string& answer, const std::string& during) {
  const std::lock_guard lock(mutex_);
  ++changes_;
  if (++unexplained_ == 1) first_during_ = during;
  // Apart from its id each says the same.
  if (changes_ == 1) changed_answer_ = to_visible(answer, kShownOfAnswer);
  ++details_["every call was answered so: " + changed_answer_];
}

void Endings::note_kept_out(const std::string& during) {
  const std::lock_guard lock(mutex_);
  if (kept_out_during_.empty()) kept_out_during_ = during;
}

std::string Endings::kept_out_during() const {
  const std::lock_guard lock(mutex_);
  return kept_out_during_;
}

void Endings::note_unclear(const dialogue::SurvivalCheck& how,
                           const std::vector<std::string>& during) {
  note_unexplained(how, fmt::format("while these were under way: {}", fmt::join(during, ", ")));
  const std::lock_guard lock(mutex_);
  is_unclear_ = true;
  const auto behind = how.detail.find(';');
  if (behind != std::string::npos) why_gone_ = how.detail.substr(behind);
}

std::size_t Endings::unexplained() const {
  const std::lock_guard lock(mutex_);
  return unexplained_ + left_out_ + lost_;
}

bool Endings::are_unexplained_deaths() const {
  const std::lock_guard lock(mutex_);
  return deaths_ > 0 && deaths_ == unexplained_ && !is_unclear_;
}

void Endings::explain_deaths() {
  const std::lock_guard lock(mutex_);
  unexplained_ = 0;
  deaths_ = 0;
  details_.clear();
  first_during_.clear();
  standard_error_.clear();
}

std::string Endings::how_answers_are_missing() const {
  std::string how;
  if (left_out_ > 0) {
    how = fmt::format(
        "none in time to a call that asks whether the server serves ({}), and one when the next "
        "was sent; first seen {}",
        times(left_out_), first_left_out_during_);
  }
  if (lost_ > 0) {
    how += fmt::format(
        "{}none in time to what a case sends ({}), and one when it ran again alone; "
        "first seen in {}",
        how.empty() ? "" : "; ", times(lost_), first_lost_in_);
  }
  return how;
}

SideDialogue Endings::dialogue(const corpus::Ledger& ledger, const judge::Context& context) const {
  SideDialogue dialogue(kEndingsDialogue, ledger, context);
  const std::lock_guard lock(mutex_);
  if (left_out_ + lost_ > 0) {
    result::SideExchange shown{{}, lost_shown_by_, {}};
    shown.transcript.push_back(
        fact_event(dialogue::Fact::call_left_out, how_answers_are_missing(), {}));
    dialogue.take(std::move(shown));
  }
  if (unexplained_ == 0) return dialogue;
  std::string actual;
  for (const auto& [detail, number] : details_) {
    actual += (actual.empty() ? "" : "; ") + detail;
    actual += number == 1 ? "" : " (" + times(number) + ")";
  }
  actual += why_gone_ + "; first seen " + first_during_;
  if (!standard_error_.empty()) {
    actual += "; standard error ends with: " + last_words(standard_error_);
  }
  const std::string_view what = deaths_ == unexplained_    ? "ended"
                                : changes_ == unexplained_ ? "began to answer every call otherwise"
                                : changes_ > 0             ? "stopped serving"
                                : deaths_ == 0             ? "stopped answering"
                                                           : "ended or stopped answering";
  const std::string_view why =
      !is_unclear_ ? "none of the messages around it makes it do so alone."
      : starts_server_
          ? "it did not come back, so which message made it do so cannot be told. With --jobs 1 it "
            "can."
          : "it did not come back, so which message made it do so cannot be told. With --jobs 1, "
            "or started by jrpcheck (TARGET -- COMMAND), it can.";
  dialogue.note(fact_event(dialogue::Fact::went_away, std::move(actual),
                           fmt::format("The server {} {}; {}", what, times(unexplained_), why)),
                {}, {});
  return dialogue;
}

Watched watch_until(Deadline deadline, session::Conversation& conversation) {
  constexpr int kCallsInARow = 100;  // more would be load, and tell no more
  constexpr milliseconds kPause{5};
  dialogue::Transcript aside;
  Watched watched{conversation.check_survival(aside)};
  while (watched.check.survival == dialogue::Survival::alive && !is_interrupted() &&
         !deadline.passed()) {
    if (watched.calls >= kCallsInARow) {
      transport::wait_until(Deadline::earlier(deadline, Deadline::in(kPause)));
    }
    dialogue::Transcript unkept;
    watched.check = conversation.check_survival(unkept);
    ++watched.calls;
  }
  return watched;
}

bool goes_away_anyway(session::Conversation& conversation, int calls) {
  constexpr int kMoreCalls = 12;  // than what is to be told apart has made
  dialogue::Transcript aside;
  if (!conversation.start_anew(aside)) return false;
  for (int i = 0; i < calls + kMoreCalls; ++i) {
    if (is_lost(conversation.check_survival(aside).survival)) return true;
  }
  return false;
}

}  // namespace jrpcheck::run
