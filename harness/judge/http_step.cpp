#include "judge/http_step.hpp"

#include <algorithm>
#include <string>

#include "base/bytes.hpp"
#include "base/letter_case.hpp"
#include "dialogue/id_key.hpp"
#include "dialogue/traffic.hpp"
#include "json/parse.hpp"
#include "judge/code.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Exchange;

std::string essence_of(const std::string& content_type) {
  const std::string type = in_lower_case(content_type.substr(0, content_type.find(';')));
  const auto begin = type.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return type.substr(begin, type.find_last_not_of(" \t") + 1 - begin);
}

// Those of the drafts, those registered for JSON itself, and what is built on it (RFC 6839 §3.1).
bool is_json_type(const std::string& content_type) {
  const std::string type = essence_of(content_type);
  return type == "application/json" || type == "application/json-rpc" ||
         type == "application/jsonrequest" || type == "text/json" || type.ends_with("+json");
}

bool is_rpc_reply(const dialogue::Reply& reply) {
  const auto is_response = [](const json::Value& value) {
    return value.find("jsonrpc") != nullptr && dialogue::has_outcome(value);
  };
  if (reply.value() == nullptr) return false;
  if (!reply.value()->is(json::Kind::array)) return is_response(*reply.value());
  const auto& elements = reply.value()->children();
  return std::ranges::any_of(elements, is_response);
}

bool holds_response(const Exchange& exchange) {
  return std::ranges::any_of(exchange.replies, is_rpc_reply);
}

void judge_content_type(const Exchange& exchange, Charger& charger) {
  if (exchange.replies.empty() || !is_rpc_reply(exchange.replies.back())) return;
  charger.exercise("http-response-type");
  if (exchange.replies.back().is_event) return;
  if (is_json_type(exchange.http_content_type)) return;
  const bool none = exchange.http_content_type.empty();
  charger.charge("http-response-type",
                 {none ? Symptom::content_type_missing : Symptom::content_type_wrong,
                  "Content-Type: application/json", none ? "none" : exchange.http_content_type});
}

bool has_bare_line_feed(const std::string& head) {
  for (std::size_t at = head.find('\n'); at != head.npos; at = head.find('\n', at + 1)) {
    if (at == 0 || head[at - 1] != '\r') return true;
  }
  return false;
}

bool has_twice(const std::string& text, std::string_view field) {
  const auto first = text.find(field);
  return first != text.npos && text.find(field, first + field.size()) != text.npos;
}

bool has_folded_line(const std::string& text) {
  return text.find("\n ") != text.npos || text.find("\n\t") != text.npos;
}

// Clients that read on regardless may be made to take part of a body for the next response.
void judge_head(const Exchange& exchange, Charger& charger) {
  constexpr const char* kRequirement = "http-response-head";
  if (exchange.http_head.empty()) return;
  charger.exercise(kRequirement);
  const auto fault = fault_of_head(exchange.http_head);
  if (fault.empty()) return;
  charger.charge(kRequirement, {Symptom::rule_broken,
                                std::string(wanted_of_head(fault)),
                                to_visible(exchange.http_head),
                                {},
                                std::string(fault),
                                {std::string(fault)},
                                true});
}

// Each call is on a connection of its own, and so is its answer.
void judge_pairing(const corpus::Case& bound, const corpus::Step& step, const Exchange& exchange,
                   Charger& charger) {
  const bool is_paired = std::ranges::any_of(
      exchange.replies, [](const auto& reply) { return reply.call.has_value(); });
  if (!is_paired) return;
  const auto& sent = step.messages;
  for (const auto& reply : exchange.replies) {
    if (!reply.call || *reply.call >= sent.size()) continue;
    const json::Value* id = reply.find("id");
    const json::Value* own = sent[*reply.call].find("id");
    if (id == nullptr || own == nullptr || json::equal(*id, *own)) continue;
    const bool is_anothers = std::ranges::any_of(sent, [&](const auto& call) {
      const json::Value* other = call.find("id");
      return other != nullptr && json::equal(*other, *id);
    });
    if (!is_anothers) continue;  // then it is wrong among all of them
    charger.charge(
        bound.requirements.front(),
        {Symptom::answers_swapped, "the id of the call on this connection: " + json::write(*own),
         to_visible(reply.text())});
    return;
  }
}

void judge_connection(const corpus::Step& step, const Exchange& exchange, Charger& charger) {
  if (!exchange.on_new_connection) return;
  if (exchange.lost_connection.empty()) {
    charger.judgement().unjudged = "the server has closed the connection behind a reply";
    return;
  }
  const auto named = step.charge.find("connection");
  charger.charge(named == step.charge.end() ? "http-keep-alive" : named->second,
                 {Symptom::connection_lost,
                  "a connection that serves on, or a response with Connection: close",
                  exchange.lost_connection});
}

// Too many calls, or none for now (RFC 6585 §4, RFC 9110 §15.6.4): that is no status of an answer.
bool is_refused_for_now(const Exchange& exchange) {
  constexpr int kTooManyRequests = 429;
  constexpr int kUnavailable = 503;
  return exchange.limited || exchange.http_status == kTooManyRequests ||
         (exchange.http_status == kUnavailable && !holds_response(exchange));
}

void judge_status(const Exchange& before, const Exchange& exchange, Charger& charger) {
  if (before.http_status == 0 || exchange.http_status == 0) return;
  if (is_refused_for_now(before) || is_refused_for_now(exchange)) return;
  charger.exercise("http-status-stable");
  if (before.http_status == exchange.http_status) return;
  charger.charge("http-status-stable",
                 {Symptom::status_changed, "HTTP " + std::to_string(before.http_status),
                  "HTTP " + std::to_string(exchange.http_status)});
}

constexpr int kFirstFailure = 400;
constexpr int kFirstFailureOfServer = 500;

bool has_result(const dialogue::Reply& reply) {
  return reply.find("jsonrpc") != nullptr && reply.find("result") != nullptr &&
         reply.find("error") == nullptr;
}

void judge_status_of_results(const Exchange& exchange, Charger& charger) {
  for (const auto& reply : exchange.replies) {
    if (!has_result(reply)) continue;
    charger.exercise("http-error-status-of-result");
    if (reply.http_status < kFirstFailure) continue;
    charger.charge("http-error-status-of-result",
                   {Symptom::failure_status_of_result, "a 2xx status with a result",
                    "HTTP " + std::to_string(reply.http_status)});
  }
}

bool is_named_notification(const json::Value& value) {
  const json::Value* method = value.find("method");
  return method != nullptr && method->is(json::Kind::string) && value.find("id") == nullptr;
}

bool holds_notifications_alone(const dialogue::Message& message) {
  const json::Value* value = message.value();
  if (value == nullptr) return false;
  if (!value->is(json::Kind::array)) return is_named_notification(*value);
  return !value->children().empty() &&
         std::ranges::all_of(value->children(), is_named_notification);
}

// Silence may do for an invalid Request or a Response as well; but those are no Notifications.
bool is_owed_nothing(const corpus::Step& step) {
  const auto& first = step.accept.front();
  return first.shape == corpus::Outcome::Shape::silence && step.http.method == "POST" &&
         std::ranges::all_of(step.messages, holds_notifications_alone);
}

// What the server could not read it has not taken for a Notification.
bool says_unreadable(const dialogue::Reply& reply) {
  return reply.value() != nullptr && error_code_of(*reply.value()) == -32700;
}

void judge_status_of_silence(const Exchange& exchange, Charger& charger) {
  if (holds_response(exchange) || std::ranges::any_of(exchange.replies, says_unreadable)) return;
  charger.exercise("http-notification-5xx");
  if (exchange.http_status < kFirstFailureOfServer) return;
  charger.charge("http-notification-5xx",
                 {Symptom::failure_status_of_notification, "a status that is none of 5xx",
                  "HTTP " + std::to_string(exchange.http_status)});
}

}  // namespace

std::string_view fault_of_head(const std::string& head) {
  const std::string text = in_lower_case(head);
  const auto has = [&](std::string_view field) { return text.find(field) != text.npos; };
  if (has_bare_line_feed(text)) return dialogue::kBareLineFeed;
  if (has_folded_line(text)) return dialogue::kFoldedLine;
  const bool has_length = has("\ncontent-length:");
  const bool has_coding = has("\ntransfer-encoding:");
  if (has_length && has_coding) return dialogue::kLengthBesideCoding;
  const bool is_204 = text.starts_with("http/1.1 204") || text.starts_with("http/1.0 204");
  if (is_204 && (has_length || has_coding)) return dialogue::kLengthOf204;
  return has_twice(text, "\ncontent-type:") ? dialogue::kTwoTypes : std::string_view();
}

std::string_view wanted_of_head(std::string_view fault) {
  if (fault == dialogue::kBareLineFeed) return "lines that end in CR LF";
  if (fault == dialogue::kFoldedLine) return "each field on one line";
  if (fault == dialogue::kLengthBesideCoding) return "Content-Length or Transfer-Encoding";
  if (fault == dialogue::kLengthOf204) return "neither of them: a 204 has no content";
  return fault == dialogue::kTwoTypes ? "one Content-Type" : std::string_view();
}

void judge_http_exchange(const Exchange& exchange, bool is_owed_nothing, Charger& charger) {
  judge_head(exchange, charger);
  judge_content_type(exchange, charger);
  judge_status_of_results(exchange, charger);
  if (!is_owed_nothing) return;
  charger.exercise("http-response-always");
  judge_status_of_silence(exchange, charger);
}

void judge_http_step(const corpus::Case& bound, std::size_t step,
                     std::span<const Exchange> exchanges, Charger& charger) {
  const Exchange& exchange = exchanges[step];
  if (bound.steps[step].same_connection) judge_connection(bound.steps[step], exchange, charger);
  judge_pairing(bound, bound.steps[step], exchange, charger);
  if (exchange.http_status == 0 || exchange.handshake) return;
  judge_http_exchange(exchange, is_owed_nothing(bound.steps[step]), charger);
  if (bound.steps[step].same_status) judge_status(exchanges[step - 1], exchange, charger);
}

}  // namespace jrpcheck::judge
