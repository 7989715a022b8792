#include <algorithm>
#include <deque>
#include <utility>

#include "base/names.hpp"
#include "wire/utf8_checker.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::size_t kLeastHead = 2;
constexpr std::size_t kMaskBytes = 4;
constexpr unsigned kCompressedBit = 4;  // RSV1: RFC 7692 §6

unsigned byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

}  // namespace

std::string_view name_of(WebSocketFault fault) {
  return name_at(
      {"", "a frame is not masked", "a frame is masked", "a reserved bit is set",
       "a reserved opcode", "a continuation of nothing", "a message begins within another",
       "a control frame of more than 125 bytes", "a control frame in fragments",
       "a length that is not in its shortest form", "a length whose highest bit is set",
       "a Close with half a code", "a Close with a code that is reserved", "text that is not UTF-8",
       "a Close whose reason is not UTF-8", "the stream ends within a frame",
       "a message is longer than what is taken", "a compressed message that cannot be inflated",
       "a data frame behind a Close"},
      fault);
}

int close_code_for(WebSocketFault fault) {
  switch (fault) {
    case WebSocketFault::not_utf8:
    case WebSocketFault::reason_not_utf8:
    case WebSocketFault::not_deflated:
      return 1007;
    case WebSocketFault::too_long:
      return 1009;
    default:
      return 1002;
  }
}

// The head of a frame, as far as it has come.
struct WebSocketReader::Head {
  std::string bytes;

  bool has_begun() const { return !bytes.empty(); }
  bool is_final() const { return (byte_at(bytes, 0) & 0x80U) != 0; }
  unsigned reserved_bits() const { return (byte_at(bytes, 0) >> 4U) & 7U; }
  unsigned opcode() const { return byte_at(bytes, 0) & 0x0FU; }
  bool is_control() const { return opcode() >= kClose; }
  bool is_masked() const { return (byte_at(bytes, 1) & 0x80U) != 0; }

  std::size_t length_bytes() const {
    const unsigned form = byte_at(bytes, 1) & 0x7FU;
    if (form < 126) return 0;
    return form == 126 ? 2 : 8;
  }
  // Known once there are two bytes.
  std::size_t size() const { return kLeastHead + length_bytes() + (is_masked() ? kMaskBytes : 0); }
  std::uint64_t length() const {
    if (length_bytes() == 0) return byte_at(bytes, 1) & 0x7FU;
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < length_bytes(); ++i) {
      length = (length << 8U) | byte_at(bytes, kLeastHead + i);
    }
    return length;
  }
  bool is_shortest() const {
    if (length_bytes() == 0) return true;
    return length() > (length_bytes() == 2 ? kLongestControl : 0xFFFFU);
  }
  std::string_view mask() const {
    if (!is_masked()) return {};
    return std::string_view(bytes).substr(bytes.size() - kMaskBytes);
  }
};

class WebSocketReader::Stream {
 public:
  Stream(Role role, FrameLimits limits) : role_(role), limits_(limits) {}

  void use_deflate(const DeflateParameters& parameters) {
    deflate_ = parameters;
    inflater_.emplace(parameters);
  }

  void feed(std::string_view bytes) {
    while (!bytes.empty() && !is_lost_) {
      if (left_to_drop_ > 0) {
        drop(bytes);
      } else if (!head_is_read_) {
        read_head(bytes);
      } else {
        read_payload(bytes);
      }
    }
  }

  void end_of_input() {
    const bool is_cut = head_.has_begun() || is_within_message_ || left_to_drop_ > 0;
    if (is_cut && !is_closed_ && !is_lost_) {
      report(WebSocketFault::cut_off, head_.has_begun() ? raw_frame() : message_);
    }
    is_lost_ = true;
  }

  std::optional<WebSocketItem> next() {
    if (items_.empty()) return std::nullopt;
    WebSocketItem item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

  std::string unfinished() const {
    return head_is_read_ && !head_.is_control() ? message_ + payload_ : message_;
  }

 private:
  void report(WebSocketFault fault, std::string bytes) {
    WebSocketItem item;
    item.kind = WebSocketItem::Kind::fault;
    item.fault = fault;
    item.payload = std::move(bytes);
    items_.push_back(std::move(item));
  }

  std::string raw_frame() const { return head_.bytes + payload_; }

  void drop(std::string_view& bytes) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_to_drop_));
    bytes.remove_prefix(size);
    left_to_drop_ -= size;
  }

  void read_head(std::string_view& bytes) {
    const std::size_t wanted = head_.bytes.size() < kLeastHead ? kLeastHead : head_.size();
    const std::size_t size = std::min(bytes.size(), wanted - head_.bytes.size());
    head_.bytes.append(bytes.substr(0, size));
    bytes.remove_prefix(size);
    if (head_.bytes.size() >= kLeastHead && head_.bytes.size() == head_.size()) begin_payload();
  }

  // What is wrong is told when the whole head is there, before any of the payload.
  void begin_payload() {
    const auto complain = [this](bool is_wrong, WebSocketFault fault) {
      if (is_wrong) report(fault, head_.bytes);
    };
    const unsigned opcode = head_.opcode();
    const bool is_known = opcode <= kBinary || (opcode >= kClose && opcode <= kPong);
    complain(role_ == Role::server && !head_.is_masked(), WebSocketFault::not_masked);
    complain(role_ == Role::client && head_.is_masked(), WebSocketFault::masked);
    complain(is_closed_ && !head_.is_control(), WebSocketFault::behind_close);
    complain(has_wrong_bits(), WebSocketFault::reserved_bits);
    complain(!is_known, WebSocketFault::reserved_opcode);
    complain(opcode == kContinuation && !is_within_message_, WebSocketFault::nothing_to_continue);
    complain((opcode == kText || opcode == kBinary) && is_within_message_,
             WebSocketFault::message_interrupted);
    complain(head_.is_control() && head_.length() > kLongestControl,
             WebSocketFault::control_too_long);
    complain(head_.is_control() && !head_.is_final(), WebSocketFault::control_in_fragments);
    complain(!head_.is_shortest(), WebSocketFault::length_not_shortest);
    if (head_.length() >> 63U != 0) {
      report(WebSocketFault::length_negative, head_.bytes);
      is_lost_ = true;
      return;
    }
    head_is_read_ = true;
    if (opcode == kText || opcode == kBinary) begin_message(opcode == kBinary);
    if (is_too_long()) return pass_over_frame();
    if (head_.length() == 0) finish_frame();
  }

  // RFC 7692 §6: the first frame of a message alone may say that it is compressed.
  bool has_wrong_bits() const {
    const bool may_say = inflater_ && (head_.opcode() == kText || head_.opcode() == kBinary);
    return (head_.reserved_bits() & ~(may_say ? kCompressedBit : 0U)) != 0;
  }

  void begin_message(bool is_binary) {
    message_.clear();
    utf8_ = {};
    was_utf8_ = true;
    is_binary_ = is_binary;
    is_within_message_ = true;
    is_given_up_ = false;
    is_compressed_ = inflater_ && (head_.reserved_bits() & kCompressedBit) != 0;
    if (is_compressed_ && is_window_lost_) give_up_message(WebSocketFault::too_long);
  }

  bool is_too_long() const {
    const std::size_t before = head_.is_control() ? 0 : message_.size();
    return head_.length() > limits_.max_message_bytes ||
           before + head_.length() > limits_.max_message_bytes;
  }

  void pass_over_frame() {
    left_to_drop_ = head_.length();
    if (head_.is_control()) {
      report(WebSocketFault::too_long, head_.bytes);
    } else {
      give_up_message(WebSocketFault::too_long);
      if (head_.is_final()) end_message();
    }
    end_frame();
  }

  // Told once a message. What is compressed with the context of one that was not read to its end
  // cannot be read either, and is no fault of the peer where that was a limit of ours.
  void give_up_message(WebSocketFault fault) {
    if (!std::exchange(is_given_up_, true)) report(fault, head_.bytes);
    message_.clear();
    if (!is_compressed_) return;
    inflater_.emplace(deflate_);
    const bool is_ours = fault == WebSocketFault::too_long && deflate_.keeps_context;
    is_window_lost_ = is_window_lost_ || is_ours;
  }

  void end_message() {
    is_within_message_ = false;
    is_compressed_ = false;
    is_given_up_ = false;
  }

  void read_payload(std::string_view& bytes) {
    const auto left = static_cast<std::size_t>(head_.length()) - payload_.size();
    const std::string_view piece = bytes.substr(0, std::min(bytes.size(), left));
    bytes.remove_prefix(piece.size());
    const std::size_t begin = payload_.size();
    const std::string_view mask = head_.mask();
    payload_ += piece;
    for (std::size_t i = begin; !mask.empty() && i < payload_.size(); ++i) {
      payload_[i] = static_cast<char>(payload_[i] ^ mask[i % kMaskBytes]);
    }
    if (is_text() && !is_compressed_) check_text(std::string_view(payload_).substr(begin));
    if (payload_.size() == head_.length()) finish_frame();
  }

  bool is_text() const {
    return is_within_message_ && !is_binary_ && head_.opcode() <= kBinary && !is_given_up_;
  }

  // Told as soon as it is seen (RFC 6455 §8.1), and once a message.
  void check_text(std::string_view piece) {
    if (was_utf8_ && !utf8_.take(piece)) note_not_utf8();
  }
  void note_not_utf8() {
    was_utf8_ = false;
    report(WebSocketFault::not_utf8, head_.bytes);
  }

  void end_frame() {
    head_ = {};
    head_is_read_ = false;
    payload_.clear();
  }

  void finish_frame() {
    const unsigned opcode = head_.opcode();
    if (head_.is_control()) {
      finish_control(opcode);
    } else if (opcode <= kBinary && is_within_message_) {
      finish_fragment();
    }
    end_frame();
  }

  void inflate() {
    const std::size_t before = message_.size();
    const auto outcome =
        inflater_->inflate(payload_, head_.is_final(), limits_.max_message_bytes, message_);
    if (outcome != Inflater::Outcome::fine) {
      return give_up_message(outcome == Inflater::Outcome::broken ? WebSocketFault::not_deflated
                                                                  : WebSocketFault::too_long);
    }
    if (is_text()) check_text(std::string_view(message_).substr(before));
  }

  void finish_fragment() {
    if (!is_given_up_ && is_compressed_) {
      inflate();
    } else if (!is_given_up_) {
      message_ += payload_;
    }
    if (!head_.is_final()) return;
    const bool is_read = !is_given_up_;
    end_message();
    if (!is_read) return;
    if (!is_binary_ && was_utf8_ && !utf8_.is_complete()) note_not_utf8();
    WebSocketItem item;
    item.is_binary = is_binary_;
    item.payload = std::exchange(message_, {});
    items_.push_back(std::move(item));
  }

  void finish_control(unsigned opcode) {
    if (opcode == kClose) return finish_close();
    if (opcode > kPong) return;
    WebSocketItem item;
    item.kind = opcode == kPing ? WebSocketItem::Kind::ping : WebSocketItem::Kind::pong;
    item.is_between_fragments = is_within_message_;
    item.payload = payload_;
    items_.push_back(std::move(item));
  }

  void finish_close() {
    WebSocketItem item;
    item.kind = WebSocketItem::Kind::close;
    if (payload_.size() == 1) report(WebSocketFault::close_code_missing, raw_frame());
    if (payload_.size() >= 2) {
      item.close_code = static_cast<int>(byte_at(payload_, 0) << 8U | byte_at(payload_, 1));
      item.payload = payload_.substr(2);
      if (!may_be_sent(item.close_code)) report(WebSocketFault::close_code_reserved, raw_frame());
      if (!is_valid_utf8(item.payload)) report(WebSocketFault::reason_not_utf8, raw_frame());
    }
    is_closed_ = true;
    items_.push_back(std::move(item));
  }

  Role role_;
  FrameLimits limits_;
  Head head_;
  bool head_is_read_ = false;
  std::string payload_;  // of the frame that is read, unmasked
  std::string message_;  // of the fragments before it
  bool is_within_message_ = false;
  bool is_binary_ = false;
  bool is_given_up_ = false;  // the message that comes is too long, or cannot be read
  bool is_compressed_ = false;
  DeflateParameters deflate_;
  std::optional<Inflater> inflater_;  // where that was agreed on
  bool is_window_lost_ = false;       // what compressed messages refer to was not read
  bool was_utf8_ = true;
  Utf8Checker utf8_;
  std::uint64_t left_to_drop_ = 0;
  bool is_closed_ = false;
  bool is_lost_ = false;  // nothing more can be told apart
  std::deque<WebSocketItem> items_;
};

WebSocketReader::WebSocketReader(Role role, FrameLimits limits)
    : stream_(std::make_unique<Stream>(role, limits)) {}
WebSocketReader::WebSocketReader(WebSocketReader&&) noexcept = default;
WebSocketReader& WebSocketReader::operator=(WebSocketReader&&) noexcept = default;
WebSocketReader::~WebSocketReader() = default;

void WebSocketReader::use_deflate(const DeflateParameters& parameters) {
  stream_->use_deflate(parameters);
}
void WebSocketReader::feed(std::string_view bytes) { stream_->feed(bytes); }
void WebSocketReader::end_of_input() { stream_->end_of_input(); }
std::optional<WebSocketItem> WebSocketReader::next() { return stream_->next(); }
std::string WebSocketReader::unfinished() const { return stream_->unfinished(); }

}  // namespace jrpcheck::wire
