#include <algorithm>
#include <cstdint>
#include <utility>

#include "wire/framing.hpp"
#include "wire/header_text.hpp"
#include "wire/queued_framing.hpp"
#include "wire/value_end.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::size_t kHeadBytes = 4;
// So many bytes show that a message begins: its length, and the bracket that follows.
constexpr std::size_t kBeginBytes = kHeadBytes + 1;

std::string head_of(std::size_t size) {
  std::string head;
  for (int shift = 24; shift >= 0; shift -= 8) {
    head.push_back(static_cast<char>((size >> static_cast<unsigned>(shift)) & 0xFFU));
  }
  return head;
}

std::size_t size_in(std::string_view head) {
  std::uint32_t size = 0;
  for (const char byte : head) size = (size << 8U) | static_cast<unsigned char>(byte);
  return size;
}

bool opens_value(char c) { return c == '{' || c == '['; }

// Whether a large message may begin so. Digits are left out: a length ends with one as often.
bool may_begin_message(char c) {
  return std::string_view("{[\" \t\r\n").find(c) != std::string_view::npos;
}

// Nothing in the stream tells where a message begins but the lengths before it. Where one is wrong
// the next message is found all the same: no JSON text holds bytes of zero, with which a length
// begins, and no Object or Array has anything but white space behind its end.
class Length32Framing final : public QueuedFraming {
 public:
  explicit Length32Framing(FrameLimits limits) : limits_(limits) {}

  std::string encode(std::string_view payload) override {
    return head_of(payload.size()).append(payload);
  }

  void feed(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::size_t dropped = std::min(bytes.size(), left_to_drop_);
      bytes.remove_prefix(dropped);
      left_to_drop_ -= dropped;
      if (bytes.empty()) return;
      take(bytes.front());
      bytes.remove_prefix(1);
    }
  }

  void end_of_input() override {
    if (state_ == State::lost && !is_told_) report(std::string(kWrongLength), held_);
    if (state_ == State::behind) head_ = unfinished();
    const bool is_cut = (state_ == State::head || state_ == State::behind) && !head_.empty();
    if (is_cut || state_ == State::payload) {
      report("the last message is not complete", head_ + payload_, head_);
    }
    payload_.clear();
    held_.clear();
    expect_head();
  }

  std::string unfinished() const override {
    switch (state_) {
      case State::head:
        return head_;
      case State::payload:
        return payload_;
      case State::behind:
        return held_.substr(std::min(belonging_, held_.size()));
      case State::lost:
        return held_;
    }
    return {};
  }

 private:
  enum class State {
    head,
    payload,
    behind,  // a value that ended before its message, as its length has it: which of them is right?
    lost,    // no message begins here: the next one is looked for
  };

  void take(char c) {
    switch (state_) {
      case State::head:
        head_.push_back(c);
        if (head_.size() == kHeadBytes) begin_message();
        return;
      case State::payload:
        return take_payload(c);
      case State::behind:
        held_.push_back(c);
        if (held_.size() == kBeginBytes) settle_length();
        return;
      case State::lost:
        return look_for_message(c);
    }
  }

  void expect_head() {
    state_ = State::head;
    head_.clear();
  }

  void begin_message() {
    const std::size_t size = size_in(head_);
    if (size > limits_.max_message_bytes) {
      state_ = State::lost;
      is_told_ = false;
      held_ = std::exchange(head_, {});
      return;
    }
    begin_payload();
    if (size == 0) finish();
  }

  void begin_payload() {
    state_ = State::payload;
    value_end_ = {};
    value_size_ = 0;
  }

  void take_payload(char c) {
    payload_.push_back(c);
    const std::size_t size = size_in(head_);
    if (value_size_ == 0) {
      const bool is_end = opens_value(payload_.front()) && value_end_.is_at(c);
      if (is_end) value_size_ = payload_.size();
      // Who has been seen to give lengths that are too large would be waited for in vain.
      if (is_end && lengths_are_large_ && payload_.size() < size) {
        belonging_ = size - payload_.size();
        state_ = State::behind;
        return deliver(std::exchange(payload_, {}), std::exchange(head_, {}));
      }
    } else if (begins_message(std::string_view(payload_).substr(value_size_))) {
      const std::string next = payload_.substr(value_size_);
      payload_.resize(value_size_);
      finish();
      lengths_are_large_ = true;
      return begin_out_of_place(next, next);
    }
    if (payload_.size() == size) finish();
  }

  void finish() {
    const std::string behind = value_size_ > 0 ? payload_.substr(value_size_) : std::string();
    deliver(std::exchange(payload_, {}), std::exchange(head_, {}));
    expect_head();
    if (behind.empty() || behind.front() != '\0' || behind.size() >= kBeginBytes) return;
    state_ = State::behind;
    belonging_ = behind.size();
    held_ = behind;
  }

  /// Whether the next message begins right behind the value, or where the length has said.
  void settle_length() {
    const std::string held = std::exchange(held_, {});
    if (begins_message(held)) {
      lengths_are_large_ = true;
      return begin_out_of_place(held, held);
    }
    expect_head();
    const std::size_t rest = std::min(belonging_, held.size());
    left_to_drop_ = belonging_ - rest;
    for (const char c : held.substr(rest)) take(c);
  }

  bool begins_message(std::string_view bytes) const {
    if (bytes.size() != kBeginBytes || !opens_value(bytes.back())) return false;
    const std::size_t size = size_in(bytes.substr(0, kHeadBytes));
    return size > 1 && size <= limits_.max_message_bytes && bytes.front() == '\0';
  }

  /// A message begins that no length has announced; `wrong` shows it.
  void begin_out_of_place(const std::string& wrong, const std::string& begin) {
    report(std::string(kWrongLength), wrong);
    head_ = begin.substr(0, kHeadBytes);
    begin_payload();
    take_payload(begin.back());
  }

  void look_for_message(char c) {
    held_.push_back(c);
    if (held_.size() <= kBeginBytes) return;
    const std::size_t at = held_.size() - kBeginBytes;
    const std::string begin = held_.substr(at);
    if (begins_message(begin)) {
      const std::string wrong = std::exchange(held_, {}).substr(0, at);
      if (!is_told_) return begin_out_of_place(wrong, begin);
      head_ = begin.substr(0, kHeadBytes);
      begin_payload();
      return take_payload(begin.back());
    }
    // What may well be a message is beyond a limit of ours, and breaks no rule.
    if (at == 1 && !is_told_ && may_begin_message(held_[kHeadBytes])) return pass_over();
    if (held_.size() <= std::max(limits_.max_head_bytes, kBeginBytes)) return;
    if (!std::exchange(is_told_, true)) {
      report(std::string(kWrongLength), evidence_of(held_, limits_.max_head_bytes));
    }
    held_ = begin;
  }

  void pass_over() {
    const std::string head = held_.substr(0, kHeadBytes);
    report_beyond_limit(
        "a message is longer than " + std::to_string(limits_.max_message_bytes) + " bytes", head,
        head);
    left_to_drop_ = size_in(head) - (held_.size() - kHeadBytes);
    held_.clear();
    expect_head();
  }

  FrameLimits limits_;
  State state_ = State::head;
  std::string head_;
  std::string payload_;
  ValueEnd value_end_;
  std::size_t value_size_ = 0;      // of the Object or Array in `payload_`, once it has ended
  std::string held_;                // behind a value, or since the place was lost
  std::size_t belonging_ = 0;       // so many bytes behind the value are its message's, it was said
  bool lengths_are_large_ = false;  // one has been found to be
  bool is_told_ = false;            // what is read since the place was lost
  std::size_t left_to_drop_ = 0;    // of a message that is beyond the limit
};

}  // namespace

std::unique_ptr<Framing> make_length32(FrameLimits limits) {
  return std::make_unique<Length32Framing>(limits);
}

}  // namespace jrpcheck::wire
