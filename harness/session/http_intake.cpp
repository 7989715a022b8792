#include "session/http_intake.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/letter_case.hpp"
#include "dialogue/id_key.hpp"
#include "session/incoming.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::session {
namespace {

using dialogue::Direction;
using json::Kind;

// How long a server is given to end a stream on which all has been said, where that is asked about.
constexpr milliseconds kForTheEnd{2000};

// A stream that has broken off is taken up again at once, or as it says, within reason. Where that
// brings nothing the server may be at work on the answer, and is asked less and less often.
constexpr milliseconds kFirstRetry{20};
constexpr milliseconds kLongestUsualRetry{500};
constexpr milliseconds kLongestRetry{2000};

constexpr std::string_view kEndpoint = "endpoint";
constexpr int kFirstNoSuccess = 300;
// Of which each message of JSON-RPC has one.
constexpr std::array<std::string_view, 4> kMembers = {"jsonrpc", "result", "error", "method"};

bool is_event_stream(const wire::HttpMessage& response) {
  const std::string_view type = response.field("Content-Type").value_or("");
  return same_ignoring_case(wire::trimmed(type.substr(0, type.find(';'))), "text/event-stream");
}

dialogue::HttpHead head_of(const wire::HttpMessage& response) {
  return {static_cast<std::size_t>(response.status),
          response.start_line.substr(0, response.start_line.find(' ')),
          std::string(response.field("Content-Type").value_or("")), response.head.size(),
          !response.violation.empty()};
}

bool asks(const json::Value& value) {
  return value.is(Kind::object) && value.find("method") != nullptr && value.find("id") != nullptr;
}

// What is said of a message by others than JSON-RPC is the server's own affair.
bool speaks_json_rpc(const dialogue::Message& body) {
  const json::Value* value = body.value();
  if (value == nullptr) return false;
  if (value->is(Kind::array)) return true;
  return value->is(Kind::object) &&
         std::any_of(kMembers.begin(), kMembers.end(),
                     [&](const auto name) { return value->find(name) != nullptr; });
}

bool needs_no_answer(const json::Value& value) {
  const bool is_notification = value.find("method") != nullptr && value.find("id") == nullptr;
  const bool is_response = value.find("result") != nullptr || value.find("error") != nullptr;
  return value.is(Kind::object) && (is_notification || is_response);
}

// A Request or Notification of the server's own.
bool is_call(const dialogue::Message& message) {
  return message.find("method") != nullptr && message.find("result") == nullptr &&
         message.find("error") == nullptr;
}

std::size_t responses_in(const dialogue::Message& message) {
  const json::Value* value = message.value();
  return value != nullptr && value->is(Kind::array) ? value->size() : 1;
}

}  // namespace

Awaited awaited_by(const dialogue::Message& message) {
  const json::Value* value = message.value();
  if (value == nullptr) return {};
  if (!value->is(Kind::array)) return {needs_no_answer(*value) ? 0U : 1U};
  const auto& elements = value->children();
  if (elements.empty()) return {};
  const bool is_owed_none = std::all_of(elements.begin(), elements.end(), needs_no_answer);
  const auto requests = std::count_if(elements.begin(), elements.end(), asks);
  return {is_owed_none ? 0U : std::max<std::size_t>(1, static_cast<std::size_t>(requests))};
}

dialogue::Event event_of(const wire::HttpMessage& response) {
  dialogue::Event event{Direction::received, {}, response.head + response.body};
  event.http = head_of(response);
  return event;
}

struct HttpIntake::Stream {
  std::size_t number;
  dialogue::HttpHead head;
  std::size_t awaited;
  wire::SseReader reader{kReplyLimits};
  std::size_t fed = 0;  // bytes of the body
  bool is_broken = false;
  bool stands_open = false;  // it answers no message of its own
  Due due = {};              // where it does
  std::string endpoint = {};
  std::string last_id = {};

  dialogue::Event event(Direction direction, std::string bytes, std::string note) const {
    dialogue::Event event{direction, {}, std::move(bytes), std::move(note)};
    event.http = head;
    event.http->size = 0;
    event.http->stream = number;
    return event;
  }
};

struct HttpIntake::Standing {
  HttpConnection connection;
  Stream stream;
  bool has_ended = false;
};

HttpIntake::HttpIntake(Patience& patience, std::map<std::string, std::string> answers,
                       SendAnswer send_answer, Resume resume)
    : patience_(patience),
      answers_(std::move(answers)),
      send_answer_(std::move(send_answer)),
      resume_(std::move(resume)) {}

HttpIntake::~HttpIntake() = default;

void HttpIntake::leave_stream() { standing_.reset(); }

void HttpIntake::look_at_stream() {
  if (!has_stream()) return;
  standing_->connection.listen(Deadline::in(microseconds(0)));
  standing_->has_ended = standing_->connection.ended() || standing_->connection.peek() != nullptr;
}

bool HttpIntake::has_stream() const {
  return standing_ && !standing_->has_ended && !standing_->connection.ended();
}

bool HttpIntake::answers_on_stream() const {
  return has_stream() && !standing_->stream.endpoint.empty();
}

// The first bytes of a server show that it has come up, and that it may now take no longer than any
// other.
const wire::HttpMessage* HttpIntake::await_head(HttpConnection& connection,
                                                Deadline& deadline) const {
  for (;;) {
    if (const auto* response = connection.peek()) return response;
    const auto* begun = connection.pending();
    if (begun != nullptr && is_event_stream(*begun)) return begun;
    if (connection.ended() || deadline.passed()) return nullptr;
    connection.listen(deadline);
    if (!patience_.is_starting() || !connection.heard_anything()) continue;
    patience_.note_first_sign();
    deadline = Deadline::earlier(deadline, deadline.anew_in(patience_.timeout()));
  }
}

void HttpIntake::take_response(HttpConnection& connection, Awaited awaited, Deadline deadline,
                               const Taking& taking) {
  const auto* begun = await_head(connection, deadline);
  if (begun == nullptr) {
    last_ = {};
    taking.exchange.ending =
        connection.ended() ? dialogue::Ending::closed : dialogue::Ending::timed_out;
    return;
  }
  if (begun->violation.empty() && is_event_stream(*begun)) {
    last_event_id_.clear();
    awaited.replies = take_stream(connection, awaited, deadline, taking);
    if (awaited.replies > 0) take_up_again(awaited, deadline, taking);
    return;
  }
  take_whole(*connection.receive(deadline), taking);
}

// A stream that ends before all has come is taken up behind its last event, if that has an id
// (WHATWG HTML §9.2.4; MCP transports § Resumability and Redelivery).
void HttpIntake::take_up_again(Awaited awaited, Deadline deadline, const Taking& taking) {
  microseconds usual = kFirstRetry;
  for (;;) {
    const std::string last = last_event_id_;
    const microseconds wait = std::max(usual, std::min<microseconds>(retry_, kLongestRetry));
    transport::wait_until(Deadline::earlier(deadline, Deadline::in(wait)));
    if (deadline.passed()) {
      taking.exchange.ending = dialogue::Ending::timed_out;
      return;
    }
    auto connection = resume_(last, taking.transcript);
    if (!connection) return;
    const auto* begun = await_head(*connection, deadline);
    if (begun == nullptr || !begun->violation.empty() || !is_event_stream(*begun)) {
      if (begun == nullptr) return;
      dialogue::Event event = event_of(*connection->receive(deadline));
      event.direction = Direction::aside;
      event.note = kAnswerTaken;
      taking.transcript.add(std::move(event));
      return;
    }
    taking.exchange.ending = dialogue::Ending::settled;
    taking.exchange.detail.clear();
    awaited.replies = take_stream(*connection, awaited, deadline, taking);
    if (awaited.replies == 0) return;
    const bool is_in_vain = last_event_id_ == last;
    usual = is_in_vain ? std::min<microseconds>(2 * usual, kLongestUsualRetry) : kFirstRetry;
  }
}

void HttpIntake::take_whole(const wire::HttpMessage& response, const Taking& taking) {
  const dialogue::Message body(response.body);
  dialogue::Event event = event_of(response);
  event.note = response.violation.empty() ? taking.note : response.violation;
  event.message = body;
  event.call = taking.call;
  event.is_control = taking.is_control;
  const dialogue::HttpHead head = *event.http;
  dialogue::Exchange& exchange = taking.exchange;
  // Whatever is said to a message whose answer comes on the stream: no more than that it is taken.
  const bool is_accepted = answers_on_stream() && !head.is_broken && !speaks_json_rpc(body) &&
                           response.status < kFirstNoSuccess;
  if (is_accepted) {
    event.direction = Direction::aside;
    event.note = dialogue::kAcceptedNote;
  }
  const bool is_taken = taking.transcript.add(std::move(event));
  last_ = response;
  last_.body.clear();
  if (!is_taken) exchange.beyond_limit = dialogue::kMoreThanTaken;
  if (response.beyond_limit) exchange.beyond_limit = response.violation;
  if (head.is_broken) {
    exchange.ending = dialogue::Ending::closed;
    exchange.detail = "the response breaks HTTP/1.1: " + response.violation;
    return;
  }
  exchange.http_status = response.status;
  exchange.http_version = head.version;
  exchange.http_content_type = head.content_type;
  if (is_taken && !is_accepted && !is_blank(body.text()))
    exchange.replies.push_back({body, response.status});
}

// It is read until all that is due has come, and a moment longer for what may be too much.
std::size_t HttpIntake::take_stream(HttpConnection& connection, Awaited awaited, Deadline deadline,
                                    const Taking& taking) {
  const auto* begun = await_head(connection, deadline);
  last_ = *begun;
  last_.body.clear();
  Stream stream{streams_++, head_of(*begun), awaited.replies};
  stream.last_id = last_event_id_;  // where it goes on behind that
  dialogue::Event event = stream.event(Direction::received, begun->head, taking.note);
  event.http->size = begun->head.size();
  event.is_control = taking.is_control;
  taking.transcript.add(std::move(event));
  retry_ = microseconds(0);
  dialogue::Exchange& exchange = taking.exchange;
  exchange.http_status = begun->status;
  exchange.http_version = stream.head.version;
  exchange.http_content_type = stream.head.content_type;

  std::optional<Deadline> rest;  // how long is listened once nothing is due
  for (;;) {
    const auto* whole = connection.peek();
    const auto* there = whole != nullptr ? whole : connection.pending();
    if (there != nullptr) take_blocks(stream, there->body, taking);
    if (whole != nullptr || there == nullptr || stream.is_broken) break;
    if (stream.awaited == 0 && !rest) {
      rest = Deadline::in(awaited.until_end ? microseconds(kForTheEnd) : patience_.tail());
    }
    const Deadline until = rest.value_or(deadline);
    if (until.passed()) break;
    connection.listen(until);
  }

  std::string note = "the event stream was left: nothing more is due on it";
  if (const auto whole = connection.receive(Deadline::in(microseconds(0)))) {
    note = whole->violation.empty() ? "the server ended the event stream" : whole->violation;
  } else {
    connection.abandon();
    if (stream.awaited > 0) note = "nothing more came on the event stream";
    if (rest && awaited.until_end) note = "the server left the event stream open";
    if (stream.is_broken) note = exchange.beyond_limit;
    if (stream.awaited > 0 && !stream.is_broken) exchange.ending = dialogue::Ending::timed_out;
  }
  if (stream.awaited > 0 && exchange.ending == dialogue::Ending::settled) {
    exchange.ending = dialogue::Ending::closed;
    exchange.detail = "the event stream ended before the Response";
  }
  taking.transcript.add(
      stream.event(Direction::closed, stream.reader.unfinished(), std::move(note)));
  last_event_id_ = stream.last_id;
  const bool can_go_on = exchange.ending == dialogue::Ending::closed && !stream.last_id.empty();
  return can_go_on ? stream.awaited : 0;
}

void HttpIntake::take_blocks(Stream& stream, const std::string& body, const Taking& taking) {
  stream.reader.feed(std::string_view(body).substr(stream.fed));
  stream.fed = body.size();
  while (const auto block = stream.reader.next()) {
    if (!block->violation.empty()) {
      stream.is_broken = true;
      taking.exchange.beyond_limit = block->violation;
      return;
    }
    take_block(stream, *block, taking);
  }
}

void HttpIntake::take_block(Stream& stream, const wire::ServerSentEvent& block,
                            const Taking& taking) {
  const dialogue::Message message(block.data.value_or(""));
  if (block.id) stream.last_id = *block.id;
  if (block.retry) retry_ = milliseconds(std::atoll(block.retry->substr(0, 9).c_str()));
  if (stream.stands_open && takes_aside(stream, block, message, taking)) return;
  const bool is_own = is_call(message);
  dialogue::Event event =
      stream.event(is_own ? Direction::unasked : Direction::received, block.block,
                   is_own ? "sent by the server on its own account" : taking.note);
  event.message = message;
  event.call = taking.call;
  event.is_control = taking.is_control && !is_own;
  const bool is_taken = taking.transcript.add(std::move(event));
  if (!is_taken) taking.exchange.beyond_limit = dialogue::kMoreThanTaken;
  if (is_own) return answer(message, taking);
  if (!is_taken || is_blank(message.text())) return;
  stream.awaited -= std::min(stream.awaited, responses_in(message));
  taking.exchange.http_status = static_cast<int>(stream.head.status);
  dialogue::Reply reply{message, taking.exchange.http_status};
  reply.call = taking.call;
  reply.is_event = true;
  taking.exchange.replies.push_back(std::move(reply));
}

// What a stream that stands open brings and what answers nothing of this step: where messages go,
// the answer to the sentinel, and those to earlier calls.
bool HttpIntake::takes_aside(Stream& stream, const wire::ServerSentEvent& block,
                             const dialogue::Message& message, const Taking& taking) {
  const auto keys = dialogue::id_keys_of(message);
  const auto is_in = [&](const std::set<std::string>& ids) {
    return !keys.empty() && std::all_of(keys.begin(), keys.end(),
                                        [&](const auto& key) { return ids.count(key) != 0; });
  };
  if (block.type == kEndpoint) {
    stream.endpoint = block.data.value_or("");
    taking.transcript.add(
        stream.event(Direction::aside, block.block, std::string(dialogue::kEndpointNote)));
    return true;
  }
  if (!stream.due.sentinel.empty() && is_in({stream.due.sentinel})) {
    dialogue::Event event =
        stream.event(Direction::received, block.block, "answer to the control call");
    event.message = message;
    event.is_control = true;
    taking.transcript.add(std::move(event));
    taking.exchange.control_answered = true;
    taking.exchange.control_answer = message.text();
    stream.due.sentinel.clear();
    return true;
  }
  const bool answers_earlier = !is_call(message) && is_in(asked_before_) && !is_in(stream.due.ids);
  // Where it is no stream for answers, a Response on it is nothing that anybody has asked for.
  if (!answers_earlier && (!stream.endpoint.empty() || is_call(message))) return false;
  if (!answers_earlier && message.text().empty()) return false;
  dialogue::Event event =
      stream.event(answers_earlier ? Direction::aside : Direction::unasked, block.block,
                   answers_earlier ? "answers an earlier call" : "came on the stream of a GET");
  event.message = message;
  taking.transcript.add(std::move(event));
  if (answers_earlier) late_.push_back(message);
  return true;
}

bool HttpIntake::keep_stream(HttpConnection connection, Deadline deadline,
                             dialogue::Transcript& transcript) {
  standing_.reset();
  const auto* begun = await_head(connection, deadline);
  if (begun == nullptr) return false;
  const bool is_stream =
      begun->violation.empty() && is_event_stream(*begun) && begun->status < kFirstNoSuccess;
  dialogue::Event event{Direction::aside, {}, begun->head, kAnswerTaken};
  event.http = head_of(*begun);
  if (is_stream) event.http->stream = streams_;
  event.http->size = begun->head.size();
  transcript.add(std::move(event));
  if (!is_stream) return false;
  Stream stream{streams_++, head_of(*begun), 0};
  stream.stands_open = true;
  standing_ = std::make_unique<Standing>(Standing{std::move(connection), std::move(stream)});
  return true;
}

std::optional<std::string> HttpIntake::await_endpoint(Deadline deadline,
                                                      dialogue::Transcript& transcript) {
  dialogue::Exchange none;
  while (has_stream() && standing_->stream.endpoint.empty() && !deadline.passed()) {
    // What came together with the head is there already.
    take_from_stream({}, Deadline::in(microseconds(0)), {none, transcript});
    if (standing_->stream.endpoint.empty()) standing_->connection.listen(deadline);
  }
  if (!has_stream() || standing_->stream.endpoint.empty()) return std::nullopt;
  return standing_->stream.endpoint;
}

void HttpIntake::take_from_stream(Due due, Deadline deadline, const Taking& taking) {
  Stream& stream = standing_->stream;
  HttpConnection& connection = standing_->connection;
  stream.awaited = due.replies;
  stream.due = std::move(due);
  connection.listen(Deadline::in(microseconds(0)));
  for (;;) {
    const auto whole = connection.receive(Deadline::in(microseconds(0)));
    stream.fed = 0;
    take_blocks(stream, whole ? whole->body : connection.take_pending_body(), taking);
    if (whole) connection.abandon();
    if (stream.is_broken || (stream.awaited == 0 && stream.due.sentinel.empty())) break;
    if (connection.ended() || deadline.passed()) {
      taking.exchange.ending =
          connection.ended() ? dialogue::Ending::closed : dialogue::Ending::timed_out;
      if (connection.ended()) taking.exchange.detail = "the server ended the event stream";
      break;
    }
    connection.listen(deadline);
  }
  asked_before_.insert(stream.due.ids.begin(), stream.due.ids.end());
}

void HttpIntake::take_rest(const Taking& taking) {
  if (standing_) take_from_stream({}, Deadline::in(microseconds(0)), taking);
}

void HttpIntake::answer(const dialogue::Message& message, const Taking& taking) {
  if (answers_.empty()) return;
  if (const auto answer = answer_to_request(message, answers_)) {
    send_answer_(*answer, taking.transcript);
  }
}

}  // namespace jrpcheck::session
