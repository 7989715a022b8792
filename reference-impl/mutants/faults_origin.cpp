// What becomes of a handshake of WebSocket that comes from a web page of another site.
#include <atomic>
#include <memory>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mutated_server.hpp"
#include "reference-impl/mutants/rewrites_of_frames.hpp"

namespace jrpcheck::reference {

namespace {

bool is_from_another_site(const wire::HttpMessage& request) {
  const auto origin = request.field("Origin");
  const auto host = request.field("Host");
  return origin && *origin != "http://" + std::string(host.value_or(""));
}

std::string response_of(int status, const std::string& text) {
  return wire::http_response(status, {{"Content-Type", "text/plain"}, {"Connection", "close"}},
                             text);
}

/// `refuse` makes the response of the proper one.
template <typename Refuse>
Behaviour refusing_others(Refuse refuse) {
  return shaking_hands([refuse](const wire::HttpMessage& request, std::string proper) {
    return is_from_another_site(request) ? refuse(std::move(proper)) : proper;
  });
}

std::string closed_at_once(std::string proper) {
  constexpr int kPolicy = 1008;
  return proper +
         server_frame({.opcode = wire::kClose}, wire::close_payload(kPolicy, "not from there"));
}

Behaviour refusing_all_after_one() {
  const auto met = std::make_shared<std::atomic<bool>>(false);
  return shaking_hands([met](const wire::HttpMessage& request, std::string proper) {
    if (is_from_another_site(request)) *met = true;
    return *met ? response_of(403, "not from there") : proper;
  });
}

/// What comes on a connection from another site is answered so.
Behaviour answering_others(FrameAnswer (*answer_frame)(const wire::WebSocketItem& item)) {
  Behaviour behaviour;
  behaviour.websocket.taking_asked_by = [answer_frame](const wire::HttpMessage& request) {
    return is_from_another_site(request) ? TakeItem(answer_frame) : TakeItem();
  };
  return behaviour;
}

}  // namespace

std::span<const Mutant> origin_faults() {
  static const Mutant all[] = {
      {"ws-foreign-origin-gets-a-page", breaks("ws-origin"), kWs,
       "A handshake from another site is answered by a page, with status 200.",
       refusing_others([](const std::string&) { return response_of(200, "welcome"); })},
      {"ws-foreign-origin-refused-with-500", breaks("ws-origin"), kWs,
       "A handshake from another site is refused with status 500.",
       refusing_others([](const std::string&) { return response_of(500, "not from there"); })},
      {"ws-foreign-origin-refused-with-400", breaks("ws-origin"), kWs,
       "A handshake from another site is refused with status 400.",
       refusing_others([](const std::string&) { return response_of(400, "not from there"); })},
      {"ws-foreign-origin-closed", breaks("ws-origin"), kWs,
       "A handshake from another site is accepted, and the connection closed with 1008.",
       refusing_others(closed_at_once)},
      {"ws-foreign-origin-dropped", breaks("ws-origin"), kWs,
       "A handshake from another site is accepted, and the connection dropped at the first call.",
       answering_others([](const wire::WebSocketItem&) { return FrameAnswer{.ends = true}; })},
      {"ws-foreign-origin-not-served", breaks("ws-origin").perhaps("ws-not-deaf", "rob-survives"),
       kWs, "A handshake from another site is accepted, and nothing on the connection answered.",
       answering_others([](const wire::WebSocketItem&) { return FrameAnswer{}; })},
      {"ws-foreign-origin-remembered", breaks("ws-isolation").wherever_it_strikes(), kWs,
       "After a handshake from another site nobody's is accepted any more.",
       refusing_all_after_one()},
      {"ws-foreign-origin-fatal", breaks("rob-survives").perhaps("ws-origin", "ws-isolation"), kWs,
       "A handshake from another site ends the process.",
       refusing_others(
           [](const std::string&) -> std::string { suffer(Catastrophe::Manner::abort); })},
  };
  return all;
}

std::span<const Mutant> origin_variants() {
  static const Mutant all[] = {
      {"ws-foreign-origin-refused", kLegal, kWs,
       "A handshake from another site is refused with status 403 and a line of text.",
       refusing_others([](const std::string&) { return response_of(403, "not from there"); })},
  };
  return all;
}

}  // namespace jrpcheck::reference
