#include <algorithm>
#include <cstdint>
#include <utility>

#include "wire/framing.hpp"
#include "wire/queued_framing.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::size_t kHeadBytes = 4;

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

// Nothing in the stream tells where a message begins but the lengths before it: once one is wrong
// all that follows is lost, and reported as what breaks the framing.
class Length32Framing final : public QueuedFraming {
 public:
  explicit Length32Framing(FrameLimits limits) : limits_(limits) {}

  std::string encode(std::string_view payload) override {
    return head_of(payload.size()).append(payload);
  }

  void feed(std::string_view bytes) override {
    while (!bytes.empty()) {
      if (left_to_drop_ > 0) {
        drop(bytes);
      } else if (head_.size() < kHeadBytes) {
        take(bytes, kHeadBytes, head_);
        if (head_.size() == kHeadBytes) begin_message();
      } else {
        take(bytes, size_in(head_), payload_);
        finish_if_whole();
      }
    }
  }

  void end_of_input() override {
    if (!head_.empty()) report("the last message is not complete", head_ + payload_, head_);
    head_.clear();
    payload_.clear();
  }

  std::string unfinished() const override { return payload_; }

 private:
  static void take(std::string_view& bytes, std::size_t until, std::string& into) {
    const std::size_t size = std::min(bytes.size(), until - into.size());
    into.append(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }

  void drop(std::string_view& bytes) {
    const std::size_t size = std::min(bytes.size(), left_to_drop_);
    bytes.remove_prefix(size);
    left_to_drop_ -= size;
  }

  void begin_message() {
    const std::size_t size = size_in(head_);
    if (size > limits_.max_message_bytes) {
      report_beyond_limit(
          "a message is longer than " + std::to_string(limits_.max_message_bytes) + " bytes", head_,
          head_);
      left_to_drop_ = size;
      head_.clear();
    } else {
      finish_if_whole();
    }
  }

  void finish_if_whole() {
    if (payload_.size() < size_in(head_)) return;
    deliver(std::exchange(payload_, {}), std::exchange(head_, {}));
  }

  FrameLimits limits_;
  std::string head_;
  std::string payload_;
  std::size_t left_to_drop_ = 0;  // of a message that is beyond the limit
};

}  // namespace

std::unique_ptr<Framing> make_length32(FrameLimits limits) {
  return std::make_unique<Length32Framing>(limits);
}

}  // namespace jrpcheck::wire
