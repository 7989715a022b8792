#include <algorithm>
#include <utility>

#include "wire/framing.hpp"
#include "wire/header_text.hpp"
#include "wire/queued_framing.hpp"
#include "wire/value_end.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";  // RFC 8259 §2
constexpr std::string_view kStructuralStarts = "{[\"";
constexpr std::string_view kScalarStarts = "-0123456789tfn";

bool is_one_of(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

bool ends_run(char c) { return is_one_of(kWhiteSpace, c) || is_one_of(kStructuralStarts, c); }

class ConcatenatedFraming final : public QueuedFraming {
 public:
  explicit ConcatenatedFraming(FrameLimits limits) : limits_(limits) {}

  std::string encode(std::string_view payload) override {
    return std::string(payload).append("\n");
  }

  void feed(std::string_view bytes) override {
    while (!bytes.empty()) {
      switch (inside_) {
        case Inside::nothing:
          begin(bytes);
          break;
        case Inside::scalar:
        case Inside::noise:
          take_run(bytes);
          break;
        case Inside::value:
          take_value(bytes);
          break;
      }
    }
  }

  void end_of_input() override {
    if (inside_ == Inside::value) {
      finish("the last value is not complete");
    } else if (inside_ != Inside::nothing) {
      finish_run();
    }
  }

 private:
  enum class Inside {
    nothing,
    scalar,  // a number or literal, which ends where something else begins
    value,   // an object, array or string, which ends by itself
    noise,   // bytes that begin no value
  };

  void begin(std::string_view& bytes) {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(kWhiteSpace), bytes.size()));
    if (bytes.empty()) return;
    const char first = bytes.front();
    if (is_one_of(kStructuralStarts, first)) {
      inside_ = Inside::value;
    } else {
      inside_ = is_one_of(kScalarStarts, first) ? Inside::scalar : Inside::noise;
    }
  }

  void take_run(std::string_view& bytes) {
    const auto end = std::ranges::find_if(bytes, ends_run);
    const auto length = static_cast<std::size_t>(end - bytes.begin());
    keep(bytes.substr(0, length));
    bytes.remove_prefix(length);
    if (!bytes.empty()) finish_run();
  }

  void take_value(std::string_view& bytes) {
    std::size_t length = 0;
    bool ended = false;
    while (length < bytes.size() && !ended) ended = value_end_.is_at(bytes[length++]);
    keep(bytes.substr(0, length));
    bytes.remove_prefix(length);
    if (ended) finish("");
  }

  void keep(std::string_view bytes) {
    if (dropping_) return;
    token_.append(bytes);
    if (token_.size() <= limits_.max_message_bytes) return;
    report_beyond_limit(
        "a value is longer than " + std::to_string(limits_.max_message_bytes) + " bytes",
        evidence_of(token_, limits_.max_message_bytes));
    dropping_ = true;
    token_.clear();
  }

  void finish_run() { finish(inside_ == Inside::noise ? "bytes that begin no JSON value" : ""); }

  /// Ends what is being read; an empty `violation` makes it a message.
  void finish(std::string violation) {
    if (!dropping_) report(std::move(violation), std::move(token_));
    token_.clear();
    inside_ = Inside::nothing;
    value_end_ = {};
    dropping_ = false;
  }

  FrameLimits limits_;
  Inside inside_ = Inside::nothing;
  std::string token_;
  ValueEnd value_end_;
  bool dropping_ = false;  // inside something whose violation has been reported
};

}  // namespace

std::unique_ptr<Framing> make_concatenated(FrameLimits limits) {
  return std::make_unique<ConcatenatedFraming>(limits);
}

}  // namespace jrpcheck::wire
