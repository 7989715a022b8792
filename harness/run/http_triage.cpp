#include "run/http_triage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "corpus/profile.hpp"
#include "run/harmless_calls.hpp"
#include "session/event_stream.hpp"
#include "session/framed_stream.hpp"
#include "session/http_connection.hpp"
#include "session/http_conversation.hpp"
#include "wire/http1.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::run {
namespace {

// A server that serves is not asked more than once, and one that is slow has no crowd at its door.
constexpr milliseconds kFirstAlone{2000};
constexpr milliseconds kForConnecting{1000};
// What is sent to a program before it serves may be lost with it.
constexpr milliseconds kBetweenTries{5000};
constexpr milliseconds kListening{5};
constexpr milliseconds kAtOnce{20};
// For the usual paths, of a server that has answered already. Where all are answered, or one by a
// Response, nothing is waited for.
constexpr milliseconds kForPaths{3000};
constexpr milliseconds kForGoodManners{200};
constexpr milliseconds kWhatHasCome{50};  // while something else was looked at
constexpr std::size_t kMostHeard = 4096;
constexpr long long kFirstTriageId = 4'800'001;

constexpr const char* kAccepted = "application/json, text/event-stream";

struct Question {
  transport::Target target;
  std::string message;
};

// One call on a connection of its own.
class Probe {
 public:
  Probe(Question question, std::unique_ptr<transport::ByteStream> stream,
        const wire::HttpFields& headers)
      : stream_(std::move(stream)), path_(question.target.path) {
    wire::HttpFields fields = headers;
    // Some protocols are refused without.
    if (!wire::field_of(fields, "Accept")) fields.emplace_back("Accept", kAccepted);
    unsent_ = session::http_request_for(question.target, fields, {}, question.message);
    answer_.sent = std::move(question.message);
  }

  bool is_settled() const { return answer_.status != 0 || answer_.closed || is_broken_; }
  const HttpAnswer& answer() const { return answer_; }
  const std::string& path() const { return path_; }

  void listen(Deadline deadline) {
    std::string in;
    const auto done = stream_->transfer(unsent_, in, deadline);
    unsent_.erase(0, done.written);
    if (answer_.heard.size() < kMostHeard) {
      answer_.heard.append(in, 0, kMostHeard - answer_.heard.size());
    }
    reader_.feed(in);
    if (done.ended) reader_.end_of_input();
    if (const auto message = reader_.next()) {
      take(*message);
    } else if (const auto* begun = reader_.pending_head()) {
      take_event(*begun);
    }
    answer_.closed = answer_.closed || done.ended || (done.broken && in.empty());
  }

 private:
  void take(const wire::HttpMessage& message) {
    is_broken_ = !message.violation.empty();
    if (is_broken_) return;
    const auto field = [&](std::string_view name) {
      return std::string(message.field(name).value_or(""));
    };
    answer_.status = message.status;
    answer_.content_type = field("Content-Type");
    answer_.location = field("Location");
    answer_.challenge = field("WWW-Authenticate");
    answer_.coding = field("Content-Encoding");
    answer_.body = message.body;
    if (is_event_stream(message)) answer_.body = first_message_in(message.body);
  }

  // An event stream may not end.
  void take_event(const wire::HttpMessage& begun) {
    if (is_event_stream(begun) && !first_message_in(begun.body).empty()) take(begun);
  }

  static bool is_event_stream(const wire::HttpMessage& message) {
    return wire::is_event_stream(message.field("Content-Type").value_or(""));
  }

  static std::string first_message_in(const std::string& stream) {
    wire::SseReader reader(session::kReplyLimits);
    reader.feed(stream);
    while (const auto event = reader.next()) {
      if (session::is_of_another_type(*event, event->data.value_or(""))) continue;
      if (event->data && !event->data->empty()) return *event->data;
    }
    return {};
  }

  std::unique_ptr<transport::ByteStream> stream_;
  std::string path_;
  std::string unsent_;
  wire::HttpReader reader_{wire::HttpReader::Role::client, session::kReplyLimits};
  HttpAnswer answer_;
  bool is_broken_ = false;
};

class Round {
 public:
  Round(const transport::Dial& dial, const wire::HttpFields& headers)
      : dial_(dial), headers_(headers) {}

  void ask(Question question, Deadline deadline) {
    auto stream = dial_(Deadline::earlier(deadline, Deadline::in(kForConnecting)));
    if (!stream) return;
    probes_.emplace_back(std::move(question), *std::move(stream), headers_);
    // Many servers have room for five connections that wait to be taken, and the kernel tries again
    // for others after a second; who answers at once is asked one call after the other.
    const Deadline soon = Deadline::earlier(deadline, Deadline::in(kAtOnce));
    while (!probes_.back().is_settled() && !soon.passed()) probes_.back().listen(soon);
  }

  // The same, and asks once more now and then for as long as nothing is heard.
  bool listen_and_ask_again(const Question& question, Deadline deadline) {
    for (;;) {
      const bool has_answered = listen(Deadline::earlier(deadline, Deadline::in(kBetweenTries)));
      if (has_answered || deadline.passed()) return has_answered;
      if (has_heard_anything()) return listen(deadline);
      ask(question, deadline);
    }
  }

  // Until something is answered by a Response, which it tells, or everything is settled.
  bool listen(Deadline deadline) {
    bool is_settled = false;
    while (!is_settled && first_response() == nullptr && !deadline.passed()) {
      is_settled = listen_in_turn(deadline);
    }
    return first_response() != nullptr;
  }

  const Probe* first_response() const {
    const auto found = std::find_if(probes_.begin(), probes_.end(),
                                    [](const auto& each) { return is_response(each.answer()); });
    return found == probes_.end() ? nullptr : &*found;
  }

  // What has been asked is answered, for servers that complain of clients who hang up.
  void settle(Deadline deadline) {
    while (!deadline.passed() && !listen_in_turn(deadline)) {
    }
  }

  bool has_settled_any() const {
    return std::any_of(probes_.begin(), probes_.end(),
                       [](const auto& each) { return each.is_settled(); });
  }

  bool has_heard_anything() const {
    return std::any_of(probes_.begin(), probes_.end(), [](const auto& each) {
      return each.is_settled() || !each.answer().heard.empty();
    });
  }

  std::vector<HttpAnswer> answers() const {
    std::vector<HttpAnswer> answers;
    for (const auto& each : probes_) answers.push_back(each.answer());
    return answers;
  }

 private:
  // A moment to each that is not settled yet; true where all are.
  bool listen_in_turn(Deadline deadline) {
    bool is_settled = true;
    for (auto& each : probes_) {
      if (each.is_settled()) continue;
      is_settled = false;
      each.listen(Deadline::earlier(deadline, Deadline::in(kListening)));
    }
    return is_settled;
  }

  const transport::Dial& dial_;
  const wire::HttpFields& headers_;
  std::vector<Probe> probes_;
};

// Whether calls are answered so, well or badly.
bool is_by_event_streams(const std::vector<HttpAnswer>& answers) {
  constexpr int kFirstNoSuccess = 300;
  return std::any_of(answers.begin(), answers.end(), [](const HttpAnswer& answer) {
    return answer.status < kFirstNoSuccess && wire::is_event_stream(answer.content_type);
  });
}

// A refusal is HTTP's own, and an event stream holds more than answers.
FirstCalls calls_let_in(const std::vector<HttpAnswer>& answers) {
  FirstCalls calls;
  for (const auto& answer : answers) {
    const bool is_let_in = answer.status >= 200 && answer.status < 300;
    if (!is_let_in || answer.body.empty() || wire::is_event_stream(answer.content_type)) continue;
    calls.push_back({answer.sent, answer.body});
  }
  return calls;
}

bool refuses_every_call(const std::vector<HttpAnswer>& answers) {
  constexpr int kFirstRefusal = 400;
  return std::all_of(answers.begin(), answers.end(),
                     [](const HttpAnswer& answer) { return answer.status >= kFirstRefusal; });
}

// Whether a GET is answered by a stream that says where messages go before it brings any.
bool opens_endpoint_stream(const transport::Dial& dial, const transport::Target& target,
                           const wire::HttpFields& headers, Deadline deadline) {
  auto stream = dial(Deadline::earlier(deadline, Deadline::in(kForConnecting)));
  if (!stream) return false;
  corpus::HttpDetails details;
  details.method = "GET";
  details.headers = {{"Accept", "text/event-stream"}, {"Content-Type", std::nullopt}};
  session::HttpConnection connection(*std::move(stream));
  connection.expect_response_to(details.method);
  connection.send(session::http_request_for(target, headers, details, {}), {}, deadline);
  wire::SseReader reader(session::kReplyLimits);
  while (!deadline.passed()) {
    if (connection.has_response()) return false;
    const auto* begun = connection.pending();
    if (begun != nullptr) {
      if (!wire::is_event_stream(begun->field("Content-Type").value_or(""))) return false;
      reader.feed(connection.take_pending_body());
    }
    while (const auto event = reader.next()) {
      if (event->type == "endpoint") return event->data.has_value();
      if (event->data && event->is_of_messages()) return false;
    }
    if (connection.ended()) return false;
    connection.listen(deadline);
  }
  return false;
}

bool gives_credentials(const Options& options) {
  return !options.target->authorization.empty() || wire::field_of(options.headers, "Authorization");
}

// Where the server sends its clients, if that is a path of its own that a request line can carry.
std::string path_in(const std::string& location, const transport::Target& target) {
  const bool is_path = location.rfind('/', 0) == 0;
  const auto parsed =
      transport::parse_target(is_path ? "http://" + target.authority + location : location);
  return parsed && parsed->authority == target.authority ? parsed->path : std::string();
}

std::string url_at(const transport::Target& target, const std::string& path) {
  const auto& shown = target.redacted;
  const auto end =
      std::min(shown.size(), shown.size() - std::min(shown.size(), target.path.size()));
  const bool ends_in_path = shown.compare(end, std::string::npos, target.path) == 0;
  return (ends_in_path ? shown.substr(0, end) : shown) + path;
}

void advise_path(const transport::Dial& dial, const Options& options,
                 const session::ControlCall& call, Stranger& stranger) {
  const auto& target = *options.target;
  const auto path = find_path(dial, target, options.headers, call, stranger.location).path;
  if (path) {
    const std::string url = url_at(target, *path);
    stranger.advice = {"JSON-RPC is answered at " + to_visible(url) + ":",
                       command_for(options, url)};
    return;
  }
  if (!stranger.location.empty()) {
    stranger.advice.push_back("give the URL that it names, if JSON-RPC is served there");
    return;
  }
  stranger.advice.push_back(
      "give the path at which JSON-RPC is served (no Response came from /, /rpc, /jsonrpc, /mcp, "
      "/api ...)");
}

}  // namespace

transport::Dial dial_to(transport::Peer& peer) {
  return [&peer](Deadline until) {
    auto connection = peer.connect(until);
    return connection
               ? Result<std::unique_ptr<transport::ByteStream>>(std::move(connection->stream))
               : connection.error();
  };
}

std::vector<std::string> other_calls(const Options& options, const session::ControlCall& call) {
  long long id = kFirstTriageId + 1;
  std::vector<std::string> calls;
  for (const char* params : {"[]", "{}"}) {
    calls.push_back(session::ControlCall{call.method, params, call.dialect}.text(id++));
  }
  for (const auto& each : harmless_calls(options.roles, call.dialect)) {
    calls.push_back(each.text(id++));
  }
  if (!options.opening.messages.empty()) calls.push_back(options.opening.messages.front());
  for (const auto& profile : corpus::embedded_profiles()) {
    if (!profile.opening.empty()) calls.push_back(profile.opening.front());
  }
  return calls;
}

Triage triage_http(transport::Peer& peer, const Options& options, const session::ControlCall& call,
                   Deadline deadline, const std::function<void()>& when_silent) {
  const auto& target = *options.target;
  const transport::Dial dial = dial_to(peer);
  const auto begin = Clock::now();
  Round round(dial, options.headers);
  round.ask({target, call.text(kFirstTriageId)}, deadline);
  // Who does not answer this call may answer others, and needs time for that too.
  bool has_answered =
      round.listen(Deadline::in(std::min<microseconds>(kFirstAlone, deadline.remaining() / 2)));
  if (!has_answered) {
    for (auto& message : other_calls(options, call))
      round.ask({target, std::move(message)}, deadline);
    if (!round.has_heard_anything()) {
      if (options.tell_seen) options.tell_seen("it connects, and says nothing");
      when_silent();
    }
    has_answered = options.command.empty()
                       ? round.listen(deadline)
                       : round.listen_and_ask_again({target, call.text(kFirstTriageId)}, deadline);
    round.settle(Deadline::in(has_answered ? kForGoodManners : kWhatHasCome));
    has_answered = round.first_response() != nullptr;
  }
  if (has_answered || is_interrupted()) {
    const auto answers = round.answers();
    Triage triage{std::nullopt, has_answered, is_by_event_streams(answers)};
    triage.first_calls = calls_let_in(answers);
    return triage;
  }
  const Asking asking{gives_credentials(options), options.command.empty()};
  auto stranger = recognise(round.answers(), asking);
  const bool may_stream =
      stranger ? stranger->may_be_elsewhere : refuses_every_call(round.answers());
  // Who takes no POST may have said where they go (MCP 2025-03-26 § Backwards Compatibility).
  if (may_stream && opens_endpoint_stream(dial, target, options.headers, Deadline::in(kForPaths))) {
    return {std::nullopt, false, true, true};
  }
  if (!stranger) {
    return {.by_event_stream = is_by_event_streams(round.answers()),
            .is_silent = !round.has_settled_any()};
  }
  if (stranger->may_be_elsewhere) advise_path(dial, options, call, *stranger);
  if (stranger->is_silent) {
    const auto waited = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin);
    stranger->what += fmt::format(" (for {})", duration_text(waited));
  }
  if (stranger->is_silent || (stranger->may_come_up && !options.command.empty())) {
    stranger->advice.push_back("if it needs longer: --start-timeout SECONDS");
  }
  return {std::move(stranger)};
}

FoundPath find_path(const transport::Dial& dial, const transport::Target& target,
                    const wire::HttpFields& headers, const session::ControlCall& call,
                    const std::string& location) {
  std::vector<std::string> paths = {"/",     "/rpc", "/jsonrpc", "/json-rpc",    "/mcp",  "/api",
                                    "/RPC2", "/v1",  "/api/rpc", "/api/jsonrpc", "/rpc/", "/mcp/"};
  if (auto path = path_in(location, target); !path.empty()) {
    paths.insert(paths.begin(), std::move(path));
  }
  const Deadline deadline = Deadline::in(kForPaths);
  Round round(dial, headers);
  long long id = kFirstTriageId;
  for (auto& path : paths) {
    transport::Target there = target;
    there.path = std::move(path);
    round.ask({std::move(there), call.text(id++)}, deadline);
  }
  round.listen(deadline);
  round.settle(Deadline::in(kForGoodManners));
  const Probe* found = round.first_response();
  FoundPath result;
  if (found != nullptr) result.path = found->path();
  const auto answers = round.answers();
  result.is_http = std::any_of(answers.begin(), answers.end(),
                               [](const auto& answer) { return answer.status != 0; });
  return result;
}

std::string command_for(const Options& options, const std::string& url, const std::string& verb) {
  std::string text = "jrpcheck " + verb + (url.empty() ? "" : " " + shell_quote(url));
  if (!options.command.empty()) text += " -- " + shell_line(options.command);
  return text;
}

}  // namespace jrpcheck::run
