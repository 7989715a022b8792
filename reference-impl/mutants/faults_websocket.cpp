// What only WebSocket shows: frames, control frames, closes and the handshake.
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/utf8.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"
#include "reference-impl/mutants/rewrites_of_frames.hpp"

namespace jrpcheck::reference {

namespace {

using wire::WebSocketFault;
using wire::WebSocketItem;
using Kind = WebSocketItem::Kind;
using Manner = Catastrophe::Manner;

constexpr std::size_t kSmallLimit = 64U << 10;
constexpr std::size_t kLargeLimit = 512U << 10;

bool looks_like_json(const std::string& text) {
  return !text.empty() && (text.front() == '{' || text.front() == '[') &&
         (text.back() == '}' || text.back() == ']');
}

bool is_broken_json(const WebSocketItem& item) {
  return item.kind == Kind::message && !looks_like_json(item.payload);
}

bool has_negative_length(const WebSocketItem& item) {
  return item.kind == Kind::fault && item.fault == WebSocketFault::length_negative;
}

std::string in_fragments(std::string_view reply) {
  const std::size_t half = reply.size() / 2;
  return server_frame({.fin = false}, reply.substr(0, half)) +
         server_frame({.opcode = wire::kContinuation, .fin = false}, {}) +
         server_frame({.opcode = wire::kContinuation}, reply.substr(half));
}

/// The first fragment is taken for the message, and the others for nothing.
Behaviour reading_first_fragments() {
  Behaviour behaviour = changing_first_byte(
      [](unsigned first) { return first == wire::kText ? 0x80U | wire::kText : first; });
  behaviour.websocket.taking = passing_over(WebSocketFault::nothing_to_continue).websocket.taking;
  return behaviour;
}

/// The third continuation is taken for the end of the message, and what follows for nothing.
Behaviour reading_four_fragments() {
  Behaviour behaviour = changing_head([](std::string& bytes) {
    constexpr std::size_t kShortHead = 6;  // with the mask
    constexpr unsigned kLongestShort = 125;
    std::size_t continuations = 0;
    for (std::size_t at = 0; at + kShortHead <= bytes.size();) {
      const unsigned length = static_cast<unsigned char>(bytes[at + 1]) & 0x7FU;
      if (length > kLongestShort) return;
      const bool goes_on = static_cast<unsigned char>(bytes[at]) == wire::kContinuation;
      if (goes_on && ++continuations == 3)
        bytes[at] = static_cast<char>(0x80U | wire::kContinuation);
      at += kShortHead + length;
    }
  });
  behaviour.websocket.taking = passing_over(WebSocketFault::nothing_to_continue).websocket.taking;
  return behaviour;
}

/// The mask is taken off without a look at the bit that says whether there is one.
Behaviour passing_over_mask_bit() {
  return changing_head([](std::string& head) {
    const bool is_text = static_cast<unsigned char>(head.front()) == (0x80U | wire::kText);
    if (is_text && head.size() > 1) head[1] = static_cast<char>(head[1] | '\x80');
  });
}

/// A ping between fragments makes the message that is read be forgotten.
Behaviour forgetting_at_pings() {
  return taking_statefully([]() -> TakeSome {
    return [forgets = std::make_shared<bool>(false)](
               const WebSocketItem& item) -> std::optional<FrameAnswer> {
      if (item.kind == Kind::ping && item.is_between_fragments) *forgets = true;
      if (item.kind != Kind::message || !std::exchange(*forgets, false)) return std::nullopt;
      return FrameAnswer{};
    };
  });
}

Behaviour deaf_after(bool (*is_it)(const WebSocketItem&)) {
  return taking_statefully([is_it]() -> TakeSome {
    return [is_it, is_deaf = std::make_shared<bool>(false)](
               const WebSocketItem& item) -> std::optional<FrameAnswer> {
      if (is_it(item)) *is_deaf = true;
      if (!*is_deaf) return std::nullopt;
      return FrameAnswer{};
    };
  });
}

Behaviour serving_binary_as(FrameAnswer answer) {
  return answering_where(
      [](const WebSocketItem& item) { return item.kind == Kind::message && item.is_binary; },
      std::move(answer));
}

/// Two texts in one message: the first is served.
Behaviour serving_first_value() {
  return on_message([](std::string_view message) {
    const auto end = message.find("}{");
    return std::string(end == std::string_view::npos ? message : message.substr(0, end + 1));
  });
}

Behaviour greeting(std::string_view text) {
  return shaking_hands([text](const wire::HttpMessage&, std::string proper) {
    if (proper.starts_with("HTTP/1.1 101")) proper += server_frame({}, text);
    return proper;
  });
}

FrameAnswer closing(int code, std::string_view reason = {}) {
  return {.bytes = server_frame({.opcode = wire::kClose}, wire::close_payload(code, reason)),
          .ends = true};
}

Behaviour answering_longer_than(std::size_t limit, FrameAnswer answer) {
  return answering_where(
      [limit](const WebSocketItem& item) {
        return item.kind == Kind::message && item.payload.size() > limit;
      },
      std::move(answer));
}

Behaviour replacing_what_is_not_utf8() {
  return taking([](const WebSocketItem& item) -> std::optional<FrameAnswer> {
    if (item.kind == Kind::fault && item.fault == WebSocketFault::not_utf8) return FrameAnswer{};
    if (item.kind != Kind::message || item.is_binary || is_valid_utf8(item.payload)) {
      return std::nullopt;
    }
    std::string text = item.payload;
    while (const auto at = find_invalid_utf8(text)) text[*at] = '?';
    return FrameAnswer{.calls = {text}};
  });
}

/// The one that was offered first, as servers do that speak it.
std::string with_first_subprotocol(const wire::HttpMessage& request, std::string proper) {
  const auto offered = request.field("Sec-WebSocket-Protocol");
  if (!offered) return proper;
  return with_field(std::move(proper), "Sec-WebSocket-Protocol: " +
                                           std::string(offered->substr(0, offered->find(','))));
}

std::string with_wrong_accept(const wire::HttpMessage&, std::string proper) {
  const auto at = proper.find("Sec-WebSocket-Accept: ");
  if (at != std::string::npos) proper[at + 22] = proper[at + 22] == 'A' ? 'B' : 'A';
  return proper;
}

/// The handshake with something else in place of one of its fields.
auto with_field_replaced(std::string field, std::string replacement) {
  return shaking_hands([=](const wire::HttpMessage&, std::string proper) {
    const auto at = proper.find(field);
    return at == proper.npos ? proper : proper.replace(at, field.size(), replacement);
  });
}

/// As where the Accept is worked out once and kept.
Behaviour accepting_all_like_the_first() {
  struct First {
    std::mutex mutex;
    std::string accept = {};
  };
  return shaking_hands(
      [first = std::make_shared<First>()](const wire::HttpMessage& request, std::string proper) {
        const auto key = request.field("Sec-WebSocket-Key");
        const std::string own = wire::websocket_accept(key.value_or(""));
        const std::lock_guard lock(first->mutex);
        const auto at = proper.find(own);
        if (at == std::string::npos) return proper;
        if (first->accept.empty()) first->accept = own;
        return proper.replace(at, own.size(), first->accept);
      });
}

}  // namespace

std::span<const Mutant> websocket_faults() {
  static const Mutant all[] = {
      {"ws-replies-twice", breaks("res-once").wherever_it_strikes(), kWs,
       "Each reply is sent twice.",
       Behaviour{.websocket = {.write =
                                   [](std::string_view reply) {
                                     return server_frame({}, reply) + server_frame({}, reply);
                                   }}}},
      {"ws-ping-unanswered", breaks("ws-ping").perhaps("ws-control-interleaved"), kWs,
       "Pings are not answered.",
       on_kind(Kind::ping, [](const WebSocketItem&) { return FrameAnswer{}; })},
      {"ws-pong-empty", breaks("ws-ping").perhaps("ws-control-interleaved"), kWs,
       "A pong has no payload.",
       on_kind(Kind::ping,
               [](const WebSocketItem&) {
                 return FrameAnswer{.bytes = server_frame({.opcode = wire::kPong}, {})};
               })},
      {"ws-ping-is-a-call", breaks("ws-ping").perhaps("ws-control-interleaved"), kWs,
       "A ping is taken for a call, and answered by a parse error.",
       on_kind(Kind::ping,
               [](const WebSocketItem& item) {
                 FrameAnswer answer = proper_frame_answer(item);
                 answer.calls = {item.payload + "!"};
                 return answer;
               })},
      {"ws-pong-is-a-call", breaks("ws-ping"), kWs,
       "A pong is taken for a call, and answered by a parse error.",
       on_kind(
           Kind::pong,
           [](const WebSocketItem& item) { return FrameAnswer{.calls = {item.payload + "!"}}; })},
      {"ws-pong-ends-connection", breaks("ws-ping"), kWs,
       "A pong ends the connection, without a Close.",
       on_kind(Kind::pong, [](const WebSocketItem&) { return FrameAnswer{.ends = true}; })},
      {"ws-first-fragment-only",
       breaks("ws-fragments").perhaps("ws-control-interleaved", "ws-frame-invalid", "ws-utf8"), kWs,
       "The first fragment of a message is taken for all of it.", reading_first_fragments()},
      {"ws-four-fragments-only", breaks("ws-fragments").perhaps("ws-frame-invalid"), kWs,
       "What a message has beyond four fragments is lost.", reading_four_fragments()},
      {"ws-ping-ends-fragments", breaks("ws-control-interleaved"), kWs,
       "A ping between fragments makes the server forget the message.", forgetting_at_pings()},
      {"ws-replies-binary", breaks("ws-text"), kWs, "Replies come as binary messages.",
       writing_frames({.opcode = wire::kBinary})},
      {"ws-replies-masked", breaks("ws-server-unmasked"), kWs, "Replies are masked.",
       Behaviour{.websocket = {.write =
                                   [](std::string_view reply) {
                                     return wire::websocket_frame({}, reply, 0x01020304);
                                   }}}},
      {"ws-replies-with-reserved-bit", breaks("ws-server-frames"), kWs,
       "Replies have a reserved bit set, which no extension gives a meaning.",
       writing_frames({.rsv = 1})},
      {"ws-replies-with-long-lengths", breaks("ws-server-frames"), kWs,
       "The length of each reply has 64 bits.", writing_frames({.length_bits = 64})},
      {"ws-unmasked-served", breaks("ws-unmasked-client"), kWs,
       "Frames of a client are served without a mask.", passing_over(WebSocketFault::not_masked)},
      {"ws-mask-bit-ignored", breaks("ws-unmasked-client").wherever_it_strikes(), kWs,
       "Every frame is read as if it were masked, whatever its bit says.", passing_over_mask_bit()},
      {"ws-reserved-bits-served", breaks("ws-frame-invalid").perhaps("ws-deflate"), kWs,
       "Reserved bits are passed over.", passing_over(WebSocketFault::reserved_bits)},
      {"ws-continuation-served", breaks("ws-frame-invalid").wherever_it_strikes(), kWs,
       "A continuation of nothing is taken for text.", changing_first_byte([](unsigned first) {
         return first == (0x80U | wire::kContinuation) ? 0x80U | wire::kText : first;
       })},
      {"ws-interrupted-message-served", breaks("ws-frame-invalid"), kWs,
       "A message that begins within another is served.",
       passing_over(WebSocketFault::message_interrupted)},
      {"ws-long-ping-answered", breaks("ws-control-limits").perhaps("ws-server-frames"), kWs,
       "A ping of more than 125 bytes is answered.",
       passing_over(WebSocketFault::control_too_long)},
      {"ws-fragmented-ping-answered", breaks("ws-control-limits"), kWs,
       "A ping in fragments is answered.", passing_over(WebSocketFault::control_in_fragments)},
      {"ws-utf8-unchecked", breaks("ws-utf8"), kWs,
       "Text that is not UTF-8 is left to the JSON parser.",
       passing_over(WebSocketFault::not_utf8)},
      {"ws-utf8-replaced", breaks("ws-utf8"), kWs,
       "Bytes that are not UTF-8 are replaced, and the call is served.",
       replacing_what_is_not_utf8()},
      {"ws-utf8-fatal", breaks("rob-survives").perhaps("ws-utf8", "ws-isolation"), kWs,
       "Text that is not UTF-8 ends the process.",
       dying_of_frame({WebSocketFault::not_utf8, WebSocketFault::reason_not_utf8})},
      {"ws-binary-fatal", breaks("rob-survives").perhaps("ws-binary-request"), kWs,
       "A binary message ends the process.",
       taking([](const WebSocketItem& item) -> std::optional<FrameAnswer> {
         if (item.kind == Kind::message && item.is_binary) throw Catastrophe{Manner::abort};
         return std::nullopt;
       })},
      {"ws-binary-unanswered", breaks("ws-binary-request"), kWs,
       "A call in a binary message is passed over.", serving_binary_as({})},
      {"ws-close-unanswered", breaks("ws-close-echo"), kWs,
       "At a Close the connection is dropped without one.",
       on_kind(Kind::close, [](const WebSocketItem&) { return FrameAnswer{.ends = true}; })},
      {"ws-close-1001-unanswered", breaks("ws-close-echo"), kWs,
       "At a Close with code 1001 the connection is dropped without one.",
       taking([](const WebSocketItem& item) -> std::optional<FrameAnswer> {
         if (item.kind != Kind::close || item.close_code != 1001) return std::nullopt;
         return FrameAnswer{.ends = true};
       })},
      {"ws-greets-in-words", breaks("res-json"), kWs,
       "Each connection is greeted by a text that is no message.",
       greeting("Welcome to the reference")},
      {"ws-open-behind-close", breaks("ws-close-echo").perhaps("ws-close-code"), kWs,
       "A Close is answered, and the connection is not ended.",
       on_kind(Kind::close,
               [](const WebSocketItem&) {
                 auto answer = closing(1000);
                 answer.ends = false;
                 return answer;
               })},
      {"ws-close-ignored", breaks("ws-close-echo").perhaps("ws-close-code"), kWs,
       "A Close changes nothing.",
       on_kind(Kind::close, [](const WebSocketItem&) { return FrameAnswer{}; })},
      {"ws-message-behind-close", breaks("ws-server-frames").perhaps("ws-close-echo"), kWs,
       "Behind a Close comes one more message.",
       on_kind(Kind::close,
               [](const WebSocketItem&) {
                 auto answer = closing(1000);
                 answer.bytes += server_frame({}, R"({"jsonrpc":"2.0","method":"late"})");
                 return answer;
               })},
      {"ws-close-reason-cut", breaks("ws-server-frames"), kWs,
       "The reason of a Close is cut off within a character.",
       on_kind(Kind::close,
               [](const WebSocketItem&) { return closing(1000, "Au revoir \xE2\x82"); })},
      {"ws-fails-without-close", breaks("ws-close-on-failure"), kWs,
       "A connection is dropped without a Close where a frame breaks a rule.",
       on_kind(Kind::fault, [](const WebSocketItem&) { return FrameAnswer{.ends = true}; })},
      {"ws-parse-error-closes",
       breaks("ws-parse-error")
           .perhaps_any_of("rob-", "err-", "json-", "res-", "ws-", "bat-", "id-", "ntf-"),
       kWs, "Text that is not JSON ends the connection.",
       answering_where(is_broken_json, closing(1003))},
      {"ws-deaf-after-broken-json",
       breaks("ws-not-deaf").perhaps_any_of("rob-", "err-", "json-", "res-", "id-", "ws-", "bat-"),
       kWs, "After text that is not JSON the connection stands, and answers nothing.",
       deaf_after(is_broken_json)},
      {"ws-rest-dropped", breaks("ws-one-message").perhaps("err-code-parse", "json-trailing"), kWs,
       "Of two calls in one message the first is served, and the other lost.",
       serving_first_value()},
      {"ws-length-negative-awaited", breaks("ws-length"), kWs,
       "A length with its highest bit set is waited for.",
       passing_over(WebSocketFault::length_negative)},
      {"ws-length-negative-awaited-for-ever", breaks("ws-length"), kWs,
       "So many bytes as a length with its highest bit set announces are waited for.",
       deaf_after(has_negative_length)},
      {"ws-large-message-unanswered",
       breaks("ws-size").perhaps_any_of("rob-", "json-", "id-", "bat-", "res-"), kWs,
       "A message of more than 64 KiB is passed over.", answering_longer_than(kSmallLimit, {})},
      {"ws-accept-wrong", breaks("ws-accept"), kWs, "Sec-WebSocket-Accept has a wrong value.",
       shaking_hands(with_wrong_accept)},
      {"ws-upgrade-left-out", breaks("ws-accept"), kWs,
       "The handshake is answered without an Upgrade field.",
       with_field_replaced("Upgrade: websocket\r\n", "")},
      {"ws-connection-kept-alive", breaks("ws-accept"), kWs,
       "The handshake is answered with Connection: keep-alive.",
       with_field_replaced("Connection: Upgrade\r\n", "Connection: keep-alive\r\n")},
      {"ws-accept-of-first-client", breaks("ws-accept"), kWs,
       "Each client gets the Sec-WebSocket-Accept of the first.", accepting_all_like_the_first},
      {"ws-subprotocol-invented", breaks("ws-subprotocol"), kWs,
       "A subprotocol is chosen that nobody has offered.",
       shaking_hands([](const wire::HttpMessage&, std::string proper) {
         return with_field(std::move(proper), "Sec-WebSocket-Protocol: jrpc");
       })},
      {"ws-extension-invented", breaks("ws-extension"), kWs,
       "An extension is chosen that nobody has offered.",
       shaking_hands([](const wire::HttpMessage&, std::string proper) {
         return with_field(std::move(proper), "Sec-WebSocket-Extensions: permessage-deflate");
       })},
  };
  return all;
}
std::span<const Mutant> websocket_variants() {
  static const Mutant all[] = {
      {"ws-replies-in-fragments", kLegal, kWs,
       "Each reply comes in three frames, one of them empty.",
       Behaviour{.websocket = {.write = in_fragments}}},
      {"ws-greets-by-notification", kLegal, kWs, "Each connection is greeted by a Notification.",
       greeting(R"({"jsonrpc":"2.0","method":"welcome"})")},
      {"ws-pings-before-replies", kLegal, kWs, "A ping comes before each reply.",
       Behaviour{.websocket = {.write =
                                   [](std::string_view reply) {
                                     return server_frame({.opcode = wire::kPing}, "are you there") +
                                            server_frame({}, reply);
                                   }}}},
      {"ws-pongs-unasked", kLegal, kWs, "A pong that nobody asked for comes before each reply.",
       Behaviour{.websocket = {.write =
                                   [](std::string_view reply) {
                                     return server_frame({.opcode = wire::kPong}, "heartbeat") +
                                            server_frame({}, reply);
                                   }}}},
      {"ws-binary-refused", kLegal, kWs, "A binary message ends the connection with 1003.",
       serving_binary_as(closing(1003, "text, please"))},
      {"ws-binary-answered-in-binary", kLegal, kWs,
       "A call in a binary message has its reply in another.",
       taking([](const WebSocketItem& item) -> std::optional<FrameAnswer> {
         if (item.kind != Kind::message || !item.is_binary) return std::nullopt;
         return FrameAnswer{.calls = {item.payload}, .in_binary = true};
       })},
      {"ws-long-form-refused", kLegal, kWs,
       "A length that is not in its shortest form ends the connection.",
       answering_where(
           [](const WebSocketItem& item) {
             return item.fault == WebSocketFault::length_not_shortest;
           },
           closing(1002))},
      {"ws-fails-with-policy-code", kLegal, kWs,
       "Whatever breaks a rule ends the connection with 1008 and a reason.",
       on_kind(Kind::fault,
               [](const WebSocketItem& item) { return closing(1008, name_of(item.fault)); })},
      {"ws-fails-with-own-code", kLegal, kWs,
       "A connection is failed with a code of its own, 4002.",
       on_kind(Kind::fault, [](const WebSocketItem&) { return closing(4002); })},
      {"ws-subprotocol-chosen", kLegal, kWs, "The subprotocol that is offered first is chosen.",
       shaking_hands(with_first_subprotocol)},
      {"ws-large-message-closed", kLegal, kWs,
       "A message of more than 512 KiB is refused with 1009.",
       answering_longer_than(kLargeLimit, closing(1009))},
      {"ws-message-beyond-64-kib-closed", kLegal, kWs,
       "A message of more than 64 KiB is refused with 1009.",
       answering_longer_than(kSmallLimit, closing(1009))},
  };
  return all;
}

}  // namespace jrpcheck::reference
