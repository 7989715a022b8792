#include "session/http_peer_conversation.hpp"

#include <algorithm>

#include "dialogue/id_key.hpp"
#include "session/incoming.hpp"
#include "session/opening.hpp"

namespace jrpcheck::session {

Result<bool> HttpPeerConversation::open(dialogue::Transcript& transcript) {
  usable_ = false;
  channel_.leave_stream();
  if (!connect_anew(transcript)) {
    return Error{"no connection to " + channel_.settings().target.address.text() + " can be had"};
  }
  auto opened = begin_session(transcript);
  usable_ = static_cast<bool>(opened);
  return opened;
}

Result<bool> HttpPeerConversation::begin_session(dialogue::Transcript& transcript) {
  channel_.session().begin();
  is_beginning_ = true;
  leaves_session_ = true;  // until it has begun
  // What answers the opening answers no step.
  const auto step = transcript.suspend_step();
  Result<bool> opened = true;
  for (const auto& message : channel_.settings().opening.messages) {
    if (opened) opened = send_opening(message, transcript);
  }
  if (opened) channel_.listen(transcript);
  transcript.resume(step);
  leaves_session_ = false;
  is_beginning_ = false;
  return opened;
}

Result<bool> HttpPeerConversation::send_opening(const std::string& message,
                                                dialogue::Transcript& transcript) {
  const dialogue::Exchange answer = exchange(corpus::step_sending(message), transcript);
  if (answer.ending != dialogue::Ending::settled) {
    return Error{shown_opening(message) + " was not answered: " + answer.detail + "\n" +
                 last_words()};
  }
  const std::string body = answer.replies.empty() ? std::string() : answer.replies.front().text();
  // Where no answer is due one is a fault of the server, and opens what it opens.
  const bool is_due = !dialogue::id_keys_of(dialogue::Message(message)).empty();
  if (answer.http_status >= kFirstRefusal || (is_due && is_refused(body))) {
    Error refused =
        refused_opening(message, "HTTP " + std::to_string(answer.http_status) + " " + body);
    if (answer.http_status == kUnauthorized) {
      refused.message += "\n  " + std::string(kGiveTheLogin);
    }
    return refused;
  }
  channel_.session().note_open();
  return true;
}

std::vector<LateAnswer> HttpPeerConversation::take_late_answers() {
  for (auto& each : channel_.take_late()) late_.push_back(std::move(each));
  return std::exchange(late_, {});
}

bool HttpPeerConversation::can_reuse_connection() {
  if (!connection_ || doubtful_ || channel_.has_lost_stream()) return false;
  const bool is_idle = connection_->is_idle();
  note_late_answers();
  return is_idle;
}

bool HttpPeerConversation::is_of_the_call_before(const dialogue::Message& message) const {
  const auto keys = dialogue::id_keys_of(message);
  return !keys.empty() && std::ranges::all_of(keys, [&](const auto& key) {
    return before_.count(key) != 0 && last_ids_.count(key) == 0;
  });
}

// A response that nobody has asked for, and that answers the last call once more.
void HttpPeerConversation::note_late_answers() {
  before_ = std::exchange(last_ids_, {});
  const auto* response = before_.empty() ? nullptr : connection_->peek();
  if (response == nullptr || !response->violation.empty()) return;
  dialogue::Message message(response->body);
  if (is_of_the_call_before(message)) late_.push_back(std::move(message));
}

// Where no other response follows, what came answers this call, with the id of the one before.
bool HttpPeerConversation::answers_the_last(const dialogue::Exchange& exchange) {
  if (exchange.replies.empty() || !connection_) return false;
  if (!is_of_the_call_before(exchange.replies.front())) return false;
  if (!connection_->has_response()) connection_->listen(Deadline::in(patience_.tail()));
  return connection_->has_response();
}

// A stream on which all answers come is a session of its own (MCP 2024-11-05, HTTP with SSE).
bool HttpPeerConversation::reconnect(dialogue::Transcript& transcript) {
  const bool is_new_session = channel_.has_lost_stream() && !is_beginning_;
  if (!connect_anew(transcript)) return false;
  if (is_new_session && !begin_session(transcript)) connection_.reset();
  return connection_.has_value();
}

bool HttpPeerConversation::connect_anew(dialogue::Transcript& transcript) {
  connection_.reset();  // closed first: some servers serve one connection at a time
  doubtful_ = false;
  last_ids_.clear();
  before_.clear();
  connection_ = channel_.connect(transcript);
  if (connection_ && !channel_.open_stream(transcript)) connection_.reset();
  return connection_.has_value();
}

PeerConversation::Control HttpPeerConversation::ask(Deadline deadline,
                                                    dialogue::Transcript& transcript) {
  const auto step = corpus::step_sending(channel_.next_control_call());
  const std::string& call = step.messages.front().text();
  transcript.add_control(channel_.shown_request_for({}, call));
  connection_->begin_exchange();
  connection_->expect_response_to("POST");
  const auto begin = Clock::now();
  connection_->send(channel_.request_for({}, call), {}, deadline);
  dialogue::Exchange exchange;
  channel_.collect(*connection_, step, deadline,
                   {exchange, transcript, {}, true, "answer to the control call"});
  const int status = exchange.http_status;
  if (exchange.ending != dialogue::Ending::settled) return note_unanswered(exchange, transcript);
  if (answers_the_last(exchange)) {
    late_.push_back(exchange.replies.front());
    return ask_newly(transcript);
  }
  const json::Value* answer = exchange.replies.empty() ? nullptr : exchange.replies.back().value();
  const bool has_object = answer != nullptr && dialogue::sole_object(*answer) != nullptr;
  // A Response that nobody can read answers as well: the server serves.
  const bool is_broken = answer == nullptr && !exchange.replies.empty() && status < kFirstRefusal &&
                         IncomingSorter::spells_answer(exchange.replies.back().text(),
                                                       dialogue::id_keys_of(step.messages[0])[0]);
  // The session may have ended meanwhile, which is no end of the server. Many say so by an error in
  // the body as well.
  const bool is_lost = status == kNotFound && channel_.session().has_begun();
  if (is_lost && !leaves_session_ && !is_renewing_) {
    return ask_in_new_session(deadline, transcript);
  }
  // Who has no session is refused, by a server that serves.
  const bool is_refused = (channel_.session().is_missing() || leaves_session_) &&
                          status >= kFirstRefusal && status < 500;
  if (has_served_ && !is_refused && keeps_out(exchange)) {
    control_answer_.clear();
    return Control::kept_out;
  }
  if ((has_object || is_broken || is_refused) && status != 429) {
    limits_.note_served();
    answered_meanwhile_ = has_overdue_response();
    control_answer_ = is_refused ? std::string() : exchange.replies.back().text();
    control_status_ = status;
    patience_.note_answer(time_since(begin), 0);
    return Control::answered;
  }
  return is_limit(status, false) ? ask_later(transcript) : Control::unfit;
}

// Nothing more is sent on it, so that a server of one connection at a time serves the next. Who has
// had no turn on a busy machine answers what came first and then the control call.
void HttpPeerConversation::leave_overdue() {
  if (connection_) connection_->close_write();
  overdue_ = std::exchange(connection_, std::nullopt);
}

bool HttpPeerConversation::has_overdue_response() {
  auto overdue = std::exchange(overdue_, std::nullopt);
  if (!overdue) return false;
  if (!overdue->has_response()) overdue->listen(Deadline::in(patience_.tail()));
  return overdue->has_response();
}

PeerConversation::Control HttpPeerConversation::note_unanswered(const dialogue::Exchange& exchange,
                                                                dialogue::Transcript& transcript) {
  const bool breaks_http = exchange.http_status == 0 && !exchange.detail.empty();
  if (breaks_http) return Control::unanswered;
  const bool closed = exchange.ending == dialogue::Ending::closed;
  connection_.reset();
  transcript.add(closed ? dialogue::Direction::closed : dialogue::Direction::quiet, {},
                 "the control call was not answered");
  if (!closed) {
    patience_.note_missing_control();
    patience_.note_wait_in_vain();
  }
  return closed ? Control::closed : Control::unanswered;
}

PeerConversation::Control HttpPeerConversation::ask_in_new_session(
    Deadline deadline, dialogue::Transcript& transcript) {
  is_renewing_ = true;
  const bool is_open = static_cast<bool>(open(transcript));
  const Control control = is_open ? ask(deadline, transcript) : Control::closed;
  is_renewing_ = false;
  return control;
}

PeerConversation::Control HttpPeerConversation::ask_later(dialogue::Transcript& transcript) {
  const Control given_up = channel_.last().status == 503 ? Control::unavailable : Control::limited;
  const auto wait = limits_.wait_after(channel_.last());
  if (!wait) return given_up;
  transport::wait_until(Deadline::in(*wait));
  if (!reconnect(transcript)) return Control::closed;
  return ask(due_in(patience_.for_control()), transcript);
}

PeerConversation::Control HttpPeerConversation::ask_again(dialogue::Transcript& transcript) {
  if (!can_reuse_connection() || peer().mixes_up_calls()) return Control::closed;
  return ask(due_in(for_control()), transcript);
}

}  // namespace jrpcheck::session
