#include "session/http_intake.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "dialogue/id_key.hpp"
#include "session/incoming.hpp"
#include "wire/sse.hpp"

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

constexpr int kFirstNoSuccess = 300;
// Of which each message of JSON-RPC has one.
constexpr std::array<std::string_view, 4> kMembers = {"jsonrpc", "result", "error", "method"};

bool is_event_stream(const wire::HttpMessage& response) {
  return wire::is_event_stream(response.field("Content-Type").value_or(""));
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
  return is_notification || dialogue::has_outcome(value);
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

HttpIntake::HttpIntake(Patience& patience, std::map<std::string, std::string> answers,
                       SendAnswer send_answer, Resume resume)
    : patience_(patience),
      answer_call_([answers = std::move(answers), send_answer = std::move(send_answer)](
                       const dialogue::Message& call, dialogue::Transcript& transcript) {
        if (answers.empty()) return;
        const auto answer = answer_to_request(call, answers);
        if (answer) send_answer(*answer, transcript);
      }),
      resume_(std::move(resume)) {}

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
      event.note = dialogue::kAnswerTakenNote;
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
  // That a control call is answered tells that the server serves. It is not judged with the case,
  // and heard where that has no room left.
  const bool is_taken = taking.transcript.add(std::move(event)) || taking.is_control;
  last_ = response;
  last_.body.clear();
  if (!is_taken) exchange.beyond_limit = dialogue::kMoreThanTaken;
  if (response.beyond_limit) exchange.beyond_limit = response.violation;
  if (head.is_broken) {
    exchange.ending = dialogue::Ending::closed;
    exchange.detail =
        (response.beyond_limit ? std::string(kMoreThanRead) : "the response breaks HTTP/1.1: ") +
        response.violation;
    return;
  }
  exchange.http_status = response.status;
  exchange.http_version = head.version;
  exchange.http_content_type = head.content_type;
  if (is_taken && !is_accepted && !is_blank(body.text()))
    exchange.replies.push_back({body, response.status});
}

// It is read until all that is due has come, and a moment longer for what may be too much. Nothing
// limits how long it is, only its events: a server may say a lot before it answers.
std::size_t HttpIntake::take_stream(HttpConnection& connection, Awaited awaited, Deadline deadline,
                                    const Taking& taking) {
  const auto* begun = await_head(connection, deadline);
  last_ = *begun;
  last_.body.clear();
  EventStream stream(streams_++, head_of(*begun), answer_call_, last_event_id_);
  stream.expect(awaited.replies);
  dialogue::Event event = stream.event(Direction::received, begun->head, taking.note);
  event.http->size = begun->head.size();
  event.is_control = taking.is_control;
  taking.transcript.add(std::move(event));
  dialogue::Exchange& exchange = taking.exchange;
  exchange.http_status = begun->status;
  exchange.http_version = stream.head().version;
  exchange.http_content_type = stream.head().content_type;

  const auto is_beyond_limit = [&] { return !exchange.beyond_limit.empty(); };
  std::optional<wire::HttpMessage> whole;
  std::optional<Deadline> rest;  // how long is listened once nothing is due
  for (;;) {
    whole = connection.receive(Deadline::in(microseconds(0)));
    stream.take_in(whole ? whole->body : connection.take_pending_body(), taking);
    if (whole || connection.ended() || is_beyond_limit()) break;
    if (stream.awaited() == 0 && !rest) {
      rest = Deadline::in(awaited.until_end ? microseconds(kForTheEnd) : patience_.tail());
    }
    const Deadline until = rest.value_or(deadline);
    if (until.passed()) break;
    connection.listen(until);
  }

  std::string note = "the event stream was left: nothing more is due on it";
  if (whole) {
    note = whole->violation.empty() ? "the server ended the event stream" : whole->violation;
    if (whole->beyond_limit) exchange.beyond_limit = whole->violation;  // one chunk of it alone
  } else {
    connection.abandon();
    if (stream.awaited() > 0) note = "nothing more came on the event stream";
    if (rest && awaited.until_end) note = "the server left the event stream open";
    if (is_beyond_limit()) note = exchange.beyond_limit;
    if (stream.awaited() > 0 && !is_beyond_limit()) exchange.ending = dialogue::Ending::timed_out;
  }
  if (!stream.has_answered() && exchange.ending == dialogue::Ending::settled) {
    exchange.ending = dialogue::Ending::closed;
    exchange.detail = "the event stream ended before the Response";
  }
  taking.transcript.add(stream.event(Direction::closed, stream.unfinished(), std::move(note)));
  last_event_id_ = stream.last_id();
  retry_ = stream.retry();
  const bool can_go_on = exchange.ending == dialogue::Ending::closed && !last_event_id_.empty();
  return can_go_on ? stream.awaited() : 0;
}

std::unique_ptr<StandingStream> HttpIntake::take_standing(HttpConnection connection,
                                                          Listener listener, Deadline deadline,
                                                          dialogue::Transcript& transcript) {
  const auto* begun = await_head(connection, deadline);
  if (begun == nullptr) return nullptr;
  const bool is_stream =
      begun->violation.empty() && is_event_stream(*begun) && begun->status < kFirstNoSuccess;
  dialogue::Event event{Direction::aside, {}, begun->head, std::string(dialogue::kAnswerTakenNote)};
  event.http = head_of(*begun);
  if (is_stream) event.http->stream = streams_;
  event.http->size = begun->head.size();
  transcript.add(std::move(event));
  if (!is_stream) return nullptr;
  dialogue::HttpHead head = head_of(*begun);
  return std::make_unique<StandingStream>(std::move(connection), streams_++, std::move(head),
                                          answer_call_, earlier_, listener);
}

}  // namespace jrpcheck::session
