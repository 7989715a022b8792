#include <utility>

#include "base/names.hpp"
#include "wire/queued_framing.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::wire {
namespace {

using Kind = WebSocketItem::Kind;

// What a server sends is told whatever it breaks, and goes on being read: a client that is to say
// what is wrong must not leave at the first thing.
class WebSocketFraming final : public QueuedFraming {
 public:
  explicit WebSocketFraming(FrameLimits limits) : reader_(WebSocketReader::Role::client, limits) {}

  std::string encode(std::string_view payload) override { return encode_frame({}, payload); }
  std::string encode_frame(const FrameDetails& details, std::string_view payload) override {
    if (details.opcode == kClose) has_sent_close_ = true;
    const auto mask = details.mask ? std::optional(next_mask()) : std::nullopt;
    if (!details.deflate) return websocket_frame(details, payload, mask);
    return websocket_frame(details, deflater_.deflate(payload, details.fin), mask);
  }

  void use_extensions(std::string_view agreed) override {
    const auto agreement = deflate_agreed(agreed);
    if (!agreement) return;
    reader_.use_deflate(agreement->from_server);
    deflater_ = Deflater(agreement->from_client);
  }

  std::string owed() override { return std::exchange(owed_, {}); }

  void feed(std::string_view bytes) override {
    reader_.feed(bytes);
    take_items();
  }
  void end_of_input() override {
    reader_.end_of_input();
    take_items();
  }
  bool is_closed() const override { return is_closed_; }
  std::string unfinished() const override { return reader_.unfinished(); }

 private:
  // RFC 6455 §5.3 wants keys that cannot be foreseen by those between client and server. Here they
  // must be the same in every run, and different from each other.
  std::uint32_t next_mask() {
    mask_ = mask_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(mask_ >> 32U);
  }

  void take_items() {
    while (auto item = reader_.next()) take(*std::move(item));
  }

  void take(WebSocketItem item) {
    switch (item.kind) {
      case Kind::message: {
        Frame frame;
        frame.payload = std::move(item.payload);
        frame.is_binary = item.is_binary;
        return deliver(std::move(frame));
      }
      case Kind::fault:
        return take_fault(std::move(item));
      case Kind::ping:
        // One that is longer is a fault, and so would its pong be.
        if (item.payload.size() <= kLongestControl) {
          owed_ += encode_frame({.opcode = kPong}, item.payload);
        }
        return deliver_control(ControlFrame::Kind::ping, std::move(item));
      case Kind::pong:
        return deliver_control(ControlFrame::Kind::pong, std::move(item));
      case Kind::close:
        is_closed_ = true;
        if (!std::exchange(has_sent_close_, true)) {
          const int code = may_be_sent(item.close_code) ? item.close_code : kNoCloseCode;
          owed_ += encode_frame({.opcode = kClose}, close_payload(code));
        }
        return deliver_control(ControlFrame::Kind::close, std::move(item));
    }
  }

  // That a text is not UTF-8 is told by whoever reads it as JSON.
  void take_fault(WebSocketItem item) {
    if (item.fault == WebSocketFault::not_utf8) return;
    const std::string name(name_of(item.fault));
    if (item.fault == WebSocketFault::too_long) {
      report_beyond_limit(name, std::move(item.payload));
    } else {
      report(name, std::move(item.payload));
    }
  }

  void deliver_control(ControlFrame::Kind kind, WebSocketItem item) {
    Frame frame;
    frame.control = ControlFrame{kind};
    if (kind == ControlFrame::Kind::close) {
      frame.control->close_code = static_cast<std::size_t>(item.close_code);
    }
    frame.payload = std::move(item.payload);
    deliver(std::move(frame));
  }

  WebSocketReader reader_;
  Deflater deflater_{DeflateParameters{}};
  std::string owed_;
  std::uint64_t mask_ = 0x853C49E6748FEA9BU;
  bool has_sent_close_ = false;
  bool is_closed_ = false;
};

}  // namespace

std::string_view name_of(ControlFrame::Kind kind) {
  return name_at({"ping", "pong", "close"}, kind);
}

std::unique_ptr<Framing> make_websocket(FrameLimits limits) {
  return std::make_unique<WebSocketFraming>(limits);
}

}  // namespace jrpcheck::wire
