#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.hpp"
#include "wire/framing.hpp"
#include "wire/header_text.hpp"
#include "wire/queued_framing.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::size_t kLineEndBytes = 2;

class LinesFraming final : public QueuedFraming {
 public:
  explicit LinesFraming(FrameLimits limits) : limits_(limits) {
    limits_.max_message_bytes =
        std::min(limits.max_message_bytes, std::numeric_limits<std::size_t>::max() - kLineEndBytes);
  }

  std::string encode(std::string_view payload) override {
    return std::string(payload).append("\n");
  }

  void feed(std::string_view bytes) override {
    while (!bytes.empty()) {
      if (dropping_) {
        drop_rest_of_line(bytes);
      } else {
        take(bytes);
      }
    }
  }

  void end_of_input() override {
    if (line_.size() > limits_.max_message_bytes) {
      report_too_long();
    } else if (!is_blank(line_)) {
      report("the last line is not ended by a line feed", line_);
    }
    line_.clear();
  }

  std::string unfinished() const override { return line_; }

 private:
  void take(std::string_view& bytes) {
    // The line end does not count as part of the message, so the buffer has room for it besides.
    switch (take_line(bytes, line_, limits_.max_message_bytes + kLineEndBytes)) {
      case LineProgress::partial:
        break;
      case LineProgress::complete:
        finish_line();
        break;
      case LineProgress::too_long:
        report_too_long();
        dropping_ = true;
        break;
    }
  }

  void finish_line() {
    line_.resize(without_line_end(line_).size());
    if (line_.size() > limits_.max_message_bytes) {
      report_too_long();
    } else if (!is_blank(line_)) {
      deliver(std::exchange(line_, {}));
    }
    line_.clear();
  }

  void report_too_long() {
    report_beyond_limit(
        "a line is longer than " + std::to_string(limits_.max_message_bytes) + " bytes",
        evidence_of(line_, limits_.max_message_bytes));
    line_.clear();
  }

  void drop_rest_of_line(std::string_view& bytes) {
    const std::size_t line_feed = bytes.find('\n');
    dropping_ = line_feed == std::string_view::npos;
    bytes.remove_prefix(dropping_ ? bytes.size() : line_feed + 1);
  }

  FrameLimits limits_;
  std::string line_;
  bool dropping_ = false;  // inside a line whose violation has been reported
};

}  // namespace

std::unique_ptr<Framing> make_lines(FrameLimits limits) {
  return std::make_unique<LinesFraming>(limits);
}

}  // namespace jrpcheck::wire
