#include "judge/websocket_step.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/letter_case.hpp"
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
  const bool has_come =
      std::find(exchange.pongs.begin(), exchange.pongs.end(), *due) != exchange.pongs.end();
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
  return !step.raw && std::all_of(step.frames.begin(), step.frames.end(), [](const auto& each) {
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

std::optional<wire::HttpMessage> parsed(const std::string& head, wire::HttpReader::Role role) {
  wire::HttpReader reader(role);
  if (role == wire::HttpReader::Role::client) reader.expect_response_to("GET");
  reader.feed(head);
  return reader.next();
}

// The elements of a list of tokens, without their parameters (RFC 9110 §5.6.1).
std::vector<std::string> tokens_of(const wire::HttpMessage& message, std::string_view name) {
  std::vector<std::string> tokens;
  for (const auto& [field, value] : message.fields) {
    if (!same_ignoring_case(field, name)) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const auto comma = std::min(rest.find(','), rest.size());
      std::string_view token = rest.substr(0, comma);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      token = token.substr(0, token.find(';'));
      const auto begin = std::min(token.find_first_not_of(" \t"), token.size());
      token.remove_prefix(begin);
      token = token.substr(0, token.find_last_not_of(" \t") + 1);
      if (!token.empty()) tokens.emplace_back(token);
    }
  }
  return tokens;
}

std::string listed(const std::vector<std::string>& tokens) {
  std::string text;
  for (const auto& token : tokens) text.append(text.empty() ? "" : ", ").append(token);
  return text.empty() ? "none" : text;
}

void judge_chosen(const wire::HttpMessage& request, const wire::HttpMessage& response,
                  const char* name, const char* requirement, Symptom symptom, Charger& charger) {
  const auto offered = tokens_of(request, name);
  const auto chosen = tokens_of(response, name);
  const bool is_one = symptom == Symptom::extension_not_offered || chosen.size() <= 1;
  const bool was_offered = std::all_of(chosen.begin(), chosen.end(), [&](const std::string& each) {
    return std::find(offered.begin(), offered.end(), each) != offered.end();
  });
  if (is_one && was_offered) return;
  charger.charge(requirement, {symptom, "among those offered: " + listed(offered),
                               std::string(name) + ": " + to_visible(listed(chosen))});
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

void judge_handshake(const Exchange& exchange, Charger& charger) {
  const auto request = parsed(exchange.handshake->request, wire::HttpReader::Role::server);
  const auto response = parsed(exchange.handshake->response, wire::HttpReader::Role::client);
  if (!request || !response) return;
  if (response->status != 101) return judge_refusal(*request, *response, charger);
  const auto key = request->field("Sec-WebSocket-Key");
  const auto accept = response->field("Sec-WebSocket-Accept");
  const std::string due = wire::websocket_accept(key.value_or(""));
  if (key && accept.value_or("") != due) {
    charger.charge("ws-accept", {Symptom::accept_wrong, "Sec-WebSocket-Accept: " + due,
                                 accept ? to_visible(*accept) : "none"});
  }
  judge_chosen(*request, *response, "Sec-WebSocket-Protocol", "ws-subprotocol",
               Symptom::subprotocol_not_offered, charger);
  judge_chosen(*request, *response, "Sec-WebSocket-Extensions", "ws-extension",
               Symptom::extension_not_offered, charger);
}

void observe_handshake(const corpus::Case& bound, const Exchange& exchange, Charger& charger) {
  const auto request = parsed(exchange.handshake->request, wire::HttpReader::Role::server);
  const auto response = parsed(exchange.handshake->response, wire::HttpReader::Role::client);
  if (!request || !response || !request->field("Sec-WebSocket-Protocol")) return;
  if (bound.requirements.front() != "ws-subprotocol") return;
  const std::string chosen = response->status == 101
                                 ? listed(tokens_of(*response, "Sec-WebSocket-Protocol"))
                                 : "HTTP " + std::to_string(response->status);
  charger.judgement().observations.push_back(
      {"subprotocol chosen of " + listed(tokens_of(*request, "Sec-WebSocket-Protocol")), chosen});
}

}  // namespace

void judge_websocket_step(const corpus::Case& bound, const corpus::Step& step,
                          const Exchange& exchange, bool survived, Charger& charger) {
  charger.exercise("ws-server-frames");
  charger.exercise("ws-server-unmasked");
  judge_pong(step, exchange, survived, charger);
  judge_opcodes(step, exchange, charger);
  if (!exchange.handshake) return;
  judge_handshake(exchange, charger);
  observe_handshake(bound, exchange, charger);
}

}  // namespace jrpcheck::judge
