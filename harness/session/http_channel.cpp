#include "session/http_channel.hpp"

#include <algorithm>
#include <utility>

#include "base/origin.hpp"
#include "dialogue/id_key.hpp"
#include "session/http_limits.hpp"

namespace jrpcheck::session {

HttpChannel::HttpChannel(std::shared_ptr<transport::Peer> peer, HttpSettings settings,
                         Patience& patience)
    : peer_(std::move(peer)),
      settings_(std::move(settings)),
      shown_target_(without_secrets(settings_.target)),
      get_path_(settings_.target.path),
      shown_fields_(without_secrets(settings_.extra_fields)),
      patience_(patience),
      session_(settings_.habits),
      intake_(
          patience, settings_.opening.answers,
          [this](const std::string& answer, dialogue::Transcript& transcript) {
            send_answer(answer, transcript);
          },
          [this](const std::string& last, dialogue::Transcript& transcript) {
            return get({{"Last-Event-ID", last}}, "the event stream is taken up again", transcript);
          }) {}

namespace {

// The path of an endpoint: a URI, or a reference to one on the server that was asked (RFC 3986 §5).
std::string path_of(const std::string& endpoint, const std::string& asked_at) {
  if (names_a_server(endpoint)) {
    const auto authority = endpoint.find("//");
    const auto path = authority == std::string::npos ? std::string::npos
                                                     : endpoint.find_first_of("/?", authority + 2);
    if (path == std::string::npos) return "/";
    return (endpoint[path] == '?' ? "/" : "") + endpoint.substr(path);
  }
  if (endpoint.starts_with('/')) return endpoint;
  const std::string folder = asked_at.substr(0, asked_at.find('?'));
  if (endpoint.starts_with('?')) return folder + endpoint;
  return folder.substr(0, folder.rfind('/') + 1) + endpoint;
}

}  // namespace

std::optional<HttpConnection> HttpChannel::get(const wire::HttpFields& fields,
                                               const std::string& note,
                                               dialogue::Transcript& transcript) const {
  auto connection = connect(transcript);
  if (!connection) return std::nullopt;
  corpus::HttpDetails details;
  details.method = "GET";
  details.headers = {{"Accept", "text/event-stream"}, {"Content-Type", std::nullopt}};
  for (const auto& [name, value] : fields) details.headers.emplace_back(name, value);
  transport::Target there = settings_.target;
  transport::Target shown = shown_target_;
  there.path = shown.path = get_path_;
  const auto request = [&](const transport::Target& target, const wire::HttpFields& own) {
    return http_request_for(target, session_.fields({}, own), details, {});
  };
  transcript.add(dialogue::Direction::sent, request(shown, shown_fields_), note);
  connection->expect_response_to(details.method);
  connection->send(request(there, settings_.extra_fields), {}, due_in(patience_.timeout()));
  return connection;
}

bool HttpChannel::open_stream(dialogue::Transcript& transcript, Stream which) {
  if (!settings_.has_endpoint_stream) return true;
  if (which == Stream::any && !has_lost_stream()) return true;
  // What came on the stream before it ended answers earlier calls.
  dialogue::Exchange none;
  if (auto* before = intake_.stream()) before->take_arrived({none, transcript});
  const Deadline deadline = due_in(patience_.timeout());
  const bool is_over_tls = settings_.target.scheme != nullptr && settings_.target.scheme->over_tls;
  auto connection = get(
      {}, std::string(is_over_tls ? dialogue::kOpensStreamOverTlsNote : dialogue::kOpensStreamNote),
      transcript);
  if (!connection || !intake_.keep_stream(*std::move(connection), deadline, transcript)) {
    return false;
  }
  const auto endpoint = intake_.stream()->await_endpoint(deadline, transcript);
  if (!endpoint) return false;
  settings_.target.path = shown_target_.path = path_of(*endpoint, get_path_);
  return true;
}

std::unique_ptr<StandingStream> HttpChannel::open_anothers_stream(
    dialogue::Transcript& transcript) {
  const Deadline deadline = due_in(patience_.timeout());
  auto connection = get({}, std::string(dialogue::kListensTooNote), transcript);
  if (!connection) return nullptr;
  auto stream =
      intake_.take_standing(*std::move(connection), Listener::another, deadline, transcript);
  const bool stands = stream && stream->await_endpoint(deadline, transcript);
  return stands && !has_lost_stream() ? std::move(stream) : nullptr;
}

void HttpChannel::listen(dialogue::Transcript& transcript) {
  const auto& opening = settings_.opening;
  // Who asks what is spoken opens nothing, and has nothing to listen to yet.
  const bool is_open = !opening.is_withheld && !opening.messages.empty();
  const bool is_asked =
      settings_.habits.listens && opening.listens && is_open && !settings_.has_endpoint_stream;
  if (!is_asked) return;
  auto connection = get({}, "listens to what the server says by itself", transcript);
  if (!connection) return;
  const Deadline deadline = due_in(patience_.for_control());
  intake_.keep_stream(*std::move(connection), deadline, transcript);
}

std::string HttpChannel::request_for(const corpus::Step& step,
                                     const dialogue::Message& message) const {
  return http_request_for(settings_.target, session_.fields(message, settings_.extra_fields),
                          step.http, message.text());
}

std::string HttpChannel::shown_request_for(const corpus::Step& step,
                                           const dialogue::Message& message) const {
  return http_request_for(shown_target_, session_.fields(message, shown_fields_), step.http,
                          message.text());
}

bool HttpChannel::is_logged_in() const {
  return !settings_.target.authorization.empty() ||
         wire::field_of(settings_.extra_fields, "Authorization");
}

std::string HttpChannel::why_not_asked(const corpus::Step& step) const {
  const std::string& host = settings_.target.address.host;
  const bool is_local = host == "localhost" || host.starts_with("127.") || host == "::1";
  if (step.http.on_loopback && !is_local) return "a server that others can reach may allow it";
  if (step.http.needs_login && !is_logged_in()) return "nobody is logged in";
  // What a protocol with sessions says of heads and methods it says of streamable HTTP, which this
  // is not.
  const bool is_plain = step.http.method == "POST" && step.http.headers.empty();
  const bool is_of_other_way =
      step.http.without_endpoint || (!settings_.habits.kept.empty() && !is_plain);
  if (settings_.has_endpoint_stream && is_of_other_way) {
    return "messages go the older way, of which the protocol asks nothing more";
  }
  if (step.http.needs_endpoint && !settings_.has_endpoint_stream) {
    return "answers come on no stream that a GET opens";
  }
  if (step.http.needs_session && !session_.has_begun()) return "the server gives out no session";
  return {};
}

std::optional<HttpConnection> HttpChannel::connect(dialogue::Transcript& transcript) const {
  auto connected = peer_->connect(due_in(patience_.timeout()));
  if (connected) return HttpConnection(std::move(connected->stream));
  transcript.add(dialogue::Direction::closed, {}, connected.error().message);
  return std::nullopt;
}

void HttpChannel::collect_one(HttpConnection& connection, const corpus::Step& step,
                              std::size_t message, Deadline deadline, const Taking& taking) {
  Awaited awaited = awaited_by(step.messages[message]);
  if (step.http.method != "POST") awaited.replies = 0;
  awaited.until_end = step.http.until_stream_ends;
  intake_.take_response(connection, awaited, deadline, taking);
  session_.note(intake_.last());
  for (const auto& each : taking.exchange.replies) session_.note_agreed(each);
  tell_cookies(intake_.last(), settings_.tell_cookie);
}

void HttpChannel::collect(HttpConnection& connection, const corpus::Step& step, Deadline deadline,
                          const Taking& taking) {
  left_for_answers_ = patience_.timeout();
  Due due;
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    if (taking.exchange.ending != dialogue::Ending::settled) return;
    collect_one(connection, step, i, deadline, taking);
    note_due(step, i, due);
  }
  if (intake_.answers_on_stream() && step.http.method == "POST") {
    collect_from_stream(connection, std::move(due), deadline, taking);
  } else if (intake_.has_stream()) {
    intake_.stream()->take_arrived(taking);
  }
}

// What has been refused is owed nothing more.
void HttpChannel::note_due(const corpus::Step& step, std::size_t message, Due& due) const {
  if (intake_.last().status < kFirstRefusal) {
    due.replies += awaited_by(step.messages[message]).replies;
  }
  for (auto& key : dialogue::id_keys_of(step.messages[message])) due.ids.insert(std::move(key));
}

// Behind what is owed nothing a call is sent: what comes before its answer answers the message.
void HttpChannel::collect_from_stream(HttpConnection& connection, Due due, Deadline deadline,
                                      const Taking& taking) {
  const bool is_silence = due.replies == 0 && !taking.is_control &&
                          taking.exchange.ending == dialogue::Ending::settled &&
                          taking.exchange.http_status < kFirstRefusal && !connection.ended();
  if (is_silence) {
    const dialogue::Message call = next_control_call();
    taking.transcript.add_control(shown_request_for({}, call));
    connection.expect_response_to("POST");
    connection.send(request_for({}, call), {}, deadline);
    dialogue::Exchange aside;
    intake_.take_response(connection, {}, deadline, {aside, taking.transcript, {}, true});
    if (aside.ending == dialogue::Ending::settled) {
      due.sentinel = dialogue::id_keys_of(call).front();
    }
  }
  intake_.stream()->await(std::move(due), deadline, taking);
}

void HttpChannel::call_on_several(const corpus::Step& step, Deadline deadline,
                                  dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  left_for_answers_ = patience_.timeout();
  // All are open before the first is used: how soon one is answered must not decide whether the
  // calls meet.
  std::vector<HttpConnection> connections;
  while (connections.size() < step.messages.size()) {
    auto connection = connect(transcript);
    if (!connection) {
      exchange.ending = dialogue::Ending::closed;
      exchange.detail = "the server accepts no further connection";
      return;
    }
    connections.push_back(*std::move(connection));
  }
  for (std::size_t i = 0; i < connections.size(); ++i) {
    const auto& message = step.messages[i];
    transcript.add(dialogue::Direction::sent, shown_request_for(step, message));
    connections[i].expect_response_to(step.http.method);
    connections[i].send(request_for(step, message), {}, deadline);
  }
  Due due;
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    if (exchange.ending == dialogue::Ending::settled) {
      const std::size_t known = exchange.replies.size();
      collect_one(connections.front(), step, i, deadline, {exchange, transcript, i});
      note_due(step, i, due);
      // Calls at once may be more than the server takes.
      const bool is_refused = is_limit(intake_.last().status, holds_object(exchange, known));
      exchange.limited = exchange.limited || is_refused;
    }
    connections.erase(connections.begin());  // some servers serve one connection at a time
  }
  if (intake_.answers_on_stream() && exchange.ending == dialogue::Ending::settled) {
    intake_.stream()->await(std::move(due), deadline, {exchange, transcript});
  }
}

// A server may ask without end and take no answer.
void HttpChannel::send_answer(const std::string& answer, dialogue::Transcript& transcript) {
  if (left_for_answers_.count() <= 0) return;
  const auto begin = Clock::now();
  if (auto connection = connect(transcript)) hand_in(answer, *connection, transcript);
  left_for_answers_ -= time_since(begin);
}

void HttpChannel::hand_in(const std::string& answer, HttpConnection& connection,
                          dialogue::Transcript& transcript) const {
  transcript.add(dialogue::Direction::sent, shown_request_for({}, answer),
                 std::string(dialogue::kOwnAnswerNote));
  const Deadline deadline = due_in(std::min(patience_.for_control(), left_for_answers_));
  connection.send(request_for({}, answer), {}, deadline);
  const auto response = connection.receive(deadline);
  if (!response) return;
  dialogue::Event event = event_of(*response);
  event.direction = dialogue::Direction::aside;
  // Where answers come on another stream, what a POST is answered is the server's own affair.
  event.note = intake_.answers_on_stream() ? dialogue::kAcceptedNote : dialogue::kAnswerTakenNote;
  transcript.add(std::move(event));
}

void HttpChannel::leave_session() {
  constexpr milliseconds kForGoodManners{200};
  if (!session_.has_begun()) return;
  const Deadline deadline = Deadline::in(kForGoodManners);
  auto connected = peer_->connect(deadline);
  if (!connected) return;
  HttpConnection connection(std::move(connected->stream));
  corpus::Step step;
  step.http.method = "DELETE";
  connection.expect_response_to(step.http.method);
  connection.send(request_for(step, {}), {}, deadline);
  connection.receive(deadline);
}

}  // namespace jrpcheck::session
