#include "judge/evidence.hpp"

#include "base/bytes.hpp"
#include "base/join.hpp"
#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Exchange;
using json::Kind;

bool mentions_json(const std::string& content_type) {
  return content_type.find("json") != std::string::npos;
}

// A JSON Object of the web framework's own, or its line of text as a JSON String: neither even
// tries to be a Response.
bool is_foreign_json(const dialogue::Reply& reply) {
  if (reply.value() == nullptr) return false;
  if (reply.value()->is(Kind::string)) return true;
  return reply.value()->is(Kind::object) && reply.find("jsonrpc") == nullptr &&
         reply.find("id") == nullptr;
}

// A 4xx or 5xx with a page or a line of text for people is the HTTP layer speaking.
bool is_http_refusal(const dialogue::Reply& reply, const Exchange& exchange) {
  if (reply.http_status < 400) return false;
  if (is_foreign_json(reply)) return true;
  const auto first = reply.text().find_first_not_of(" \t\r\n");
  const bool like_json =
      first != std::string::npos && (reply.text()[first] == '{' || reply.text()[first] == '[');
  const bool is_last = &reply == &exchange.replies.back();
  return !like_json && !(is_last && mentions_json(exchange.http_content_type));
}

// Why a Notification or a Response is not accepted (MCP basic/transports § Sending Messages).
bool says_why_refused(const dialogue::Reply& reply) {
  if (reply.http_status < 400 || reply.value() == nullptr) return false;
  return reply.find("error") != nullptr && dialogue::is_of_unknown_call(reply);
}

bool is_response(const json::Value& value) {
  return value.find("jsonrpc") != nullptr && dialogue::has_outcome(value);
}

}  // namespace

std::vector<const json::Value*> responses_within(const json::Value& value) {
  std::vector<const json::Value*> found;
  if (!value.is(Kind::object) || is_response(value)) return found;
  for (const auto& member : value.children()) {
    if (is_response(member)) found.push_back(&member);
    if (!member.is(Kind::array)) continue;
    for (const auto& element : member.children()) {
      if (is_response(element)) found.push_back(&element);
    }
  }
  return found;
}

Evidence read(const Exchange& exchange, bool may_be_refused) {
  Evidence evidence{exchange};
  evidence.may_be_refused = may_be_refused;
  for (const auto& reply : exchange.replies) {
    if (is_http_refusal(reply, exchange)) continue;
    if (evidence.may_be_refused && says_why_refused(reply)) continue;
    evidence.replies.push_back(&reply);
    if (reply.value() != nullptr) {
      evidence.values.push_back(reply.value());
    } else {
      evidence.unreadable = true;
    }
  }
  evidence.refused =
      evidence.has_none() && (exchange.http_status >= 400 || !exchange.replies.empty());
  return evidence;
}

bool has_refused_handshake(const Exchange& exchange) {
  constexpr int kSwitchingProtocols = 101;
  return exchange.handshake && exchange.http_status != kSwitchingProtocols;
}

std::string came_back(const Evidence& evidence) {
  const Exchange& exchange = evidence.exchange;
  const std::string http = "HTTP " + std::to_string(exchange.http_status);
  if (has_refused_handshake(exchange) && exchange.http_status != 0)
    return http + " to the handshake";
  std::vector<std::string> came;
  for (const auto& reply : exchange.replies) came.push_back(to_visible(reply.text()));
  if (exchange.replies.empty()) {
    for (const auto& pong : exchange.pongs) came.push_back("[pong] " + to_visible(pong));
    if (!exchange.detail.empty()) came.push_back(exchange.detail);
  }
  return (exchange.http_status == 0 ? "" : http + ": ") +
         (came.empty() ? "nothing" : joined(came, "  and  "));
}

std::string came_back(const Evidence& evidence, const corpus::Outcome& outcome) {
  std::string all = came_back(evidence);
  const bool is_of_result = evidence.values.size() == 1 && outcome.responses.size() == 1 &&
                            outcome.responses.front().result;
  if (!is_of_result || outcome.responses.front().result->at.empty()) return all;
  const std::string pointer = "/result" + outcome.responses.front().result->at;
  const json::Value* part = json::at(*evidence.values.front(), pointer);
  if (part == nullptr) return all;
  return to_visible(json::write(*part)) + " at " + pointer + " of " + all;
}

}  // namespace jrpcheck::judge
