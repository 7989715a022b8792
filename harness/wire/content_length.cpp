#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/letter_case.hpp"
#include "wire/framing.hpp"
#include "wire/header_text.hpp"
#include "wire/queued_framing.hpp"
#include "wire/resynchroniser.hpp"

namespace jrpcheck::wire {
namespace {

constexpr const char* kNoHeader = "bytes that are no header block with Content-Length";

bool is_header_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon != std::string_view::npos && is_token(line.substr(0, colon));
}

/// The length that a header block declares, or why it declares none.
struct DeclaredLength {
  std::uint64_t bytes = 0;
  std::string violation;
};

DeclaredLength declared_length(std::string_view head) {
  std::optional<std::uint64_t> length;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n') + 1);
    head.remove_prefix(line.size());
    const std::size_t colon = line.find(':');
    if (!same_ignoring_case(line.substr(0, colon), "Content-Length")) continue;
    const auto value = decimal(trimmed(without_line_end(line.substr(colon + 1))));
    if (!value) return {0, "Content-Length is not a usable decimal number"};
    if (length && *length != *value) return {0, "two Content-Length headers differ"};
    length = value;
  }
  if (!length) return {0, "the header block has no Content-Length"};
  return {*length, ""};
}

class ContentLengthFraming final : public QueuedFraming {
 public:
  explicit ContentLengthFraming(FrameLimits limits) : limits_(limits) {}

  std::string encode(std::string_view payload) override {
    return "Content-Length: " + std::to_string(payload.size()) + "\r\n\r\n" + std::string(payload);
  }

  void feed(std::string_view bytes) override {
    while (!bytes.empty()) {
      switch (state_) {
        case State::head:
          take_head(bytes);
          break;
        case State::body:
          take_body(bytes);
          break;
        case State::skipped_body:
          skip_body(bytes);
          break;
        case State::noise:
          take_noise(bytes);
          break;
      }
    }
  }

  void end_of_input() override {
    if (state_ == State::head && !head_.empty()) {
      report("the last bytes are no complete header block", head_, head_);
    } else if (state_ == State::body) {
      report("the last message has " + std::to_string(remaining_) +
                 " bytes less than its Content-Length",
             std::exchange(body_, {}), head_);
    } else if (state_ == State::noise) {
      keep_noise(resynchroniser_.give_up());
      finish_noise();
    }
    expect_head();
  }

  std::string unfinished() const override {
    return state_ == State::body ? head_ + body_ : state_ == State::noise ? noise_ : head_;
  }

 private:
  enum class State {
    head,
    body,
    skipped_body,  // a body beyond the limit, whose violation has been reported
    noise,         // bytes between messages, up to the next Content-Length header
  };

  void expect_head() {
    state_ = State::head;
    head_.clear();
    line_start_ = 0;
    lone_line_feed_ = false;
  }

  void take_head(std::string_view& bytes) {
    switch (take_line(bytes, head_, limits_.max_head_bytes)) {
      case LineProgress::partial:
        break;
      case LineProgress::complete:
        finish_head_line();
        break;
      case LineProgress::too_long:
        begin_noise(head_, head_.ends_with('\n'));
        drop_noise("a header block or the bytes before it are longer than the limit");
        break;
    }
  }

  void finish_head_line() {
    const std::string_view line = std::string_view(head_).substr(line_start_);
    const std::string_view text = without_line_end(line);
    const bool lone_line_feed = !line.ends_with("\r\n");
    if (text.empty() && line_start_ > 0) {
      lone_line_feed_ = lone_line_feed_ || lone_line_feed;
      finish_head();
    } else if (is_header_line(text)) {
      lone_line_feed_ = lone_line_feed_ || lone_line_feed;
      line_start_ = head_.size();
    } else {
      turn_head_into_noise();
    }
  }

  /// The last line is no header. It may still hold the start of one: the bytes by which a message
  /// is longer than it said stand right before the next header block.
  void turn_head_into_noise() {
    const std::string last_line = head_.substr(line_start_);
    begin_noise(head_.substr(0, line_start_), true);
    std::string_view bytes = last_line;
    take_noise(bytes);
  }

  void finish_head() {
    const DeclaredLength length = declared_length(head_);
    if (!length.violation.empty()) {
      report(length.violation, head_, head_);
      begin_noise({}, true);
      return;
    }
    if (lone_line_feed_) report("a header line is ended by a lone line feed", head_, head_);
    remaining_ = length.bytes;
    if (remaining_ > limits_.max_message_bytes) {
      report_beyond_limit(
          "Content-Length is more than " + std::to_string(limits_.max_message_bytes), head_, head_);
      state_ = State::skipped_body;
    } else {
      state_ = State::body;
      finish_body_if_whole();
    }
  }

  std::string_view take_remaining(std::string_view& bytes) {
    const auto taken = bytes.substr(0, std::min<std::uint64_t>(remaining_, bytes.size()));
    remaining_ -= taken.size();
    bytes.remove_prefix(taken.size());
    return taken;
  }

  void take_body(std::string_view& bytes) {
    body_.append(take_remaining(bytes));
    finish_body_if_whole();
  }

  void finish_body_if_whole() {
    if (remaining_ > 0) return;
    deliver(std::exchange(body_, {}), std::exchange(head_, {}));
    expect_head();
  }

  void skip_body(std::string_view& bytes) {
    take_remaining(bytes);
    if (remaining_ == 0) expect_head();
  }

  void begin_noise(std::string first_bytes, bool at_line_start) {
    noise_ = std::move(first_bytes);
    head_.clear();
    state_ = State::noise;
    resynchroniser_ = Resynchroniser(at_line_start);
    dropping_noise_ = false;
  }

  void take_noise(std::string_view& bytes) {
    keep_noise(resynchroniser_.take(bytes));
    if (!resynchroniser_.found()) return;
    finish_noise();
    expect_head();
    head_ = resynchroniser_.header_start();
    if (head_.ends_with('\n')) line_start_ = head_.size();
  }

  void keep_noise(std::string_view bytes) {
    if (dropping_noise_) return;
    noise_.append(bytes);
    if (noise_.size() > limits_.max_head_bytes) drop_noise(kNoHeader);
  }

  /// Reports what is too long to be kept at once, for it may never end.
  void drop_noise(const char* violation) {
    report(violation, evidence_of(noise_, limits_.max_head_bytes));
    noise_.clear();
    dropping_noise_ = true;
  }

  void finish_noise() {
    if (!noise_.empty()) report(kNoHeader, std::exchange(noise_, {}));
  }

  FrameLimits limits_;
  State state_ = State::head;

  std::string head_;            // the header lines so far
  std::size_t line_start_ = 0;  // where in head_ the line begins that is being read
  bool lone_line_feed_ = false;

  std::string body_;
  std::uint64_t remaining_ = 0;  // bytes of the body still to come

  std::string noise_;
  bool dropping_noise_ = false;  // within noise whose violation has been reported
  Resynchroniser resynchroniser_{true};
};

}  // namespace

std::unique_ptr<Framing> make_content_length(FrameLimits limits) {
  return std::make_unique<ContentLengthFraming>(limits);
}

}  // namespace jrpcheck::wire
