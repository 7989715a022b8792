#include "reference-impl/event_stream_server.hpp"

#include <sys/socket.h>

#include <array>
#include <utility>

#include "reference-impl/descriptor.hpp"
#include "reference-impl/http_answer.hpp"

namespace jrpcheck::reference {

namespace {

using wire::HttpFields;
using wire::HttpMessage;

constexpr std::string_view kOlderPath = "/sse";
constexpr std::string_view kEndpointPath = "/messages";

// So many are kept for those who come back.
constexpr std::size_t kMostStreams = 1000;

bool takes(const HttpMessage& request, std::string_view type) {
  const std::string accepted = request.list("Accept");
  return accepted.empty() || accepted.find(type) != accepted.npos ||
         accepted.find("*/*") != accepted.npos;
}

HttpAnswer respond_in_words(int status, const HttpMessage& request, const std::string& words) {
  HttpFields fields;
  if (!words.empty()) fields.emplace_back("Content-Type", "text/plain");
  return respond(status, request, std::move(fields), words);
}

HttpFields stream_fields() {
  return {{"Content-Type", std::string(kEventStream)},
          {"Cache-Control", "no-cache"},
          {"Transfer-Encoding", "chunked"}};
}

std::string event_of(const std::string& data) {
  return wire::event_text({.type = "message", .data = data});
}

}  // namespace

void EventStreamServer::serve(const Handler& handler, int socket) {
  wire::HttpReader reader(wire::HttpReader::Role::server,
                          {.max_message_bytes = handler.limits().max_bytes});
  std::array<char, 65536> buffer;
  while (const std::size_t size = hooks_.bytes.read(socket, buffer)) {
    reader.feed(std::string_view(buffer.data(), size));
    while (const auto request = reader.next()) {
      const bool opens = request->method == "GET" && request->target == kOlderPath &&
                         takes(*request, kEventStream);
      if (opens) return hold(*request, socket);
      const HttpAnswer said = answer(handler, *request);
      if (hooks_.bytes.write(socket, said.bytes) && said.keep_alive) continue;
      ::shutdown(socket, SHUT_RDWR);
      return;
    }
  }
  ::shutdown(socket, SHUT_RDWR);
}

HttpAnswer EventStreamServer::answer(const Handler& handler, const HttpMessage& request) {
  if (request.violation.empty() && request.method == "GET" && hooks_.events.has_ids &&
      request.field("Last-Event-ID")) {
    return resume(request);
  }
  const bool is_older = request.target == kOlderPath;
  if (is_older && request.violation.empty() && !hooks_.events.refuses_posts.empty()) {
    return respond_in_words(400, request, hooks_.events.refuses_posts);
  }
  if (is_older && request.violation.empty()) {
    return respond(405, request, {{"Allow", "GET"}});
  }
  if (const auto status = refusal_of(request, handler.limits())) {
    return refuse(*status, request.keep_alive);
  }
  if (request.target.starts_with(kEndpointPath)) return take_message(handler, request);
  if (!takes(request, kEventStream) && !hooks_.events.streams_for_all)
    return hooks_.http.answer(handler, request);
  const bool takes_streams_alone = !takes(request, "application/json");
  if (takes_streams_alone && hooks_.events.refuses_stream_alone != 0) {
    return respond_in_words(hooks_.events.refuses_stream_alone, request, "Error");
  }
  return answer_by_stream(handler, request);
}

std::string EventStreamServer::chunks_of(const std::vector<std::string>& events) const {
  std::string body;
  for (const auto& each : events) {
    const std::size_t piece = hooks_.events.piece == 0 ? each.size() : hooks_.events.piece;
    for (std::size_t at = 0; at < each.size(); at += piece) {
      body += wire::http_chunk(each.substr(at, piece));
    }
  }
  return body;
}

HttpAnswer EventStreamServer::answer_by_stream(const Handler& handler, const HttpMessage& request) {
  const EventStreamHabits& habits = hooks_.events;
  const auto replies = hooks_.stream.replies(handler, request.body);
  if (replies.empty()) return respond(202, request);
  std::vector<std::string> events;
  const bool breaks_off =
      habits.breaks_off && replies.front().find("\"result\"") != std::string::npos;
  if (breaks_off) {
    wire::ServerSentEvent first{.data = ""};
    if (habits.polls == 0) first.retry = "10";
    events.push_back(wire::event_text(first));
  }
  for (const auto& each : replies) events.push_back(event_of(each));
  if (habits.edit) habits.edit(events);
  const std::lock_guard lock(mutex_);
  if (habits.has_ids) {
    if (streams_.size() == kMostStreams) streams_.clear();
    const std::size_t number = habits.repeats_ids ? 0 : streams_.size();
    for (std::size_t i = 0; i < events.size(); ++i) {
      events[i].insert(0, "id: " + std::to_string(number) + "-" + std::to_string(i) + "\n");
    }
    streams_.push_back(events);
  }
  if (breaks_off) events.resize(1);
  std::string body = habits.preamble.empty() ? "" : wire::http_chunk(habits.preamble);
  body += chunks_of(events);
  if (!habits.stays_open) body += wire::http_chunk("");
  return respond(200, request, stream_fields(), body);
}

HttpAnswer EventStreamServer::resume(const HttpMessage& request) {
  const std::string last(*request.field("Last-Event-ID"));
  const auto dash = last.find('-');
  const auto stream = static_cast<std::size_t>(std::atoll(last.c_str()));
  const auto event =
      dash == last.npos ? 0 : static_cast<std::size_t>(std::atoll(last.c_str() + dash + 1));
  const std::lock_guard lock(mutex_);
  std::vector<std::string> rest;
  constexpr std::size_t kOneIn = 8;
  const bool is_at_work =
      hooks_.events.polls > 0 && stream % kOneIn == 0 && polls_[last]++ < hooks_.events.polls;
  if (is_at_work) return respond(200, request, stream_fields(), wire::http_chunk(""));
  if (hooks_.events.resumed) {
    rest = hooks_.events.resumed(streams_, stream, event);
  } else if (stream < streams_.size()) {
    for (std::size_t i = event + 1; i < streams_[stream].size(); ++i) {
      rest.push_back(streams_[stream][i]);
    }
  }
  return respond(200, request, stream_fields(), chunks_of(rest) + wire::http_chunk(""));
}

HttpAnswer EventStreamServer::take_message(const Handler& handler, const HttpMessage& request) {
  const EventStreamHabits& habits = hooks_.events;
  const auto number = request.target.rfind('=');
  const std::string session =
      number == request.target.npos ? std::string() : request.target.substr(number + 1);
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return respond_in_words(404, request, "no session");
  std::vector<std::string> events;
  std::string said;
  for (const auto& each : hooks_.stream.replies(handler, request.body)) {
    events.push_back(event_of(each));
    said = each;
  }
  if (habits.edit) habits.edit(events);
  OlderStream& stream = found->second;
  ++stream.messages;
  for (const auto& [name, other] : sessions_) {
    const bool is_told = habits.tells_new_ones && other.messages == 0;
    if (is_told || &other == &stream) hooks_.bytes.write(other.socket, chunks_of(events));
  }
  if (habits.ends_after > 0 && stream.messages == habits.ends_after) {
    hooks_.bytes.write(stream.socket, wire::http_chunk(""));
    ::shutdown(stream.socket, SHUT_RDWR);
  }
  if (habits.answers_posts && !said.empty()) {
    return respond(200, request, {{"Content-Type", "application/json"}}, said);
  }
  return respond_in_words(202, request, habits.says_accepted);
}

void EventStreamServer::hold(const HttpMessage& request, int socket) {
  const EventStreamHabits& habits = hooks_.events;
  const std::string endpoint = habits.endpoint.ends_with("://")
                                   ? habits.endpoint +
                                         std::string(request.field("Host").value_or("")) +
                                         EventStreamHabits{}.endpoint
                                   : habits.endpoint;
  std::string session;
  {
    const std::lock_guard lock(mutex_);
    session = std::to_string(++sessions_begun_);
    std::vector<std::string> events;
    if (!habits.preamble.empty()) events.push_back(habits.preamble);
    events.push_back(wire::event_text({.type = "endpoint", .data = endpoint + session}));
    hooks_.bytes.write(socket, wire::http_response(200, stream_fields(), chunks_of(events)));
    sessions_[session] = {socket, 0};
  }
  std::array<char, 4096> buffer;
  while (read_some(socket, buffer) > 0) {
  }
  const std::lock_guard lock(mutex_);
  sessions_.erase(session);
  ::shutdown(socket, SHUT_RDWR);
}

}  // namespace jrpcheck::reference
