#include "session/http_conversation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/duration_text.hpp"
#include "session/framed_stream.hpp"
#include "session/http_connection.hpp"
#include "session/http_intake.hpp"
#include "session/incoming.hpp"
#include "session/opening.hpp"
#include "session/peer_conversation.hpp"

namespace jrpcheck::session {
namespace {

std::size_t size_of(const corpus::Step& step) {
  std::size_t size = 0;
  for (const auto& message : step.messages) size += message.size();
  return size;
}

class HttpConversation : public PeerConversation {
 public:
  HttpConversation(std::shared_ptr<transport::Peer> peer, HttpSettings settings, Patience& patience)
      : PeerConversation(std::move(peer), patience),
        settings_(std::move(settings)),
        shown_target_(without_secrets(settings_.target)),
        shown_fields_(without_secrets(settings_.extra_fields)) {}

  Result<bool> open(dialogue::Transcript& transcript) override;
  void begin_case(long long first_control_id) override { next_control_id_ = first_control_id; }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override;
  bool usable() const override { return usable_; }
  void use_control_call(ControlCall call) override { settings_.control = std::move(call); }

 private:
  std::optional<HttpConnection> connect(dialogue::Transcript& transcript) const;
  bool reconnect(dialogue::Transcript& transcript) override;
  void drop() override {
    connection_.reset();
    usable_ = false;
  }
  Control ask_again(dialogue::Transcript& transcript) override;
  Control ask(Deadline deadline, dialogue::Transcript& transcript) override;
  bool can_reuse_connection() { return connection_ && connection_->is_idle(); }
  std::string request_for(const corpus::Step& step, const std::string& message) const {
    return http_request_for(settings_.target, settings_.extra_fields, step.http, message);
  }
  // The same as it may be shown.
  std::string shown_request_for(const corpus::Step& step, const std::string& message) const {
    return http_request_for(shown_target_, shown_fields_, step.http, message);
  }
  dialogue::Exchange exchange_on_one(const corpus::Step& step, bool well_formed,
                                     dialogue::Transcript& transcript);
  dialogue::Exchange exchange_once(const corpus::Step& step, bool well_formed,
                                   dialogue::Transcript& transcript);
  bool is_connected(dialogue::Exchange& exchange, dialogue::Transcript& transcript);
  bool still_serves(unsigned long long generation, dialogue::Transcript& transcript);
  dialogue::Exchange exchange_on_several(const corpus::Step& step, bool well_formed,
                                         dialogue::Transcript& transcript);
  void collect(HttpConnection& connection, std::size_t responses, Deadline deadline,
               dialogue::Exchange& exchange, dialogue::Transcript& transcript) const;
  std::optional<wire::HttpMessage> receive(HttpConnection& connection, Deadline& deadline) const;
  void note_missing(dialogue::Exchange& exchange, bool well_formed, microseconds waited,
                    dialogue::Transcript& transcript);

  HttpSettings settings_;
  transport::Target shown_target_;
  wire::HttpFields shown_fields_;
  std::optional<HttpConnection> connection_;
  bool usable_ = false;
  long long next_control_id_ = 1;
};

Result<bool> HttpConversation::open(dialogue::Transcript& transcript) {
  usable_ = false;
  if (!reconnect(transcript)) {
    return Error{"no connection to " + settings_.target.address.text() + " can be had"};
  }
  for (const auto& message : settings_.opening.messages) {
    corpus::Step step;
    step.messages.push_back(message);
    const dialogue::Exchange answer = exchange(step, transcript);
    if (answer.ending != dialogue::Ending::settled) {
      return Error{"the opening message " + message.substr(0, 120) +
                   " was not answered: " + answer.detail + "\n" + last_words()};
    }
    const std::string body = answer.replies.empty() ? std::string() : answer.replies.front().text();
    if (answer.http_status >= 400 || is_refused(body)) {
      return refused_opening(message, "HTTP " + std::to_string(answer.http_status) + " " + body);
    }
  }
  usable_ = true;
  return true;
}

std::optional<HttpConnection> HttpConversation::connect(dialogue::Transcript& transcript) const {
  auto connected = peer().connect(Deadline::in(patience_.timeout()));
  if (connected) return HttpConnection(std::move(connected->stream));
  transcript.add(dialogue::Direction::closed, {}, connected.error().message);
  return std::nullopt;
}

bool HttpConversation::reconnect(dialogue::Transcript& transcript) {
  connection_.reset();  // closed first: some servers serve one connection at a time
  connection_ = connect(transcript);
  return connection_.has_value();
}

// The first bytes of a server show that it has come up, and that it may now take no longer than any
// other.
std::optional<wire::HttpMessage> HttpConversation::receive(HttpConnection& connection,
                                                           Deadline& deadline) const {
  while (patience_.is_starting() && !connection.has_response()) {
    if (connection.ended() || deadline.passed()) return std::nullopt;
    connection.listen(deadline);
    if (!connection.heard_anything()) continue;
    patience_.note_first_sign();
    deadline = Deadline::earlier(deadline, Deadline::in(patience_.timeout()));
  }
  return connection.receive(deadline);
}

void HttpConversation::collect(HttpConnection& connection, std::size_t responses, Deadline deadline,
                               dialogue::Exchange& exchange,
                               dialogue::Transcript& transcript) const {
  for (std::size_t i = 0; i < responses && exchange.ending == dialogue::Ending::settled; ++i) {
    auto response = receive(connection, deadline);
    if (response) {
      take_in(*response, exchange, transcript);
    } else {
      exchange.ending = connection.ended() ? dialogue::Ending::closed : dialogue::Ending::timed_out;
    }
  }
}

dialogue::Exchange HttpConversation::exchange(const corpus::Step& step,
                                              dialogue::Transcript& transcript) {
  const std::vector<dialogue::Message> sent(step.messages.begin(), step.messages.end());
  const bool well_formed = outgoing(sent, settings_.control.dialect).well_formed;
  if (peer().mixes_up_calls() && !step.same_connection) connection_.reset();
  const auto begin = Clock::now();
  dialogue::Exchange exchange = step.concurrently
                                    ? exchange_on_several(step, well_formed, transcript)
                                    : exchange_on_one(step, well_formed, transcript);
  const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
  exchange.sent = sent;
  if (exchange.ending == dialogue::Ending::settled) {
    patience_.note_answer(waited, size_of(step));
  } else {
    note_missing(exchange, well_formed, waited, transcript);
  }
  return exchange;
}

// A server may close an idle connection at any moment (RFC 9112 §9.3.1), and the request on it may
// be lost for that alone. But what kills a server closes the connection likewise, and is not to be
// sent twice: so it is sent again, on a fresh connection, only to a server that serves on.
dialogue::Exchange HttpConversation::exchange_on_one(const corpus::Step& step, bool well_formed,
                                                     dialogue::Transcript& transcript) {
  const auto generation = peer().generation();
  dialogue::Exchange exchange = exchange_once(step, well_formed, transcript);
  const bool is_unheard = exchange.ending == dialogue::Ending::closed &&
                          !exchange.on_new_connection && connection_ &&
                          !connection_->heard_anything();
  if (!is_unheard) return exchange;
  transcript.add(dialogue::Direction::closed, {},
                 "the idle connection was closed; is the server there?");
  const std::string lost = connection_->lost();
  connection_.reset();
  if (!still_serves(generation, transcript)) return exchange;
  connection_.reset();
  exchange = exchange_once(step, well_formed, transcript);
  exchange.lost_connection = lost;
  return exchange;
}

bool HttpConversation::still_serves(unsigned long long generation,
                                    dialogue::Transcript& transcript) {
  if (!reconnect(transcript)) return false;
  const Control control = ask(Deadline::in(patience_.for_control()), transcript);
  // One that was started anew meanwhile was dead.
  return control == Control::answered && peer().generation() == generation;
}

dialogue::Exchange HttpConversation::exchange_once(const corpus::Step& step, bool well_formed,
                                                   dialogue::Transcript& transcript) {
  std::string bytes;
  std::string shown;
  for (const auto& message : step.messages) {
    bytes += request_for(step, message);
    shown += shown_request_for(step, message);
  }
  dialogue::Exchange exchange;
  if (!is_connected(exchange, transcript)) return exchange;
  transcript.add(dialogue::Direction::sent, shown);
  const Deadline deadline = Deadline::in(patience_.for_response(well_formed, bytes.size()));
  connection_->begin_exchange();
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    connection_->expect_response_to(step.http.method);
  }
  connection_->send(bytes, step, patience_.tail(), deadline);
  if (step.end_of_input) connection_->close_write();
  collect(*connection_, step.messages.size(), deadline, exchange, transcript);
  return exchange;
}

// A server that has gone before anything is sent did not die of this, and comes back first.
bool HttpConversation::is_connected(dialogue::Exchange& exchange,
                                    dialogue::Transcript& transcript) {
  exchange.on_new_connection = !can_reuse_connection();
  if (!exchange.on_new_connection) return true;
  if (connection_) exchange.lost_connection = connection_->lost();
  const auto generation = peer().generation();
  if (reconnect(transcript)) return true;
  std::string why = "it was not served before";
  if (std::exchange(usable_, false)) {
    note_unseen_death(ended(Deadline::in(kReaping)));
    transcript.add(dialogue::Direction::exited, {},
                   unseen_death_->detail + ", before this was sent");
    gone_ = bring_back(generation);
    why = gone_;
  }
  if (why.empty() && (can_reuse_connection() || reconnect(transcript))) return true;
  exchange.ending = dialogue::Ending::closed;
  exchange.detail = "the server accepts no connection";
  return false;
}

dialogue::Exchange HttpConversation::exchange_on_several(const corpus::Step& step, bool well_formed,
                                                         dialogue::Transcript& transcript) {
  dialogue::Exchange exchange;
  connection_.reset();
  const Deadline deadline = Deadline::in(patience_.for_response(well_formed, size_of(step)));
  std::vector<HttpConnection> connections;
  for (const auto& message : step.messages) {
    auto connection = connect(transcript);
    if (!connection) {
      exchange.ending = dialogue::Ending::closed;
      exchange.detail = "the server accepts no further connection";
      return exchange;
    }
    const std::string bytes = request_for(step, message);
    transcript.add(dialogue::Direction::sent, shown_request_for(step, message));
    connection->expect_response_to(step.http.method);
    connection->send(bytes, {}, deadline);
    connections.push_back(*std::move(connection));
  }
  while (!connections.empty()) {
    collect(connections.front(), 1, deadline, exchange, transcript);
    connections.erase(connections.begin());  // some servers serve one connection at a time
  }
  return exchange;
}

void HttpConversation::note_missing(dialogue::Exchange& exchange, bool well_formed,
                                    microseconds waited, dialogue::Transcript& transcript) {
  connection_.reset();
  if (exchange.ending == dialogue::Ending::timed_out) {
    patience_.note_missing_answer(well_formed);
    exchange.detail = "no HTTP response in " + duration_text(waited);
    if (waited < patience_.timeout()) exchange.detail += " (shortened after an earlier wait)";
    transcript.add(dialogue::Direction::quiet, {}, exchange.detail);
    return;
  }
  if (exchange.detail.empty())
    exchange.detail = "the server closed the connection without a response";
  transcript.add(dialogue::Direction::closed, {}, exchange.detail);
}

PeerConversation::Control HttpConversation::ask(Deadline deadline,
                                                dialogue::Transcript& transcript) {
  const std::string call = settings_.control.text(next_control_id_++);
  transcript.add_control(shown_request_for({}, call));
  connection_->begin_exchange();
  connection_->expect_response_to("POST");
  const auto begin = Clock::now();
  connection_->send(request_for({}, call), {}, deadline);
  const auto response = receive(*connection_, deadline);
  if (!response) {
    const bool closed = connection_->ended();
    connection_.reset();
    transcript.add(closed ? dialogue::Direction::closed : dialogue::Direction::quiet, {},
                   "the control call was not answered");
    if (!closed) {
      patience_.note_missing_control();
      patience_.note_wait_in_vain();
    }
    return closed ? Control::closed : Control::unanswered;
  }
  const dialogue::Message body(response->body);
  dialogue::Event event = event_of(*response, body);
  event.is_control = true;
  event.note = "answer to the control call";
  transcript.add(std::move(event));
  if (!response->violation.empty()) return Control::unanswered;
  if (body.value() != nullptr && body.value()->is(json::Kind::object)) {
    control_answer_ = response->body;
    patience_.note_answer(std::chrono::duration_cast<microseconds>(Clock::now() - begin), 0);
    return Control::answered;
  }
  // 503 (RFC 9110 §15.6.4) says: not yet.
  return response->status == 503 ? Control::unanswered : Control::unfit;
}

PeerConversation::Control HttpConversation::ask_again(dialogue::Transcript& transcript) {
  if (!can_reuse_connection() || peer().mixes_up_calls()) return Control::closed;
  return ask(Deadline::in(patience_.for_control()), transcript);
}

}  // namespace

std::unique_ptr<Conversation> make_http_conversation(std::shared_ptr<transport::Peer> peer,
                                                     HttpSettings settings, Patience& patience) {
  return std::make_unique<HttpConversation>(std::move(peer), std::move(settings), patience);
}

}  // namespace jrpcheck::session
