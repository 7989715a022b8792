#include "client/dialogue_connection.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "base/letter_case.hpp"
#include "client/drain.hpp"
#include "client/http_requests.hpp"
#include "wire/http1.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::client {
namespace {

using dialogue::Side;

constexpr milliseconds kLookAtPeer{20};
constexpr std::chrono::seconds kForTelling{5};
constexpr int kMomentsInAWait = 10;

// What both kinds of connections share: bytes in and out, and the note of what passes.
class DialogueConnection {
 public:
  DialogueConnection(DialogueScript& script, TrialState& state, transport::ByteStream& stream,
                     std::unique_ptr<traffic::Tap> tap, std::string session,
                     microseconds for_answers)
      : script_(script),
        state_(state),
        session_(std::move(session)),
        stream_(stream),
        tap_(std::move(tap)),
        for_answers_(for_answers) {}
  virtual ~DialogueConnection() = default;

  void run() {
    bool goes_on = true;
    while (goes_on && !state_.is_stopped) goes_on = read(kLookAtPeer) && serve();
    if (!ending_) {
      ending_ = drain(stream_, state_.is_stopped ? kForTheRest : kForTheirEnd,
                      [this](std::string_view in) { note(std::string(in)); });
    }
    serve();
    finish();
    // What stands last of a client that was left may be cut off.
    if (ending_) tap_->close(Side::client, state_.now(), *ending_);
  }

 protected:
  virtual void take(const std::string& bytes) = 0;
  // False where the connection is over.
  virtual bool serve() = 0;
  virtual void finish() {}

  bool read(milliseconds patience) {
    std::string in;
    const auto done = stream_.transfer({}, in, Deadline::in(patience));
    note(in);
    if (done.ended) ending_ = end_told_by(done);
    return !ending_;
  }

  bool write(std::string_view bytes) {
    tap_->feed(Side::server, bytes, state_.now());
    const Deadline deadline = Deadline::in(kForTelling);
    while (!bytes.empty()) {
      std::string in;
      const auto done = stream_.transfer(bytes, in, deadline);
      bytes.remove_prefix(done.written);
      note(in);
      if (done.broken || done.timed_out || (done.ended && done.written == 0)) return false;
    }
    state_.last_activity = Clock::now();
    return true;
  }

  // What a client sends without waiting for an answer is seen before that, on a busy machine too.
  void take_a_moment() {
    if (!script_.dialogue().takes_a_moment) return;
    const auto most = Deadline::in(for_answers_);
    const auto moment = for_answers_ / kMomentsInAWait;
    bool goes_on = true;
    while (goes_on && !state_.is_stopped && !most.passed() &&
           Clock::now() - state_.last_activity.load() < moment) {
      goes_on = read(kLookAtPeer);
    }
  }

  // Whether the client has answered what the server has said, or has had time to.
  bool is_patient_still() {
    if (script_.is_settled()) return false;
    if (!said_at_) said_at_ = Clock::now();
    if (Clock::now() - *said_at_ < for_answers_) {
      state_.last_activity = Clock::now();  // it is we who wait
      return true;
    }
    script_.give_time();
    return false;
  }

  DialogueScript& script_;
  TrialState& state_;
  std::string session_;  // over HTTP that of the request which is served

 private:
  void note(const std::string& in) {
    if (in.empty()) return;
    state_.is_met = true;
    state_.last_activity = Clock::now();
    tap_->feed(Side::client, in, state_.now());
    take(in);
  }

  transport::ByteStream& stream_;
  std::unique_ptr<traffic::Tap> tap_;
  microseconds for_answers_;
  std::optional<Clock::time_point> said_at_;
  std::optional<std::string> ending_;  // of the client, which says nothing more
};

class DialogueOverStream : public DialogueConnection {
 public:
  DialogueOverStream(const wire::Binding& binding, DialogueScript& script, TrialState& state,
                     transport::ByteStream& stream, std::unique_ptr<traffic::Tap> tap,
                     std::uint32_t number, microseconds for_answers)
      : DialogueConnection(script, state, stream, std::move(tap),
                           "connection " + std::to_string(number), for_answers),
        framing_(binding.framing({})) {}

 private:
  void take(const std::string& bytes) override {
    if (!has_framed_ && beginning_.size() < kShownOfBeginning) beginning_ += bytes;
    framing_->feed(bytes);
    while (auto frame = framing_->next()) {
      has_framed_ = true;
      if (!frame->is_message()) {
        script_.hear_unframed(frame->payload, frame->violation, session_);
        continue;
      }
      const auto turn = script_.hear(frame->payload, session_);
      for (const auto& each : turn.said) said_.push_back(each);
      if (turn.answer) queue_.push_back(*turn.answer);
      for (const auto& each : turn.said_after) queue_.push_back(each);
      is_cut_ = is_cut_ || turn.cuts;
      // What the server says goes out before what it still has to answer.
      for (const auto& each : script_.say(session_)) said_.push_back(each);
    }
  }

  bool serve() override {
    while (!said_.empty()) {
      if (!tell(said_)) return false;
    }
    if (is_cut_) return false;
    if (const auto late = script_.late_answer()) queue_.push_front(*late);
    while (!queue_.empty() && !is_patient_still()) {
      take_a_moment();
      if (!tell(queue_)) return false;
    }
    if (queue_.empty()) is_patient_still();
    return true;
  }

  // Who has another framing is never understood, and nothing says where a message ends.
  void finish() override {
    constexpr std::string_view kHead = "content-length";
    const std::string begun = in_lower_case(beginning_.substr(0, kHead.size()));
    const bool may_be_cut = kHead.starts_with(begun) || begun.starts_with("content-type");
    if (!has_framed_ && !may_be_cut)
      script_.hear_unframed(beginning_, "it begins with no head", session_);
  }

  bool tell(std::deque<std::string>& messages) {
    const std::string text = std::move(messages.front());
    messages.pop_front();
    script_.tell(text, session_);
    return write(framing_->encode(text));
  }

  static constexpr std::size_t kShownOfBeginning = 300;

  std::unique_ptr<wire::Framing> framing_;
  std::string beginning_;
  bool has_framed_ = false;
  bool is_cut_ = false;  // by the server
  std::deque<std::string> said_;
  std::deque<std::string> queue_;
};

class DialogueOverHttp : public DialogueConnection {
 public:
  using DialogueConnection::DialogueConnection;

 private:
  void take(const std::string& bytes) override { requests_.feed(bytes); }

  bool serve() override {
    if (!events_.empty()) return go_on();
    if (is_withheld_ && !answer_late()) return false;
    while (auto request = requests_.next()) {
      if (!request->violation.empty()) return false;
      if (request->target.starts_with(corpus::kAside)) {
        script_.note_fetch();
        if (!respond(404, {}, "")) return false;
        continue;
      }
      if (auto* oauth = script_.oauth()) {
        if (auto reply = oauth->hear(*request)) {
          if (!respond(reply->status, std::move(reply->fields), reply->body)) return false;
          continue;
        }
      }
      if (request->method == "POST" ? !post(*request) : !other(*request)) return false;
      if (!events_.empty()) return go_on();
    }
    const std::string owed = requests_.owed();
    return owed.empty() || write(owed);
  }

  bool other(const wire::HttpMessage& request) {
    const auto last_event = request.field("Last-Event-ID");
    if (request.method == "GET" || request.method == "DELETE") {
      const std::string session(request.field("Mcp-Session-Id").value_or(""));
      script_.hear_bare_head(request.method, session, request.fields);
    }
    if (request.method == "GET" && last_event) {
      if (const auto due = script_.resume(std::string(*last_event))) {
        return begin_stream({}) && event(*due) && write(wire::http_chunk(""));
      }
    }
    return respond(request.method == "DELETE" ? 200 : 405, {}, "");
  }

  bool post(const wire::HttpMessage& request) {
    const std::string session(request.field("Mcp-Session-Id").value_or(""));
    if (script_.is_sent_away(session)) return respond(404, {}, "");
    const auto turn = script_.hear(request.body, session, &request.fields);
    session_ = turn.session;
    if (!turn.was_read) return respond(400, {}, "");
    if (turn.is_withheld) {
      open_ = turn.open;
      is_withheld_ = true;
      return true;
    }
    if (turn.stays_open) return stay_open(turn);
    if (!turn.answer) return respond(202, {}, "");
    wire::HttpFields fields;
    if (turn.is_opening) fields.emplace_back("Mcp-Session-Id", session_);
    take_a_moment();
    const std::string version(request.field("MCP-Protocol-Version").value_or(""));
    if (!turn.is_opening && script_.breaks_stream(session_, *turn.answer, version)) {
      return break_stream();
    }
    auto said = turn.said;
    for (auto& each : script_.say(session_)) said.push_back(std::move(each));
    const auto& dialogue = script_.dialogue();
    const bool streams = dialogue.streams || dialogue.streams_oddly;
    if (turn.status != 200 || (said.empty() && !streams)) {
      script_.tell(*turn.answer, session_);
      fields.emplace_back("Content-Type", "application/json");
      return respond(turn.status, fields, *turn.answer);
    }
    // The server's own messages come on the stream of the answer, before it.
    if (!begin_stream(fields)) return false;
    for (const auto& each : said) {
      if (!event(each)) return false;
    }
    events_.push_back(*turn.answer);
    return true;
  }

  bool begin_stream(wire::HttpFields fields) {
    fields.emplace_back("Content-Type", "text/event-stream");
    fields.emplace_back("Cache-Control", "no-cache");
    fields.emplace_back("Transfer-Encoding", "chunked");
    return write(wire::http_response(200, fields, ""));
  }

  // An event to resume behind, without a message, and the end.
  bool break_stream() {
    wire::ServerSentEvent event;
    event.id = kBrokenBehind;
    event.retry = std::to_string(kRetry.count());
    event.data = "";
    return begin_stream({}) && write(wire::http_chunk(wire::event_text(event))) &&
           write(wire::http_chunk(""));
  }

  // A subscription: until the client closes the stream.
  bool stay_open(const DialogueScript::Turn& turn) {
    open_ = turn.open;
    if (!begin_stream({})) return false;
    return std::ranges::all_of(turn.said, [this](const auto& each) { return event(each); });
  }

  // To who has given it up and keeps the connection.
  bool answer_late() {
    const auto late = script_.late_answer();
    if (!late) return true;
    is_withheld_ = false;
    open_.clear();
    script_.tell(*late, session_);
    return respond(200, {{"Content-Type", "application/json"}}, *late);
  }

  void finish() override {
    if (!open_.empty() && !state_.is_stopped) script_.note_closed(open_);
  }

  bool go_on() {
    for (const auto& each : script_.say(session_)) {
      if (!event(each)) return false;
    }
    if (is_patient_still()) return true;
    while (!events_.empty()) {
      if (!event(events_.front())) return false;
      events_.pop_front();
    }
    return write(wire::http_chunk(""));
  }

  bool event(const std::string& text) {
    script_.tell(text, session_);
    if (script_.dialogue().streams_oddly) return odd_event(text);
    wire::ServerSentEvent event;
    event.type = "message";
    event.data = text;
    return write(wire::http_chunk(wire::event_text(event)));
  }

  // What the HTML standard lets a stream look like: comments, fields that nobody knows, an event
  // without data, CRLF, no blank behind a colon, data in two lines, and chunks that end anywhere.
  bool odd_event(const std::string& text) {
    const auto second = text.find('{') + 1;
    const std::string whole =
        ": \xc3\xa9 is a comment\r\n\r\nid:1\r\nodd: 1\r\n\r\nevent:message\r\ndata:" +
        text.substr(0, second) + "\r\ndata: " + text.substr(second) + "\r\n\r\n";
    constexpr std::size_t kPiece = 9;
    for (std::size_t i = 0; i < whole.size(); i += kPiece) {
      if (!write(wire::http_chunk(std::string_view(whole).substr(i, kPiece)))) return false;
    }
    return true;
  }

  bool respond(int status, wire::HttpFields fields, const std::string& body) {
    fields.emplace_back("Content-Length", std::to_string(body.size()));
    return write(wire::http_response(status, fields, body));
  }

  HttpRequests requests_;
  std::string open_;  // the id of the request whose stream stays open
  bool is_withheld_ = false;
  std::deque<std::string> events_;
};

}  // namespace

void serve_dialogue(const Door& door, const wire::Binding& framing, DialogueScript& script,
                    TrialState& state, transport::ByteStream& stream, std::uint32_t number,
                    microseconds for_answers) {
  traffic::TapSink sink;
  sink.traffic = [&state](dialogue::TrafficEvent event) { state.note(std::move(event)); };
  if (door.pairs_replies()) {
    DialogueOverHttp(script, state, stream, traffic::make_http_tap(number, sink), "", for_answers)
        .run();
  } else {
    auto tap = traffic::make_stream_tap(&framing, !door.is_stdio(), number, sink);
    DialogueOverStream(framing, script, state, stream, std::move(tap), number, for_answers).run();
  }
}

}  // namespace jrpcheck::client
