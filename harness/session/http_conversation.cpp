#include "session/http_conversation.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/duration_text.hpp"
#include "dialogue/id_key.hpp"
#include "session/framed_stream.hpp"
#include "session/http_connection.hpp"
#include "session/http_intake.hpp"
#include "session/incoming.hpp"
#include "session/opening.hpp"
#include "session/peer_conversation.hpp"
#include "transport/byte_stream.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::session {
namespace {

// What one conversation waits in all until a server that limits its calls takes the next one, and
// once at most.
constexpr microseconds kForLimits = milliseconds(40'000);
constexpr microseconds kLongestLimit = milliseconds(2'000);
constexpr microseconds kShortestLimit = milliseconds(100);
constexpr int kTriesWithinLimits = 5;

// 429 says that there were too many calls, whoever sees it (RFC 6585 §4); 503 where no Response
// comes with it.
bool is_limit(int status, bool has_object) {
  return status == 429 || (status == 503 && !has_object);
}

bool is_limit(const dialogue::Exchange& exchange) {
  const auto& replies = exchange.replies;
  const bool has_object = std::any_of(replies.begin(), replies.end(), [](const auto& reply) {
    return reply.value() != nullptr && reply.value()->is(json::Kind::object);
  });
  return exchange.ending == dialogue::Ending::settled && is_limit(exchange.http_status, has_object);
}

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
  std::vector<LateAnswer> take_late_answers() override { return std::exchange(late_, {}); }
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
  bool can_reuse_connection();
  void note_late_answers();
  std::string request_for(const corpus::Step& step, const std::string& message) const {
    return http_request_for(settings_.target, settings_.extra_fields, step.http, message);
  }
  // The same as it may be shown.
  std::string shown_request_for(const corpus::Step& step, const std::string& message) const {
    return http_request_for(shown_target_, shown_fields_, step.http, message);
  }
  dialogue::Exchange exchange_on_one(const corpus::Step& step, bool well_formed,
                                     dialogue::Transcript& transcript);
  bool is_answer_to_last(const dialogue::Exchange& exchange) const;
  bool another_follows();
  dialogue::Exchange exchange_after_stray(const corpus::Step& step, bool well_formed,
                                          dialogue::Exchange exchange, std::size_t sent_at,
                                          dialogue::Transcript& transcript);
  dialogue::Exchange exchange_within_limits(const corpus::Step& step, bool well_formed,
                                            dialogue::Transcript& transcript);
  dialogue::Exchange exchange_once(const corpus::Step& step, bool well_formed,
                                   dialogue::Transcript& transcript);
  bool is_connected(dialogue::Exchange& exchange, dialogue::Transcript& transcript);
  bool still_serves(unsigned long long generation, dialogue::Transcript& transcript);
  dialogue::Exchange exchange_on_several(const corpus::Step& step, bool well_formed,
                                         dialogue::Transcript& transcript);
  Control ask_later(const wire::HttpMessage& refusal, dialogue::Transcript& transcript);
  void collect(HttpConnection& connection, std::size_t responses, Deadline deadline,
               dialogue::Exchange& exchange, dialogue::Transcript& transcript,
               std::optional<std::size_t> call = {}) const;
  std::optional<wire::HttpMessage> receive(HttpConnection& connection, Deadline& deadline) const;
  void note_missing(dialogue::Exchange& exchange, bool well_formed, microseconds waited,
                    dialogue::Transcript& transcript);

  HttpSettings settings_;
  transport::Target shown_target_;
  wire::HttpFields shown_fields_;
  std::optional<HttpConnection> connection_;
  bool usable_ = false;
  // What was sent last on the connection may have left something unread.
  bool doubtful_ = false;
  std::set<std::string> last_ids_;  // of the call that it has answered last, as of id_keys_of
  std::set<std::string> before_;    // of the call before that
  std::vector<LateAnswer> late_;
  microseconds left_for_limits_ = kForLimits;  // to wait for
  int refused_in_a_row_ = 0;                   // control calls, by a limit
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

bool HttpConversation::can_reuse_connection() {
  if (!connection_ || doubtful_) return false;
  const bool is_idle = connection_->is_idle();
  note_late_answers();
  return is_idle;
}

// A response that nobody has asked for, and that answers the last call once more.
void HttpConversation::note_late_answers() {
  const auto* response = last_ids_.empty() ? nullptr : connection_->peek();
  if (response == nullptr || !response->violation.empty()) return;
  dialogue::Message message(response->body);
  const auto keys = dialogue::id_keys_of(message);
  const bool is_second =
      !keys.empty() && std::all_of(keys.begin(), keys.end(),
                                   [&](const auto& key) { return last_ids_.count(key) != 0; });
  if (is_second) late_.push_back(std::move(message));
  last_ids_.clear();
}

std::optional<HttpConnection> HttpConversation::connect(dialogue::Transcript& transcript) const {
  auto connected = peer().connect(Deadline::in(patience_.timeout()));
  if (connected) return HttpConnection(std::move(connected->stream));
  transcript.add(dialogue::Direction::closed, {}, connected.error().message);
  return std::nullopt;
}

bool HttpConversation::reconnect(dialogue::Transcript& transcript) {
  connection_.reset();  // closed first: some servers serve one connection at a time
  doubtful_ = false;
  last_ids_.clear();
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
                               dialogue::Exchange& exchange, dialogue::Transcript& transcript,
                               std::optional<std::size_t> call) const {
  for (std::size_t i = 0; i < responses && exchange.ending == dialogue::Ending::settled; ++i) {
    auto response = receive(connection, deadline);
    if (response) {
      take_in(*response, exchange, transcript, call);
    } else {
      exchange.ending = connection.ended() ? dialogue::Ending::closed : dialogue::Ending::timed_out;
    }
  }
}

// Whatever is refused so is not refused for what it says (RFC 6585 §4).
bool has_429(const dialogue::Exchange& exchange) {
  constexpr int kTooManyRequests = 429;
  return exchange.http_status == kTooManyRequests ||
         std::any_of(exchange.replies.begin(), exchange.replies.end(),
                     [](const auto& reply) { return reply.http_status == kTooManyRequests; });
}

dialogue::Exchange HttpConversation::exchange(const corpus::Step& step,
                                              dialogue::Transcript& transcript) {
  const std::vector<dialogue::Message> sent(step.messages.begin(), step.messages.end());
  const bool well_formed = outgoing(sent, settings_.control.dialect).well_formed;
  if (step.same_connection) {
    doubtful_ = false;
  } else if (peer().mixes_up_calls()) {
    connection_.reset();
  }
  const auto begin = Clock::now();
  dialogue::Exchange exchange = step.concurrently
                                    ? exchange_on_several(step, well_formed, transcript)
                                    : exchange_within_limits(step, well_formed, transcript);
  const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
  exchange.sent = sent;
  exchange.limited = exchange.limited || has_429(exchange);
  if (exchange.ending == dialogue::Ending::settled) {
    patience_.note_answer(waited, size_of(step));
  } else {
    note_missing(exchange, well_formed, waited, transcript);
  }
  return exchange;
}

// A server that limits how often it is called is given time, and is asked again. What is refused
// while a control call is served is refused for what it says.
dialogue::Exchange HttpConversation::exchange_within_limits(const corpus::Step& step,
                                                            bool well_formed,
                                                            dialogue::Transcript& transcript) {
  std::size_t sent_at = transcript.whole().size();
  dialogue::Exchange exchange = exchange_on_one(step, well_formed, transcript);
  if (!is_limit(exchange)) return exchange;
  for (int i = 0; i < kTriesWithinLimits; ++i) {
    const std::size_t known = transcript.whole().size();
    connection_.reset();
    if (!reconnect(transcript)) return exchange;
    const Control control = ask(Deadline::in(patience_.for_control()), transcript);
    if (control != Control::answered && control != Control::limited) return exchange;
    const bool was_served = control == Control::answered;
    transcript.set_aside(sent_at, "the server limits how often it is called; sent again");
    sent_at = known;
    exchange = exchange_on_one(step, well_formed, transcript);
    if (!is_limit(exchange) || (was_served && i > 0)) return exchange;
    exchange.limited = !was_served;
  }
  return exchange;
}

// A server may close an idle connection at any moment (RFC 9112 §9.3.1), and the request on it may
// be lost for that alone. But what kills a server closes the connection likewise, and is not to be
// sent twice: so it is sent again, on a fresh connection, only to a server that serves on.
dialogue::Exchange HttpConversation::exchange_on_one(const corpus::Step& step, bool well_formed,
                                                     dialogue::Transcript& transcript) {
  const auto generation = peer().generation();
  const std::size_t sent_at = transcript.whole().size();
  before_ = last_ids_;
  dialogue::Exchange exchange = exchange_once(step, well_formed, transcript);
  const bool is_unheard = exchange.ending == dialogue::Ending::closed &&
                          !exchange.on_new_connection && connection_ &&
                          !connection_->heard_anything();
  if (!is_unheard && !(is_answer_to_last(exchange) && another_follows())) return exchange;
  if (!is_unheard) {
    return exchange_after_stray(step, well_formed, std::move(exchange), sent_at, transcript);
  }
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

// Whether the call before this one is answered here once more.
bool HttpConversation::is_answer_to_last(const dialogue::Exchange& exchange) const {
  if (exchange.on_new_connection || exchange.replies.empty()) return false;
  const auto keys = dialogue::id_keys_of(exchange.replies.front());
  return !keys.empty() && std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
    return before_.count(key) != 0 && last_ids_.count(key) == 0;
  });
}

// Where none does, what came answers this call, with the id of the one before.
bool HttpConversation::another_follows() {
  if (!connection_) return false;
  if (!connection_->has_response()) connection_->listen(Deadline::in(patience_.tail()));
  return connection_->has_response();
}

// What belongs to the call before is charged there, and this one is sent on a connection on which
// nothing has been sent before.
dialogue::Exchange HttpConversation::exchange_after_stray(const corpus::Step& step,
                                                          bool well_formed,
                                                          dialogue::Exchange exchange,
                                                          std::size_t sent_at,
                                                          dialogue::Transcript& transcript) {
  late_.push_back(exchange.replies.front());
  transcript.set_aside(sent_at, "answers the call before once more");
  connection_.reset();
  exchange = exchange_once(step, well_formed, transcript);
  exchange.lost_connection = "a second response to the call before came on it";
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
  const bool is_plain = step.http.method == "POST" && step.http.headers.empty();
  doubtful_ = !is_plain || !connection_->has_sent_all();
  last_ids_.clear();
  if (is_plain && step.messages.size() == 1) {
    for (auto& key : dialogue::id_keys_of(dialogue::Message(step.messages.front()))) {
      last_ids_.insert(std::move(key));
    }
  }
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
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    collect(connections.front(), 1, deadline, exchange, transcript, i);
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
  const bool has_object = body.value() != nullptr && body.value()->is(json::Kind::object);
  if (has_object && response->status != 429) {
    refused_in_a_row_ = 0;
    control_answer_ = response->body;
    patience_.note_answer(std::chrono::duration_cast<microseconds>(Clock::now() - begin), 0);
    return Control::answered;
  }
  return is_limit(response->status, false) ? ask_later(*response, transcript) : Control::unfit;
}

// 503 (RFC 9110 §15.6.4) says: not yet; so does 429 (RFC 6585 §4), and both may say when.
PeerConversation::Control HttpConversation::ask_later(const wire::HttpMessage& refusal,
                                                      dialogue::Transcript& transcript) {
  const Control given_up = refusal.status == 503 ? Control::unanswered : Control::limited;
  const std::string wanted(refusal.field("Retry-After").value_or(""));
  const auto seconds = wire::decimal(wanted);
  const microseconds wait =
      seconds
          ? std::clamp<microseconds>(std::chrono::seconds(std::min<std::uint64_t>(*seconds, 60)),
                                     kShortestLimit, kLongestLimit)
          : kShortestLimit * (1 << refused_in_a_row_);
  if (++refused_in_a_row_ > kTriesWithinLimits || wait > left_for_limits_) return given_up;
  left_for_limits_ -= wait;
  transport::wait_until(Deadline::in(wait));
  if (!reconnect(transcript)) return Control::closed;
  return ask(Deadline::in(patience_.for_control()), transcript);
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
