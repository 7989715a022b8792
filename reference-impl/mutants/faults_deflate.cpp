// Compressed messages of WebSocket (RFC 7692) that go wrong, or are merely unusual.
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites_of_frames.hpp"

namespace jrpcheck::reference {

namespace {

using wire::WebSocketFault;
using wire::WebSocketItem;
using Kind = WebSocketItem::Kind;
using Manner = Catastrophe::Manner;

constexpr std::string_view kField = "Sec-WebSocket-Extensions: permessage-deflate";
constexpr unsigned kCompressed = 0x40U;  // RSV1, in the first byte of a frame
constexpr std::size_t kBomb = 9U << 17;

/// With the parameters behind those that were chosen.
Behaviour choosing_also(std::string parameters) {
  return shaking_hands([parameters](const wire::HttpMessage&, std::string proper) {
    const auto at = proper.find(kField);
    if (at != std::string::npos) proper.insert(proper.find("\r\n", at), parameters);
    return proper;
  });
}

std::string declining(const wire::HttpMessage&, std::string proper) {
  const auto at = proper.find(kField);
  if (at != std::string::npos) proper.erase(at, proper.find("\r\n", at) + 2 - at);
  return proper;
}

std::string accepting_anything(const wire::HttpMessage& request, std::string proper) {
  const bool is_offered = !request.list("Sec-WebSocket-Extensions").empty();
  if (!is_offered || proper.find(kField) != std::string::npos) return proper;
  return with_field(std::move(proper), std::string(kField));
}

Behaviour writing_deflated(
    std::function<std::string(wire::Deflater& deflater, std::string_view reply)> write) {
  return {.websocket = {.write_deflated = std::move(write)}};
}

Behaviour agreeing(std::function<wire::DeflateAgreement(wire::DeflateAgreement agreed)> change) {
  return {.websocket = {.agreement = std::move(change)}};
}

/// The mark is passed over on frames of one opcode.
Behaviour passing_over_mark_of(unsigned opcode) {
  const auto is_marked = [opcode](const WebSocketItem& item) {
    if (item.kind != Kind::fault || item.fault != WebSocketFault::reserved_bits) return false;
    const auto first = static_cast<unsigned char>(item.payload.front());
    return (first & 0x0FU) == opcode && (first & kCompressed) != 0;
  };
  return answering_where(is_marked, {});
}

}  // namespace

std::span<const Mutant> deflate_faults() {
  static const Mutant all[] = {
      {"ws-deflate-unoffered-parameter", breaks("ws-extension"), kWs,
       "The client's window is limited, which it has not said to be possible.",
       choosing_also("; client_max_window_bits=10")},
      {"ws-deflate-impossible-offer-accepted", breaks("ws-extension"), kWs,
       "Compression is agreed to, whatever the parameters of the offer.",
       shaking_hands(accepting_anything)},
      {"ws-deflate-replies-broken", breaks("ws-deflate").perhaps_any_of("res-", "ws-", "rob-"), kWs,
       "Compressed replies lack their last bytes.",
       writing_deflated([](wire::Deflater& deflater, std::string_view reply) {
         const std::string whole = deflater.deflate(reply, true);
         return server_frame({.rsv = 4}, whole.substr(0, whole.size() - 5));
       })},
      {"ws-deflate-context-kept", breaks("ws-deflate"), kWs,
       "Replies refer to what was in those before, also where the client cannot know it any more.",
       agreeing([](wire::DeflateAgreement agreed) {
         agreed.from_server.keeps_context = true;
         return agreed;
       })},
      {"ws-deflate-context-forgotten", breaks("ws-deflate"), kWs,
       "Each compressed call is read as if it were the first.",
       agreeing([](wire::DeflateAgreement agreed) {
         agreed.from_client.keeps_context = false;
         return agreed;
       })},
      {"ws-deflate-calls-unread", breaks("ws-deflate").wherever_it_strikes(), kWs,
       "Compressed calls are taken for text.", changing_first_byte([](unsigned first) {
         return (first & 0x7FU) == (kCompressed | wire::kText) ? first & ~kCompressed : first;
       })},
      {"ws-deflate-broken-data-passed-over", breaks("ws-deflate"), kWs,
       "What cannot be inflated is passed over.", passing_over(WebSocketFault::not_deflated)},
      {"ws-deflate-broken-data-fatal", breaks("rob-survives").perhaps("ws-deflate"), kWs,
       "What cannot be inflated ends the process.", dying_of_frame({WebSocketFault::not_deflated})},
      {"ws-deflate-marked-continuation-served", breaks("ws-deflate"), kWs,
       "A second fragment may say that it is compressed.",
       passing_over_mark_of(wire::kContinuation)},
      {"ws-deflate-marked-ping-answered", breaks("ws-deflate"), kWs,
       "A ping may say that it is compressed.", passing_over_mark_of(wire::kPing)},
      {"ws-deflate-bomb-fatal", breaks("rob-survives").perhaps("ws-size"), kWs,
       "A message of more than 1.125 MiB ends the process.",
       taking([](const WebSocketItem& item) -> std::optional<FrameAnswer> {
         if (item.payload.size() > kBomb) throw Catastrophe{Manner::abort};
         return std::nullopt;
       })},
  };
  return all;
}
std::span<const Mutant> deflate_variants() {
  static const Mutant all[] = {
      {"ws-deflate-declined", kLegal, kWs, "Compression is not agreed to.",
       shaking_hands(declining)},
      {"ws-deflate-without-context", kLegal, kWs, "Each reply is compressed on its own.",
       choosing_also("; server_no_context_takeover; client_no_context_takeover")},
      {"ws-deflate-small-window", kLegal, kWs, "Replies are compressed with a window of 512 bytes.",
       choosing_also("; server_max_window_bits=9")},
      {"ws-deflate-replies-plain", kLegal, kWs,
       "Compression is agreed to, and replies are not compressed.",
       writing_deflated(
           [](wire::Deflater&, std::string_view reply) { return server_frame({}, reply); })},
      {"ws-deflate-replies-in-fragments", kLegal, kWs, "Compressed replies come in two frames.",
       writing_deflated([](wire::Deflater& deflater, std::string_view reply) {
         const std::string first = deflater.deflate(reply.substr(0, 10), false);
         return server_frame({.fin = false, .rsv = 4}, first) +
                server_frame(
                    {.opcode = wire::kContinuation},
                    deflater.deflate(reply.substr(std::min<std::size_t>(10, reply.size())), true));
       })},
      {"ws-deflate-tail-kept", kLegal, kWs,
       "Compressed replies end with the empty block that could be left out.",
       writing_deflated([](wire::Deflater& deflater, std::string_view reply) {
         return server_frame({.rsv = 4},
                             deflater.deflate(reply, false) + deflater.deflate({}, true));
       })},
  };
  return all;
}

}  // namespace jrpcheck::reference
