#include <algorithm>
#include <deque>
#include <utility>

#include "wire/header_text.hpp"
#include "wire/http1.hpp"
#include "wire/http1_head.hpp"

namespace jrpcheck::wire {

class HttpReader::Stream {
 public:
  Stream(Role role, FrameLimits limits) : role_(role), limits_(limits) {}

  void expect_response_to(std::string_view method) { methods_.emplace_back(method); }

  void feed(std::string_view bytes) {
    while (!bytes.empty() && phase_ != Phase::ended) take(bytes);
  }

  void end_of_input() {
    if (phase_ == Phase::body_until_close) {
      deliver();
    } else if (phase_ == Phase::head && mid_message()) {
      message_.head = head_;
      fail("the connection was closed within the head of a message (RFC 9112 §8)");
    } else if (mid_message()) {
      fail("the connection was closed within the body of a message (RFC 9112 §8)");
    }
    phase_ = Phase::ended;
  }

  std::optional<HttpMessage> next() {
    if (messages_.empty()) return std::nullopt;
    HttpMessage message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

  const HttpMessage* pending_head() const {
    return phase_ == Phase::head || phase_ == Phase::ended ? nullptr : &message_;
  }

  std::string take_pending_body() {
    return pending_head() == nullptr ? std::string() : std::exchange(message_.body, {});
  }

  bool mid_message() const {
    // A lone CR may be half of an empty line between messages, which is no part of either.
    if (phase_ == Phase::head) return !head_.empty() && head_ != "\r";
    return phase_ != Phase::ended;
  }

 private:
  enum class Phase {
    head,
    counted_body,
    body_until_close,
    chunk_size,
    chunk_data,
    chunk_end,  // the line end behind the data of a chunk
    trailers,
    ended,  // after a violation, an upgrade or the end of input
  };

  void take(std::string_view& bytes) {
    switch (phase_) {
      case Phase::head:
        return take_head(bytes);
      case Phase::counted_body:
        if (take_data(bytes)) deliver();
        return;
      case Phase::body_until_close:
        return take_until_close(bytes);
      case Phase::chunk_data:
        if (take_data(bytes)) phase_ = Phase::chunk_end;
        return;
      case Phase::chunk_size:
      case Phase::chunk_end:
      case Phase::trailers:
        return take_chunk_line(bytes);
      case Phase::ended:
        return;
    }
  }

  void take_head(std::string_view& bytes) {
    const LineProgress progress = take_line(bytes, head_, limits_.max_head_bytes);
    if (progress == LineProgress::too_long) {
      message_.head = evidence_of(head_, limits_.max_head_bytes);
      fail("the head of a message is longer than " + std::to_string(limits_.max_head_bytes) +
           " bytes");
    }
    if (progress != LineProgress::complete) return;
    const auto line = without_line_end(std::string_view(head_).substr(line_start_));
    const bool is_first = line_start_ == 0;
    line_start_ = head_.size();
    if (line.empty()) {
      finish_head(is_first);
    } else if (is_first) {
      check_start_line(line);
    }
  }

  /// What does not begin as HTTP may never have an empty line, so it is not waited for.
  void check_start_line(std::string_view line) {
    HttpMessage probe;
    parse_start_line(probe, role_, line);
    if (probe.violation.empty()) return;
    message_.head = evidence_of(head_, limits_.max_head_bytes);
    fail(std::move(probe.violation));
  }

  void finish_head(bool is_empty_line_before_message) {
    message_.head = std::exchange(head_, {});
    line_start_ = 0;
    if (is_empty_line_before_message) {  // RFC 9112 §2.2
      message_ = {};
      return;
    }
    parse_head(message_, role_);
    if (!message_.violation.empty()) return fail(std::move(message_.violation));
    if (message_.status >= 100 && message_.status < 200 && message_.status != 101) {
      message_ = {};  // RFC 9110 §15.2: an interim response, not the answer
      return;
    }
    begin_body();
  }

  void begin_body() {
    std::string method;
    if (!methods_.empty()) {
      method = std::move(methods_.front());
      methods_.pop_front();
    }
    const BodyPlan plan = plan_body(message_, role_, method);
    if (!message_.violation.empty()) return fail(std::move(message_.violation));
    switch (plan.end) {
      case BodyEnd::none:
        return deliver();
      case BodyEnd::close:
        phase_ = Phase::body_until_close;
        return;
      case BodyEnd::chunked:
        phase_ = Phase::chunk_size;
        return;
      case BodyEnd::length:
        phase_ = Phase::counted_body;
        return expect_data(plan.length);
    }
  }

  /// No room is set aside for what is only announced: a hostile peer must not choose our memory.
  void expect_data(std::uint64_t size) {
    remaining_ = size;
    if (size > limits_.max_message_bytes - message_.body.size())
      return fail_beyond_limit(too_long_body());
    if (size == 0) deliver();
  }

  bool take_data(std::string_view& bytes) {
    const auto taken = bytes.substr(0, std::min<std::uint64_t>(remaining_, bytes.size()));
    message_.body.append(taken);
    remaining_ -= taken.size();
    bytes.remove_prefix(taken.size());
    return remaining_ == 0;
  }

  void take_until_close(std::string_view& bytes) {
    const std::size_t room = limits_.max_message_bytes - message_.body.size();
    message_.body.append(bytes.substr(0, room));
    if (bytes.size() > room) return fail_beyond_limit(too_long_body());
    bytes = {};
  }

  void take_chunk_line(std::string_view& bytes) {
    // Trailers share one limit; the other lines have one each (RFC 9112 §7.1.1).
    switch (take_line(bytes, line_, limits_.max_head_bytes - trailer_bytes_)) {
      case LineProgress::partial:
        return;
      case LineProgress::too_long:
        return fail("a line of the chunked coding is longer than the limit (RFC 9112 §7.1)");
      case LineProgress::complete:
        break;
    }
    const std::string line = std::exchange(line_, {});
    if (phase_ == Phase::chunk_size) return begin_chunk(without_line_end(line));
    const bool is_empty = without_line_end(line).empty();
    if (phase_ == Phase::trailers) {
      trailer_bytes_ += line.size();
      if (is_empty) deliver();
    } else if (is_empty) {
      phase_ = Phase::chunk_size;
    } else {
      fail("a chunk is longer than its size says (RFC 9112 §7.1)");
    }
  }

  void begin_chunk(std::string_view line) {
    const auto size = hexadecimal(trimmed(line.substr(0, line.find(';'))));
    if (!size) return fail("a chunk size is not a usable hexadecimal number (RFC 9112 §7.1)");
    if (*size == 0) {
      phase_ = Phase::trailers;
      return;
    }
    phase_ = Phase::chunk_data;
    expect_data(*size);
  }

  std::string too_long_body() const {
    return "the body is longer than " + std::to_string(limits_.max_message_bytes) + " bytes";
  }

  void deliver() {
    const bool is_upgrade = message_.status == 101;
    messages_.push_back(std::exchange(message_, {}));
    trailer_bytes_ = 0;
    // What follows an upgrade is of another protocol (RFC 9110 §15.2.2).
    phase_ = is_upgrade ? Phase::ended : Phase::head;
  }

  void fail_beyond_limit(std::string limit) {
    message_.beyond_limit = true;
    fail(std::move(limit));
  }

  void fail(std::string violation) {
    message_.violation = std::move(violation);
    message_.keep_alive = false;
    deliver();
    phase_ = Phase::ended;
  }

  Role role_;
  FrameLimits limits_;
  std::deque<std::string> methods_;  // of requests whose response has not begun
  Phase phase_ = Phase::head;
  HttpMessage message_;

  std::string head_;
  std::size_t line_start_ = 0;  // where in head_ the line begins that is being read

  std::uint64_t remaining_ = 0;  // bytes of the body or chunk still to come
  std::string line_;             // of the chunked coding
  std::size_t trailer_bytes_ = 0;

  std::deque<HttpMessage> messages_;
};

HttpReader::HttpReader(Role role, FrameLimits limits)
    : stream_(std::make_unique<Stream>(role, limits)) {}
HttpReader::HttpReader(HttpReader&&) noexcept = default;
HttpReader& HttpReader::operator=(HttpReader&&) noexcept = default;
HttpReader::~HttpReader() = default;

void HttpReader::expect_response_to(std::string_view method) {
  stream_->expect_response_to(method);
}

void HttpReader::feed(std::string_view bytes) { stream_->feed(bytes); }

void HttpReader::end_of_input() { stream_->end_of_input(); }

std::optional<HttpMessage> HttpReader::next() { return stream_->next(); }

const HttpMessage* HttpReader::pending_head() const { return stream_->pending_head(); }

std::string HttpReader::take_pending_body() { return stream_->take_pending_body(); }

bool HttpReader::mid_message() const { return stream_->mid_message(); }

}  // namespace jrpcheck::wire
