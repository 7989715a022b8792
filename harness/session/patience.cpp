#include "session/patience.hpp"

#include <algorithm>

namespace jrpcheck::session {
namespace {

// What no scheduler of a machine that is not overloaded keeps a program from doing.
constexpr milliseconds kLeastForAnswer{100};
constexpr milliseconds kLeastForAnswerAlone{1000};
constexpr milliseconds kLeastForResponse{500};
constexpr milliseconds kLeastForControl{50};
constexpr milliseconds kLeastForStart{500};  // once one has been waited for in vain
constexpr milliseconds kLeastBeforeControl{100};
constexpr milliseconds kLeastBeforeControlOnceMissed{25};

// Answers of a run differ by less than this, but for those that do real work.
constexpr int kRoundTrips = 20;
constexpr int kSlowest = 4;
constexpr int kStartUps = 10;
constexpr int kTimeoutsForWork = 4;

// What is longer is read, and perhaps echoed, at the pace of the slowest parsers.
constexpr std::size_t kShortMessage = 16U << 10;
constexpr microseconds kPerByte{2};

microseconds reading(std::size_t bytes) {
  return bytes <= kShortMessage ? microseconds(0) : microseconds(bytes * kPerByte.count());
}

void raise_to(std::atomic<long long>& highest, long long value) {
  long long known = highest;
  while (known < value && !highest.compare_exchange_weak(known, value)) {
  }
}

}  // namespace

microseconds Patience::within(microseconds wanted, microseconds least) const {
  return std::min(std::max(wanted, least), timeout_);
}

microseconds Patience::shortened(microseconds least) const {
  const microseconds slowest(slowest_us_.load());
  return std::max({least, kRoundTrips * round_trip(), kSlowest * slowest});
}

void Patience::note_answer(microseconds waited, std::size_t sent_bytes) {
  note_first_answer();
  if (sent_bytes <= kShortMessage) raise_to(slowest_us_, waited.count());
}

microseconds Patience::before_control() const {
  return within(10 * round_trip(),
                has_missed_any() ? kLeastBeforeControlOnceMissed : kLeastBeforeControl);
}

microseconds Patience::for_answer(bool well_formed, std::size_t sent_bytes) const {
  if (starting_) return for_first_answer();
  if (!(well_formed ? missed_well_formed_ : missed_malformed_)) return timeout_;
  return std::min(shortened(kLeastForAnswer) + reading(sent_bytes), timeout_);
}

microseconds Patience::for_answer_alone(microseconds took) const {
  return within(10 * took, shortened(kLeastForAnswerAlone));
}

microseconds Patience::for_response(bool well_formed, std::size_t sent_bytes) const {
  const microseconds least = std::min<microseconds>(kLeastForResponse, timeout_);
  return std::max(for_answer(well_formed, sent_bytes), least);
}

microseconds Patience::for_control(std::size_t bytes_before) const {
  if (starting_) return for_first_answer();
  if (!has_missed_any()) return timeout_;
  const milliseconds least = missed_control_ ? kLeastForControl : kForSlow;
  return std::min(shortened(least) + reading(bytes_before), timeout_);
}

microseconds Patience::for_control_behind_work() const {
  return works_endlessly_ ? for_control() : kTimeoutsForWork * timeout_;
}

void Patience::note_missing_answer(bool well_formed) {
  starting_ = false;
  note_wait_in_vain();
  (well_formed ? missed_well_formed_ : missed_malformed_) = true;
}

// Who answers no control call answers nothing, whatever its kind.
void Patience::note_missing_control() {
  starting_ = false;
  missed_well_formed_ = true;
  missed_malformed_ = true;
  missed_control_ = true;
}

void Patience::note_missing_pong() {
  starting_ = false;
  missed_control_ = true;
}

void Patience::note_silence() {
  note_missing_control();
  was_silent_ = true;
}

void Patience::forgive() {
  missed_well_formed_ = false;
  missed_malformed_ = false;
  missed_control_ = false;
}

void Patience::learn_start_up(microseconds measured) {
  raise_to(started_in_us_, std::max<long long>(measured.count(), 1));
}

microseconds Patience::for_start() const {
  const microseconds longest = std::max(timeout_, start_up_);
  const microseconds known(started_in_us_.load());
  if (known.count() == 0) return returned_in_vain_ ? timeout_ : longest;
  const microseconds least = returned_in_vain_ ? microseconds(kLeastForStart) : timeout_;
  return std::clamp(kStartUps * known, std::min(least, longest), longest);
}

// That a program listens is no sign yet that it serves. But most of those that listen and keep
// silent never serve, and are not waited for longer than for an answer unless that is asked for.
microseconds Patience::for_first_answer() const {
  const bool has_shown_nothing = starting_ && !answered_once_;
  const microseconds due =
      gives_whole_start_ && has_shown_nothing ? std::max(timeout_, start_up_) : for_start();
  if (!has_waited_in_vain()) return due;
  return std::max(due - microseconds(waited_us_.load()), timeout_);
}

}  // namespace jrpcheck::session
