#include "judge/websocket_step.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/join.hpp"
#include "base/letter_case.hpp"
#include "wire/deflate.hpp"
#include "wire/header_text.hpp"
#include "wire/http1.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Exchange;

void judge_pong(const corpus::Step& step, const Exchange& exchange, bool survived,
                Charger& charger) {
  const auto due = step.charge.count("pong") != 0 ? step.pong_due() : std::nullopt;
  if (!due) return;
  const std::string& requirement = step.charge.at("pong");
  const bool has_come = contains(exchange.pongs, *due);
  // Whoever closes the connection answers nothing more, which is told as what it is.
  const bool stands = survived && exchange.ending != dialogue::Ending::closed &&
                      exchange.ending != dialogue::Ending::exited;
  if (has_come || !stands) return;
  std::string came = exchange.pongs.empty() ? "no pong" : "";
  for (const auto& pong : exchange.pongs) {
    came += (came.empty() ? "pong " : ", pong ") + to_visible(pong);
  }
  charger.charge(requirement, {Symptom::pong_missing, "pong " + to_visible(*due), came});
}

bool sends_text_only(const corpus::Step& step) {
  return !step.raw && std::ranges::all_of(step.frames, [](const auto& each) {
    const unsigned opcode = each.second.opcode;
    return opcode == wire::kText || opcode == wire::kContinuation || opcode >= wire::kClose;
  });
}

void judge_opcodes(const corpus::Step& step, const Exchange& exchange, Charger& charger) {
  if (!sends_text_only(step)) return;
  for (const auto& reply : exchange.replies) {
    charger.exercise("ws-text");
    if (!reply.is_binary) continue;
    charger.charge("ws-text", {Symptom::reply_binary, "a text message", to_visible(reply.text())});
    return;
  }
}

// What no rule forbids to a reply to binary (RFC 6455 §5.6).
void observe_opcode(const corpus::Case& bound, const Exchange& exchange, Charger& charger) {
  if (bound.requirements.front() != "ws-binary-request" || exchange.replies.empty()) return;
  const bool is_binary = exchange.replies.front().is_binary;
  charger.judgement().observe("reply to a call in a binary message", is_binary ? "binary" : "text");
}

std::optional<wire::HttpMessage> parsed(const std::string& head, wire::HttpReader::Role role) {
  wire::HttpReader reader(role);
  if (role == wire::HttpReader::Role::client) reader.expect_response_to("GET");
  reader.feed(head);
  return reader.next();
}

// The elements of a list of tokens (RFC 9110 §5.6.1).
std::vector<std::string> tokens_of(const wire::HttpMessage& message, std::string_view name) {
  std::vector<std::string> tokens;
  for (auto& each : wire::extensions_of(message.list(name))) {
    tokens.push_back(std::move(each.name));
  }
  return tokens;
}

std::string listed(const std::vector<std::string>& tokens) {
  return tokens.empty() ? "none" : joined(tokens);
}

void judge_subprotocol(const wire::HttpMessage& request, const wire::HttpMessage& response,
                       Charger& charger) {
  constexpr const char* kName = "Sec-WebSocket-Protocol";
  const auto offered = tokens_of(request, kName);
  const auto chosen = tokens_of(response, kName);
  const bool was_offered =
      std::ranges::all_of(chosen, [&](const std::string& each) { return contains(offered, each); });
  if (chosen.size() <= 1 && was_offered) return;
  charger.charge("ws-subprotocol",
                 {Symptom::subprotocol_not_offered, "among those offered: " + listed(offered),
                  std::string(kName) + ": " + to_visible(listed(chosen))});
}

// RFC 6455 §9.1; RFC 7692 §5.1, 7.1.
void judge_extensions(const wire::HttpMessage& request, const wire::HttpMessage& response,
                      Charger& charger) {
  constexpr const char* kName = "Sec-WebSocket-Extensions";
  const std::string offered = request.list(kName);
  const auto offers = wire::extensions_of(offered);
  for (const auto& chosen : wire::extensions_of(response.list(kName))) {
    const std::string why = wire::why_not_agreeable(offers, chosen);
    if (why.empty()) continue;
    charger.charge("ws-extension",
                   {Symptom::extension_not_offered,
                    "among those offered: " + (offered.empty() ? "none" : offered),
                    std::string(kName) + ": " + to_visible(chosen.text()) + "; " + why});
    return;
  }
}

// RFC 6455 §4.4 wants the versions named; a client that speaks 13 alone needs no name.
void judge_refusal(const wire::HttpMessage& request, const wire::HttpMessage& response,
                   Charger& charger) {
  const bool is_of_version = request.field("Sec-WebSocket-Version").value_or("13") != "13";
  const bool is_refused = response.status >= 400 && response.status < 500;
  if (!is_of_version || !is_refused || response.field("Sec-WebSocket-Version")) return;
  charger.charge_as(corpus::Verdict::warn, "ws-version",
                    {Symptom::version_not_named, "Sec-WebSocket-Version: 13",
                     "HTTP " + std::to_string(response.status) + " without it"});
}

void observe_handshake(const corpus::Case& bound, const Exchange& exchange, Charger& charger) {
  const auto request = parsed(exchange.handshake->request, wire::HttpReader::Role::server);
  const auto response = parsed(exchange.handshake->response, wire::HttpReader::Role::client);
  if (!request || !response) return;
  if (request->list("Sec-WebSocket-Extensions") == wire::kDeflateName &&
      bound.requirements.front() == "ws-extension" && response->status == 101) {
    const bool is_agreed =
        wire::deflate_agreed(response->list("Sec-WebSocket-Extensions")).has_value();
    charger.judgement().observe("permessage-deflate", is_agreed ? "agreed to" : "declined");
  }
  if (!request->field("Sec-WebSocket-Protocol")) return;
  if (bound.requirements.front() != "ws-subprotocol") return;
  const std::string chosen = response->status == 101
                                 ? listed(tokens_of(*response, "Sec-WebSocket-Protocol"))
                                 : "HTTP " + std::to_string(response->status);
  charger.judgement().observe(
      "subprotocol chosen of " + listed(tokens_of(*request, "Sec-WebSocket-Protocol")), chosen);
}

// Whether the list has this element (RFC 9110 §5.6.1).
bool has_element(std::string_view list, std::string_view wanted) {
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    if (same_ignoring_case(wire::trimmed(list.substr(0, comma)), wanted)) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

// A client must give up a connection whose handshake is answered without them (RFC 6455 §4.1).
bool names_upgrade(const wire::HttpMessage& response) {
  return has_element(response.list("Upgrade"), "websocket") &&
         has_element(response.list("Connection"), "upgrade");
}

}  // namespace

void judge_handshake(const dialogue::Handshake& handshake, Charger& charger) {
  const auto request = parsed(handshake.request, wire::HttpReader::Role::server);
  const auto response = parsed(handshake.response, wire::HttpReader::Role::client);
  if (!request || !response) return;
  if (response->status != 101) return judge_refusal(*request, *response, charger);
  // What watches keeps little of a head.
  const bool is_kept_whole = request->field("Upgrade").has_value();
  const auto key = request->field("Sec-WebSocket-Key");
  const auto accept = response->field("Sec-WebSocket-Accept");
  const std::string due = wire::websocket_accept(key.value_or(""));
  if (key && accept.value_or("") != due) {
    charger.charge("ws-accept", {Symptom::accept_wrong, "Sec-WebSocket-Accept: " + due,
                                 accept ? to_visible(*accept) : "none"});
  } else if (key && is_kept_whole && !names_upgrade(*response)) {
    const auto shown = [&](const char* name) {
      return std::string(name) + ": " + to_visible(response->field(name).value_or("(none)"));
    };
    charger.charge("ws-accept",
                   {Symptom::upgrade_not_named, "Upgrade: websocket and Connection: Upgrade",
                    shown("Upgrade") + " and " + shown("Connection")});
  }
  judge_subprotocol(*request, *response, charger);
  judge_extensions(*request, *response, charger);
}

std::vector<std::string_view> shown_by(const dialogue::Handshake& handshake) {
  const auto request = parsed(handshake.request, wire::HttpReader::Role::server);
  const auto response = parsed(handshake.response, wire::HttpReader::Role::client);
  std::vector<std::string_view> shown;
  if (!request || !response) return shown;
  if (request->field("Sec-WebSocket-Key")) shown.push_back("ws-accept");
  const auto is_named = [&](const char* name) {
    return request->field(name) || response->field(name);
  };
  if (is_named("Sec-WebSocket-Protocol")) shown.push_back("ws-subprotocol");
  if (is_named("Sec-WebSocket-Extensions")) shown.push_back("ws-extension");
  return shown;
}

std::string why_not_agreed(const corpus::Step& step, const Exchange& exchange) {
  if (step.needs_extension.empty()) return {};
  const auto response = exchange.handshake
                            ? parsed(exchange.handshake->response, wire::HttpReader::Role::client)
                            : std::nullopt;
  const bool is_agreed = response && response->status == 101 &&
                         wire::deflate_agreed(response->list("Sec-WebSocket-Extensions"));
  return is_agreed ? "" : "the server does not agree to " + step.needs_extension;
}

void judge_websocket_step(const corpus::Case& bound, const corpus::Step& step,
                          const Exchange& exchange, bool survived, Charger& charger) {
  charger.exercise("ws-server-frames");
  charger.exercise("ws-server-unmasked");
  judge_pong(step, exchange, survived, charger);
  judge_opcodes(step, exchange, charger);
  observe_opcode(bound, exchange, charger);
  if (!exchange.handshake) return;
  judge_handshake(*exchange.handshake, charger);
  observe_handshake(bound, exchange, charger);
}

}  // namespace jrpcheck::judge
