#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "dialogue/id_key.hpp"
#include "judge/http_step.hpp"
#include "judge/traffic/rules.hpp"
#include "judge/websocket_step.hpp"

namespace jrpcheck::judge {

using dialogue::Side;
using dialogue::TrafficEvent;
using json::Kind;
using json::Value;

namespace {

constexpr std::size_t kAccepted = 202;

// A person or a model has to decide first (LSP 3.17, window/showMessageRequest; MCP, Elicitation
// and Sampling § User Interaction Model).
bool waits_for_people(const std::string& method) {
  return method == "window/showMessageRequest" || method == "elicitation/create" ||
         method == "sampling/createMessage";
}

bool is_reply(const Value* value) {
  if (value == nullptr) return false;
  const auto is_one = [](const Value& each) { return each.find("jsonrpc") != nullptr; };
  if (!value->is(Kind::array)) return is_one(*value);
  return std::ranges::any_of(value->children(), is_one);
}

}  // namespace

bool TrafficJudge::TrafficRules::is_refusal() const {
  if (event_->http_status < 300) return false;
  return event_->http_status < 400 || !is_reply(event_->message.value());
}

// 202 says that an answer comes elsewhere, if at all (MCP 2024-11-05, HTTP with SSE); what else it
// says is for people.
bool TrafficJudge::TrafficRules::is_acceptance() const {
  const auto& message = event_->message;
  if (event_->http_status != kAccepted || is_reply(message.value())) return false;
  return message.value() != nullptr || message.text().find("\"jsonrpc\"") == std::string::npos;
}

// What was no request and cannot be accepted gets an HTTP error whose body may be an error without
// an id, in every version of MCP (basic/transports § Sending Messages).
bool TrafficJudge::TrafficRules::says_why_it_refuses(const Asked& asked) const {
  const bool is_mcp = context_.ledger->find("mcp-c-http-post") != nullptr;
  const bool was_asked =
      !asked.calls.open().empty() || asked.is_excused() || !asked.excuses_in_batch.empty();
  const Value* value = event_->message.value();
  if (!is_mcp || was_asked || event_->http_status < 400 || value == nullptr) return false;
  return value->find("error") != nullptr && dialogue::is_of_unknown_call(event_->message);
}

void TrafficJudge::TrafficRules::take_http_response(WatchedConnection& connection) {
  auto& asked = asked_by(connection, Side::client);
  const bool is_owed_nothing = asked.calls.open().empty() && !asked.is_excused() &&
                               asked.notifications > 0 && asked.excuses_in_batch.empty();
  dialogue::Exchange exchange;
  exchange.http_status = static_cast<int>(event_->http_status);
  exchange.http_content_type = event_->content_type;
  const bool is_silent =
      is_blank(event_->message.text()) || is_acceptance() || says_why_it_refuses(asked);
  if (!is_silent) {
    exchange.replies.push_back({event_->message, exchange.http_status});
    ++counts_[place_of(Side::server)].messages;
  }
  judge(Side::server, {},
        [&](Charger& charger) { judge_http_exchange(exchange, is_owed_nothing, charger); });
  if (is_owed_nothing && is_silent) exercise(Side::server, "ntf-silent");
  charge_head();
  if (!is_silent && !is_refusal() && !connection.is_lossy) {
    if (!judge_text_of(connection)) {
      asked.calls.take_all();
    } else {
      take_value(connection, *event_->message.value());
    }
  }
  const bool is_aside =
      event_->http_status == kAccepted || event_->stream == dialogue::EventStream::broken_off;
  if (is_aside) set_aside(connection);
  // Whoever has ended a session has ended its streams.
  const bool is_excused = is_on_stream() && connection.provoked_at.has_value();
  const bool is_over = !is_refusal() && !is_aside && !is_excused && !connection.is_lossy;
  if (is_over) charge_unanswered(connection, Side::client);
  connections_.erase(key_of(*event_));
}

// A tap has seen the head, of which nothing else is kept.
void TrafficJudge::TrafficRules::charge_head() {
  const auto& note = event_->note;
  const auto wanted = wanted_of_head(note);
  if (wanted.empty()) return;
  charge(Side::server, "http-response-head",
         {Symptom::rule_broken,
          std::string(wanted),
          "HTTP " + std::to_string(event_->http_status),
          {},
          note});
}

void TrafficJudge::TrafficRules::take_close(WatchedConnection& connection) {
  const Side side = event_->side;
  charge_cut(connection, side);
  auto& closed = connection.closed;
  if (!closed[place_of(side)]) closed[place_of(side)] = event_->at;
  const bool is_first = !closed[place_of(dialogue::other(side))];
  auto& waiting = asked_by(connection, dialogue::other(side)).calls;
  const bool is_told = !connection.is_lossy && !waiting.has_forgotten();
  const bool owes = side == Side::server && !connection.provoked_at && !connection.is_told_to_end;
  if (is_first && is_told && owes) charge_unanswered(connection, Side::client);
  if (is_first && !connection.is_told_to_end) charge_waiting(connection);
  // Over HTTP nothing of an exchange comes after the end of the server's side.
  const bool is_over = event_->exchange && side == Side::server;
  if (is_first && !is_over) return;
  if (is_over && connection.is_lossy) set_aside(connection);
  forget(connections_.find(key_of(*event_)));
}

void TrafficJudge::TrafficRules::take_upgrade() {
  judge(Side::server, event_->note, [&](Charger& charger) {
    const dialogue::Handshake handshake{event_->note, event_->message.text()};
    for (const auto id : shown_by(handshake)) charger.exercise(std::string(id));
    judge_handshake(handshake, charger);
  });
}

// Whoever orders a server to end wants nothing more of it: the end is the client's, and no answer
// need come before it (LSP 3.17, exit).
void TrafficJudge::TrafficRules::note_order_to_end(WatchedConnection& connection) {
  if (std::exchange(connection.is_told_to_end, true)) return;
  charge_waiting(connection);
}

// Nobody answers a client that has left. A client that leaves has had its time as well; a server
// that does is charged with each answer that it owes.
void TrafficJudge::TrafficRules::charge_waiting(WatchedConnection& connection) {
  charge_long_unanswered(connection, Side::client);
  if (event_->side == Side::client) charge_long_unanswered(connection, Side::server);
}

void TrafficJudge::TrafficRules::charge_unanswered(WatchedConnection& connection, Side caller) {
  auto& asked = asked_by(connection, caller);
  charge_strays(connection, caller);
  for (const auto& call : asked.calls.take_all()) {
    ++counts_[place_of(caller)].unanswered;
    if (call.is_given_up || call.is_over) continue;
    if (asked.calls.take_nameless_answer(call)) continue;
    Fault fault{Symptom::unanswered, "a Response with id " + call.id, ending_text()};
    if (event_->note == dialogue::kClosedAsItCame) {
      warn(dialogue::other(caller), "res-always", std::move(fault), call.text);
    } else {
      charge(dialogue::other(caller), "res-always", std::move(fault), call.text);
    }
  }
}

void TrafficJudge::TrafficRules::charge_strays(WatchedConnection& connection, Side caller) {
  for (const auto& stray : std::exchange(asked_by(connection, caller).strays, {})) {
    charge_stray(connection, stray);
  }
}

void TrafficJudge::TrafficRules::charge_stray(const WatchedConnection& connection,
                                              const StrayAnswer& stray) {
  if (!stray.has_id) return;  // that is charged by itself
  charge_as_of(stray.event, [&] {
    // Where something is missing the call may have had its answer.
    if (stray.call && connection.is_lossy) return charge_answer_to_nothing(connection, stray.text);
    if (stray.call) {
      return charge(event_->side, "id-echo", {Symptom::wrong_id, stray.call->id, stray.id, "/id"},
                    stray.call->text);
    }
    charge(event_->side, "id-echo",
           {Symptom::wrong_id, "the id of a call in flight", "null", "/id"});
  });
}

std::string TrafficJudge::TrafficRules::ending_text() const {
  if (event_->http_status != 0) {
    const auto& body = event_->message.text();
    return "HTTP " + std::to_string(event_->http_status) + ": " +
           (is_blank(body) ? "nothing" : to_visible(body, kExcerpt));
  }
  const std::string how = event_->note.empty() ? "closed the connection" : event_->note;
  return "the " + std::string(name_of(event_->side)) + " " + how;
}

void TrafficJudge::TrafficRules::charge_long_unanswered(WatchedConnection& connection,
                                                        Side answerer) {
  const Side caller = dialogue::other(answerer);
  auto& asked = asked_by(connection, caller);
  if (connection.is_lossy || asked.calls.has_forgotten()) return;
  // Who answers none of the server's calls knows none.
  const bool is_client = answerer == Side::client;
  const bool knows_none = is_client && asked.answered == 0;
  for (const auto& call : asked.calls.open()) {
    const auto waited = event_->at - call.at;
    if (call.is_given_up || call.is_over || waited < kLongUnanswered) continue;
    if (!knows_none && !asked.calls.is_overtaken(call)) continue;
    if (is_client && waits_for_people(call.method)) continue;
    if (asked.calls.take_nameless_answer(call)) continue;
    warn(answerer, is_client ? "cl-server-call" : "res-always",
         {Symptom::unanswered, "a Response with id " + call.id,
          "nothing in " + duration_text(waited) + ", until the " +
              std::string(name_of(event_->side)) +
              (connection.is_told_to_end ? " told the server to end" : " closed the connection")},
         call.text);
  }
}

}  // namespace jrpcheck::judge
