#include "reference-impl/websocket_server.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/letter_case.hpp"
#include "reference-impl/websocket_habits.hpp"

namespace jrpcheck::reference {

namespace {

using wire::WebSocketItem;
using Kind = WebSocketItem::Kind;

constexpr wire::FrameLimits kRequestLimits{.max_message_bytes = 64U << 20};

std::string refusal(int status, wire::HttpFields fields = {}) {
  return respond(status, /*keep_alive=*/false, std::move(fields)).bytes;
}

bool names(const wire::HttpMessage& request, std::string_view field, std::string_view token) {
  const auto value = request.field(field);
  return value && in_lower_case(std::string(*value)).find(token) != std::string::npos;
}

/// The request, and what has come behind it. Nothing where the peer goes away before.
std::optional<wire::HttpMessage> read_request(int socket, const TransportHooks& hooks) {
  wire::HttpReader reader(wire::HttpReader::Role::server);
  std::array<char, 4096> buffer;
  for (;;) {
    if (auto request = reader.next()) return request;
    const std::size_t size = hooks.bytes.read(socket, buffer);
    if (size == 0) return std::nullopt;
    reader.feed(std::string_view(buffer.data(), size));
  }
}

class WebSocketConnection {
 public:
  WebSocketConnection(const Handler& handler, int socket, const TransportHooks& hooks,
                      const wire::HttpMessage& request, std::string_view extensions)
      : handler_(handler), socket_(socket), hooks_(hooks) {
    if (hooks.websocket.reading) reading_ = hooks.websocket.reading();
    if (hooks.websocket.taking) taking_ = hooks.websocket.taking();
    if (hooks.websocket.taking_asked_by) {
      if (auto taking = hooks.websocket.taking_asked_by(request)) taking_ = std::move(taking);
    }
    auto agreement = wire::deflate_agreed(extensions);
    if (!agreement) return;
    if (hooks.websocket.agreement) agreement = hooks.websocket.agreement(*agreement);
    reader_.use_deflate(agreement->from_client);
    deflater_.emplace(agreement->from_server);
  }

  void serve() {
    std::array<char, 65536> buffer;
    while (const std::size_t size = hooks_.bytes.read(socket_, buffer)) {
      const std::string_view bytes(buffer.data(), size);
      reader_.feed(reading_ ? reading_(bytes) : std::string(bytes));
      while (auto item = reader_.next()) {
        if (!take(*item)) return;
      }
    }
  }

 private:
  bool take(const WebSocketItem& item) {
    const FrameAnswer answer = taking_(item);
    if (!answer.bytes.empty() && !hooks_.bytes.write(socket_, answer.bytes)) return false;
    for (const auto& call : answer.calls) {
      std::string frames;
      for (const auto& reply : hooks_.stream.replies(handler_, call)) {
        frames +=
            answer.in_binary ? server_frame({.opcode = wire::kBinary}, reply) : frames_of(reply);
      }
      if (!frames.empty() && !hooks_.bytes.write(socket_, frames)) return false;
    }
    return !answer.ends;
  }

  std::string frames_of(std::string_view reply) {
    const auto& habits = hooks_.websocket;
    if (habits.write) return habits.write(reply);
    if (!deflater_) return server_frame({}, reply);
    return habits.write_deflated ? habits.write_deflated(*deflater_, reply)
                                 : deflated_frame(*deflater_, reply);
  }

  const Handler& handler_;
  int socket_;
  const TransportHooks& hooks_;
  wire::WebSocketReader reader_{wire::WebSocketReader::Role::server, kRequestLimits};
  std::optional<wire::Deflater> deflater_;  // where compression was agreed on
  ChangeBytes reading_;
  TakeItem taking_ = proper_frame_answer;
};

}  // namespace

std::string server_frame(const wire::FrameDetails& details, std::string_view payload) {
  return wire::websocket_frame(details, payload, std::nullopt);
}

std::string deflated_frame(wire::Deflater& deflater, std::string_view reply) {
  return server_frame({.rsv = 4}, deflater.deflate(reply, true));
}

FrameAnswer proper_frame_answer(const WebSocketItem& item) {
  switch (item.kind) {
    case Kind::message:
      return {.calls = {item.payload}};
    case Kind::ping:
      return {.bytes = server_frame({.opcode = wire::kPong}, item.payload)};
    case Kind::pong:
      return {};
    case Kind::close:
      return {.bytes = server_frame({.opcode = wire::kClose}, wire::close_payload(item.close_code)),
              .ends = true};
    case Kind::fault:
      break;
  }
  // Whoever writes lengths in a longer form is understood (RFC 6455 §5.2 binds the sender).
  if (item.fault == wire::WebSocketFault::length_not_shortest) return {};
  return {.bytes = server_frame({.opcode = wire::kClose},
                                wire::close_payload(wire::close_code_for(item.fault))),
          .ends = true};
}

std::string proper_handshake(const wire::HttpMessage& request) {
  const auto key = request.field("Sec-WebSocket-Key");
  if (!request.violation.empty()) return refusal(400);
  if (request.method != "GET") return refusal(405, {{"Allow", "GET"}});
  if (!names(request, "Upgrade", "websocket") || !names(request, "Connection", "upgrade") || !key ||
      request.field("Sec-WebSocket-Version") != "13") {
    return refusal(426, {{"Upgrade", "websocket"}, {"Sec-WebSocket-Version", "13"}});
  }
  wire::HttpFields fields = {{"Upgrade", "websocket"},
                             {"Connection", "Upgrade"},
                             {"Sec-WebSocket-Accept", wire::websocket_accept(*key)}};
  if (const auto accepted = wire::accept_deflate(request.list("Sec-WebSocket-Extensions"))) {
    fields.emplace_back("Sec-WebSocket-Extensions", accepted->response);
  }
  return wire::http_response(101, fields, {});
}

void serve_websocket(const Handler& handler, int socket, const TransportHooks& hooks) {
  const auto request = read_request(socket, hooks);
  if (!request) return;
  std::string response = proper_handshake(*request);
  if (hooks.websocket.handshake) response = hooks.websocket.handshake(*request, response);
  if (!hooks.bytes.write(socket, response)) return;
  if (!response.starts_with("HTTP/1.1 101")) return;
  wire::HttpReader reader(wire::HttpReader::Role::client);
  reader.expect_response_to("GET");
  reader.feed(response);
  const auto chosen = reader.next();
  const std::string extensions = chosen ? chosen->list("Sec-WebSocket-Extensions") : "";
  WebSocketConnection(handler, socket, hooks, *request, extensions).serve();
}

}  // namespace jrpcheck::reference
