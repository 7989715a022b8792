// The rules of the Model Context Protocol over streamable HTTP.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/ascii.hpp"
#include "dialogue/id_key.hpp"
#include "json/value.hpp"
#include "judge/rules/http_turns.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

constexpr const char* kSessionField = "Mcp-Session-Id";
constexpr std::size_t kStatusOk = 200;
constexpr std::size_t kStatusAccepted = 202;
constexpr std::size_t kFirstNoSuccess = 300;
constexpr std::size_t kStatusNotFound = 404;

bool asks(const json::Value* value) {
  return value != nullptr && value->is(Kind::object) && value->find("method") != nullptr &&
         value->find("id") != nullptr;
}

bool answers_something(const json::Value* value) {
  return value != nullptr && dialogue::has_outcome(*value);
}

// What is no valid Request is no notification either.
bool only_tells(const json::Value* value) {
  if (value == nullptr || !value->is(Kind::object) || value->find("id") != nullptr) return false;
  const json::Value* version = value->find("jsonrpc");
  const json::Value* method = value->find("method");
  const json::Value* params = value->find("params");
  return version != nullptr && version->is(Kind::string) && version->text() == "2.0" &&
         method != nullptr && method->is(Kind::string) &&
         (params == nullptr || params->is(Kind::object));
}

bool is_post_of_request(const HttpTurn& turn) {
  return turn.method() == "POST" && asks(turn.sent().value());
}

std::string status_text(const HttpTurn& turn) { return "HTTP " + std::to_string(turn.status()); }

template <typename Judge>
void for_each_turn(const RuleCall& call, Judge judge) {
  for (const auto& turn : turns_in(call.events)) {
    if (turn.response) judge(turn);
  }
}

void answer_is_json_or_stream(const RuleCall& call) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    if (!is_post_of_request(turn) || turn.status() != kStatusOk) return;
    call.exercise();
    const std::string type = turn.type();
    if (type == "application/json" || type == "text/event-stream") return;
    call.charge_step(turn.step, "A Request is answered under another Content-Type.",
                     "application/json or text/event-stream", type.empty() ? "none" : type);
  });
}

void json_answer_is_one_object(const RuleCall& call) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    const bool is_json = turn.type() == "application/json" && turn.status() == kStatusOk;
    if (!is_post_of_request(turn) || !is_json) return;
    call.exercise();
    const json::Value* value = turn.body.value();
    if (value != nullptr && value->is(Kind::object)) return;
    call.charge_step(turn.step, "The body of an answer is not one Object.", "one JSON Object",
                     turn.body.text());
  });
}

void accepted_without_body(const RuleCall& call, bool (*is_it)(const json::Value*),
                           const std::string& what) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    const bool is_taken = turn.status() >= kStatusOk && turn.status() < kFirstNoSuccess;
    if (turn.method() != "POST" || !is_it(turn.sent().value()) || !is_taken) return;
    call.exercise();
    const bool is_empty = is_blank(turn.body.text());
    if (turn.status() == kStatusAccepted && is_empty && !turn.is_stream()) return;
    call.charge_step(turn.step, what + " that is accepted is not answered by 202 alone.",
                     "HTTP 202 without a body",
                     status_text(turn) + (turn.is_stream() ? ", and an event stream"
                                          : is_empty       ? ""
                                                           : ", and " + turn.body.text()));
  });
}

void notification_accepted(const RuleCall& call) {
  accepted_without_body(call, only_tells, "A notification");
}

void response_accepted(const RuleCall& call) {
  accepted_without_body(call, answers_something, "A response");
}

template <typename Judge>
void for_each_block(const RuleCall& call, Judge judge) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    for (const auto& block : turn.blocks) judge(turn, block);
  });
}

// Where the version has batches, an Array of messages as well.
void event_is_a_message(const RuleCall& call) {
  for (const auto& event : call.events) {
    if (!event.http || !event.http->is_block()) continue;
    if (event.direction == dialogue::Direction::closed) continue;
    const dialogue::Message message = dialogue::message_of(event);
    const bool is_of_another_type =
        event.note == dialogue::kEndpointNote || event.note == dialogue::kOtherTypeNote;
    if (message.text().empty() || is_of_another_type) continue;
    call.exercise();
    const json::Value* value = message.value();
    const bool is_batch =
        value != nullptr && value->is(Kind::array) && !call.law.profile.batches_optional;
    if (value != nullptr && (value->is(Kind::object) || is_batch)) continue;
    call.charge_step(event.step.value_or(0), "The data of an event is no message.",
                     "one JSON-RPC message", event.bytes);
  }
}

// An event that is not closed by a blank line is discarded (WHATWG HTML §9.2.6).
void event_is_whole(const RuleCall& call) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    if (turn.end != "the server ended the event stream") return;
    call.exercise();
    if (turn.unfinished.find_first_not_of("\r\n") == std::string::npos) return;
    call.charge_step(turn.step, "The stream ends within an event, which is lost.",
                     "a blank line behind each event", turn.unfinished);
  });
}

// Also one that is malformed, as the rules for Responses say.
bool is_meant_as_response(const json::Value& value) {
  const bool has_id_alone = value.find("id") != nullptr && value.find("method") == nullptr;
  return dialogue::has_outcome(value) || has_id_alone || value.is(Kind::array);
}

bool holds_the_response(const HttpTurn& turn) {
  return std::any_of(turn.blocks.begin(), turn.blocks.end(), [](const StreamBlock& block) {
    const json::Value* value = block.message.value();
    return value != nullptr && is_meant_as_response(*value);
  });
}

// Whether what was taken up behind an event of this stream brought it, or behind one of that.
bool has_come_later(const HttpTurn& turn, const std::vector<HttpTurn>& turns) {
  std::set<std::string> ids;
  const auto note_ids = [&](const HttpTurn& of) {
    for (const auto& block : of.blocks) {
      if (block.event.id) ids.insert(*block.event.id);
    }
  };
  note_ids(turn);
  for (const auto& other : turns) {
    const auto last = field_in(other.request, "Last-Event-ID");
    if (!last || ids.count(*last) == 0) continue;
    if (holds_the_response(other)) return true;
    note_ids(other);
  }
  return false;
}

void stream_has_the_response(const RuleCall& call) {
  const auto turns = turns_in(call.events);
  for_each_turn(call, [&](const HttpTurn& turn) {
    if (!is_post_of_request(turn) || !turn.is_stream() || turn.end.empty()) return;
    const bool is_there = holds_the_response(turn) || has_come_later(turn, turns);
    if (!is_there && turn.end != "the server ended the event stream") return;
    call.exercise();
    if (is_there) return;
    call.charge_step(turn.step, "The server ends a stream before the Response to the Request.",
                     "the Response, then the end", status_text(turn) + ", and a stream without it");
  });
}

void stream_ends_behind_the_response(const RuleCall& call) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    const bool is_left_open = turn.end == "the server left the event stream open";
    if (!is_post_of_request(turn)) return;
    if (!is_left_open && turn.end != "the server ended the event stream") return;
    call.exercise();
    if (!is_left_open) return;
    call.charge_step(turn.step, "The stream stays open behind the Response.",
                     "the end of the stream within 2 s", "nothing");
  });
}

void stream_is_primed(const RuleCall& call) {
  const auto has_id = [](const StreamBlock& block) { return block.event.id.has_value(); };
  for_each_turn(call, [&](const HttpTurn& turn) {
    const bool has_ids = std::ranges::any_of(turn.blocks, has_id);
    // A client that may be older is given nothing that it does not know.
    const bool is_known =
        field_in(turn.request, "MCP-Protocol-Version") == call.law.profile.version;
    if (turn.method() != "POST" || !has_ids || !is_known) return;
    call.exercise();
    // A comment and a retry alone are no events (WHATWG HTML §9.2.6), and none of another type is
    // heard by clients.
    const auto& first =
        std::ranges::find_if(turn.blocks, [&](const StreamBlock& block) {
          return has_id(block) || (block.event.data && block.event.is_of_messages());
        })->event;
    if (first.id && first.data == "") return;
    call.charge_step(turn.step,
                     "A stream whose events have ids does not begin with one to resume from.",
                     "an event with an id and empty data", first.block);
  });
}

// Nothing where there are no sessions.
std::string session_of(const HttpTurn& turn) {
  const auto asked_in = field_in(turn.request, kSessionField);
  return asked_in.value_or(field_in(turn.response_head, kSessionField).value_or(""));
}

// A stream that was there before is of the session in which the first request is made.
std::string first_session_in(const std::vector<HttpTurn>& turns) {
  const auto first =
      std::ranges::find_if(turns, [](const auto& turn) { return !turn.is_standing_stream(); });
  return first == turns.end() ? std::string() : session_of(*first);
}

void event_ids_unique(const RuleCall& call) {
  const std::string session_before = first_session_in(turns_in(call.events));
  std::map<std::string, std::set<std::string>> known_in;
  for_each_turn(call, [&](const HttpTurn& turn) {
    if (field_in(turn.request, "Last-Event-ID")) return;  // they are those of another stream
    auto& known = known_in[turn.is_standing_stream() ? session_before : session_of(turn)];
    for (const auto& block : turn.blocks) {
      if (!block.event.id || block.event.id->empty()) continue;
      call.exercise();
      if (known.insert(*block.event.id).second) continue;
      call.charge_step(block.step, "The id of an event is used twice in a session.", "another id",
                       block.event.block);
    }
  });
}

void session_id_is_visible(const RuleCall& call) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    const auto id = field_in(turn.response_head, kSessionField);
    if (!id) return;
    call.exercise();
    if (std::all_of(id->begin(), id->end(), [](char c) { return c > ' ' && c <= '~'; })) return;
    call.charge_step(turn.step, "A session id has characters that are not visible ASCII.",
                     "characters from 0x21 to 0x7E", *id);
  });
}

// What is answered to the handshake of an earlier version may have one.
void no_session_id(const RuleCall& call) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    if (field_in(turn.request, "MCP-Protocol-Version") != call.law.profile.version) return;
    call.exercise();
    if (const auto id = field_in(turn.response_head, kSessionField)) {
      call.charge_step(turn.step, "A session id is given out, and there are no sessions any more.",
                       std::string("no ") + kSessionField, *id);
    }
  });
}

void ended_session_is_gone(const RuleCall& call) {
  std::set<std::string> ended;
  for_each_turn(call, [&](const HttpTurn& turn) {
    const auto session = field_in(turn.request, kSessionField);
    if (!session) return;
    if (turn.method() == "DELETE" && turn.status() < kFirstNoSuccess) {
      ended.insert(*session);
      return;
    }
    if (turn.method() != "POST" || ended.count(*session) == 0) return;
    ended.erase(*session);  // once is enough
    call.exercise();
    if (turn.status() == kStatusNotFound) return;
    call.charge_step(turn.step, "A session that was ended is not answered by 404.", "HTTP 404",
                     status_text(turn));
  });
}

void get_opens_a_stream(const RuleCall& call) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    if (turn.method() != "GET" || turn.status() < kStatusOk || turn.status() >= kFirstNoSuccess)
      return;
    call.exercise();
    if (turn.is_stream()) return;
    call.charge_step(turn.step, "A GET is served, and not by an event stream.",
                     "text/event-stream, or HTTP 405", status_text(turn) + ", " + turn.type());
  });
}

void get_carries_no_response(const RuleCall& call) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    const bool resumes = field_in(turn.request, "Last-Event-ID").has_value();
    const bool is_for_answers =
        std::any_of(turn.blocks.begin(), turn.blocks.end(),
                    [](const auto& block) { return block.event.type == "endpoint"; });
    if (turn.method() != "GET" || !turn.is_stream() || resumes || is_for_answers) return;
    call.exercise();
    for (const auto& block : turn.blocks) {
      if (!answers_something(block.message.value())) continue;
      call.charge_step(turn.step, "A Response comes on the stream that a GET opened.",
                       "Requests and notifications of the server", block.event.block);
    }
  });
}

void stream_is_unbuffered(const RuleCall& call) {
  for_each_turn(call, [&](const HttpTurn& turn) {
    if (!turn.is_stream() || turn.is_standing_stream()) return;
    call.exercise();
    if (field_in(turn.response_head, "X-Accel-Buffering") == "no") return;
    call.charge_step(turn.step, "A stream does not ask proxies to pass it on at once.",
                     "X-Accel-Buffering: no", "none");
  });
}

void stream_is_about_its_request(const RuleCall& call) {
  for_each_block(call, [&](const HttpTurn& turn, const StreamBlock& block) {
    const json::Value* asked = turn.sent().find("method");
    const json::Value* told = block.message.find("method");
    if (asked == nullptr || told == nullptr) return;
    call.exercise();
    const std::string_view method = told->text();
    const bool is_change =
        method.ends_with("/list_changed") || method == "notifications/resources/updated";
    if (!is_change || asked->text() == "subscriptions/listen") return;
    call.charge_step(block.step, "A stream tells what has nothing to do with its Request.",
                     "what belongs to " + asked->text(), block.event.block);
  });
}

constexpr std::array kMcpHttpRows = {
    RuleRow{"http-answer-is-json-or-stream", &answer_is_json_or_stream},
    RuleRow{"http-json-answer-is-one-object", &json_answer_is_one_object},
    RuleRow{"http-notification-accepted", &notification_accepted},
    RuleRow{"http-response-accepted", &response_accepted},
    RuleRow{"event-is-a-message", &event_is_a_message, Needs::event_streams},
    RuleRow{"event-is-whole", &event_is_whole, Needs::event_streams},
    RuleRow{"event-ids-unique", &event_ids_unique, Needs::event_streams},
    RuleRow{"stream-has-the-response", &stream_has_the_response, Needs::event_streams},
    RuleRow{"stream-ends-behind-the-response", &stream_ends_behind_the_response},
    RuleRow{"stream-is-primed", &stream_is_primed},
    RuleRow{"stream-is-unbuffered", &stream_is_unbuffered},
    RuleRow{"stream-is-about-its-request", &stream_is_about_its_request},
    RuleRow{"http-session-id-is-visible", &session_id_is_visible},
    RuleRow{"http-no-session-id", &no_session_id},
    RuleRow{"http-ended-session-is-gone", &ended_session_is_gone},
    RuleRow{"http-get-opens-a-stream", &get_opens_a_stream},
    RuleRow{"http-get-carries-no-response", &get_carries_no_response},
};

}  // namespace

std::span<const RuleRow> mcp_http_rules() { return kMcpHttpRows; }

}  // namespace jrpcheck::judge
