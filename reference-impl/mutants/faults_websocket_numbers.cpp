// What a server makes of WebSocket's numbers: opcodes, the codes of a Close, the version.
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"
#include "reference-impl/mutants/rewrites_of_frames.hpp"

namespace jrpcheck::reference {

namespace {

using wire::WebSocketFault;
using wire::WebSocketItem;
using Kind = WebSocketItem::Kind;

bool is_reserved(unsigned opcode) { return (opcode > 2 && opcode < 8) || opcode > 10; }

/// As text, where this is one of the opcodes.
Behaviour serving_opcodes(bool (*is_served)(unsigned opcode)) {
  return changing_first_byte([is_served](unsigned first) {
    return is_served(first & 0x0FU) ? (first & 0xF0U) | wire::kText : first;
  });
}

/// The frame of the Close ends with its code.
bool has_code_of_no_close(const WebSocketItem& item) {
  const bool is_it = item.kind == Kind::fault && item.fault == WebSocketFault::close_code_reserved;
  return is_it && item.payload.ends_with("\x03\xF7");
}

std::string refusal_without_version(const wire::HttpMessage&, std::string proper) {
  const std::string field = "Sec-WebSocket-Version: 13\r\n";
  const auto at = proper.find(field);
  return at == std::string::npos ? proper : proper.erase(at, field.size());
}

std::string upgraded_whatever_the_version(const wire::HttpMessage& request, std::string proper) {
  const auto key = request.field("Sec-WebSocket-Key");
  if (!key || proper.starts_with("HTTP/1.1 101")) return proper;
  return wire::http_response(101,
                             {{"Upgrade", "websocket"},
                              {"Connection", "Upgrade"},
                              {"Sec-WebSocket-Accept", wire::websocket_accept(*key)}},
                             {});
}

std::string upgraded_without_version(const wire::HttpMessage& request, std::string proper) {
  const bool has_version = request.field("Sec-WebSocket-Version").has_value();
  return has_version ? proper : upgraded_whatever_the_version(request, std::move(proper));
}

}  // namespace

std::span<const Mutant> websocket_number_faults() {
  static const Mutant all[] = {
      {"ws-reserved-opcode-served", breaks("ws-frame-invalid").wherever_it_strikes(), kWs,
       "Frames with a reserved opcode are taken for text.", serving_opcodes(is_reserved)},
      {"ws-reserved-opcode-fatal", breaks("rob-survives").perhaps("ws-frame-invalid"), kWs,
       "A reserved opcode ends the process.", dying_of_frame({WebSocketFault::reserved_opcode})},
      {"ws-close-code-echoed", breaks("ws-close-code"), kWs,
       "A Close is answered with the same code, whatever it is.",
       passing_over(WebSocketFault::close_code_reserved)},
      {"ws-version-ignored", breaks("ws-version"), kWs, "Any version of WebSocket is upgraded to.",
       shaking_hands(upgraded_whatever_the_version)},
      {"ws-version-unnamed", breaks("ws-version"), kWs,
       "Where a version is refused, the one that is spoken is not named.",
       shaking_hands(refusal_without_version)},
      {"ws-highest-opcodes-served", breaks("ws-frame-invalid").wherever_it_strikes(), kWs,
       "Frames with the opcodes 7 and 15 are taken for text.",
       serving_opcodes([](unsigned opcode) { return opcode == 7 || opcode == 15; })},
      {"ws-code-of-no-close-echoed", breaks("ws-close-code"), kWs,
       "A Close with 1015 is answered with the same code.",
       answering_where(has_code_of_no_close, {})},
      {"ws-version-unasked", breaks("ws-version"), kWs,
       "A handshake without a version is upgraded.", shaking_hands(upgraded_without_version)},
  };
  return all;
}

}  // namespace jrpcheck::reference
