#include "session/http_conversation.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/duration_text.hpp"
#include "dialogue/id_key.hpp"
#include "session/framed_stream.hpp"
#include "session/http_peer_conversation.hpp"
#include "session/incoming.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::session {
namespace {

// So often a call is served and what is sent a while behind it refused, before that is its answer.
constexpr int kRefusalsThatTell = 3;

std::size_t size_of(const corpus::Step& step) {
  std::size_t size = 0;
  for (const auto& message : step.messages) size += message.text().size();
  return size;
}

class HttpConversation : public HttpPeerConversation {
 public:
  using HttpPeerConversation::HttpPeerConversation;

  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override;

 private:
  dialogue::Exchange exchange_somehow(const corpus::Step& step, bool well_formed,
                                      dialogue::Transcript& transcript) {
    return step.concurrently ? exchange_on_several(step, well_formed, transcript)
                             : exchange_within_limits(step, well_formed, transcript);
  }
  bool has_lost_session(const corpus::Step& step, const dialogue::Exchange& exchange);
  bool is_kept_out(const corpus::Step& step, const dialogue::Exchange& exchange,
                   dialogue::Transcript& transcript);
  dialogue::Exchange exchange_on_one(const corpus::Step& step, bool well_formed,
                                     dialogue::Transcript& transcript);
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
  void note_missing(dialogue::Exchange& exchange, bool well_formed, microseconds waited,
                    dialogue::Transcript& transcript);
};

dialogue::Exchange HttpConversation::exchange(const corpus::Step& step,
                                              dialogue::Transcript& transcript) {
  const bool well_formed = outgoing(step.messages, channel_.settings().control.dialect).well_formed;
  if (step.same_connection) {
    doubtful_ = false;
  } else if (peer().mixes_up_calls()) {
    connection_.reset();
  }
  if (auto why = channel_.why_not_asked(step); !why.empty()) {
    dialogue::Exchange none;
    none.sent = step.messages;
    none.not_asked = std::move(why);
    return none;
  }
  const auto begin = Clock::now();
  const std::size_t sent_at = transcript.whole().size();
  dialogue::Exchange exchange = exchange_somehow(step, well_formed, transcript);
  if (has_lost_session(step, exchange) && open(transcript)) {
    transcript.set_aside(sent_at, std::string(dialogue::kSessionEndedNote));
    exchange = exchange_somehow(step, well_formed, transcript);
  }
  if (exchange.comes_too_late) return exchange;
  const auto waited = time_since(begin);
  exchange.sent = step.messages;
  if (!exchange.not_asked.empty()) return exchange;
  exchange.limited =
      exchange.limited || has_429(exchange) || is_kept_out(step, exchange, transcript);
  has_served_ = has_served_ || (holds_object(exchange) && exchange.http_status < kFirstRefusal);
  is_at_work_ = step.slow && exchange.ending == dialogue::Ending::timed_out;
  if (exchange.ending == dialogue::Ending::settled) {
    patience_.note_answer(waited, size_of(step));
  } else {
    note_missing(exchange, well_formed, waited, transcript);
  }
  return exchange;
}

// A server that limits how often it is called is given time, and is asked again. What is refused
// while control calls are served is refused for what it says; but the call that is served may have
// used up what the server gives in that time, and where calls are refused too, others have.
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
    const Control control = ask(due_in(patience_.for_control()), transcript);
    if (!is_there(control)) return exchange;
    const bool was_served = control == Control::answered;
    if (was_served) transport::wait_until(Deadline::in(limits_.pause(i)));
    transcript.set_aside(sent_at, "the server limits how often it is called; sent again");
    sent_at = known;
    exchange = exchange_on_one(step, well_formed, transcript);
    if (!is_limit(exchange)) return exchange;
    exchange.limited = !was_served || limits_.have_been_met() || has_429(exchange);
    if (!exchange.limited && i + 1 >= kRefusalsThatTell) return exchange;
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
  dialogue::Exchange exchange = exchange_once(step, well_formed, transcript);
  const bool is_unheard = exchange.ending == dialogue::Ending::closed &&
                          !exchange.on_new_connection && connection_ &&
                          !connection_->heard_anything();
  // The stream for all answers may have been about to end when this was sent.
  const bool is_unheard_on_stream =
      (exchange.ending == dialogue::Ending::closed || exchange.http_status >= kFirstRefusal) &&
      !exchange.on_new_connection && channel_.has_lost_stream();
  if (!is_unheard && !is_unheard_on_stream && !answers_the_last(exchange)) {
    return exchange;
  }
  if (!is_unheard && !is_unheard_on_stream) {
    return exchange_after_stray(step, well_formed, std::move(exchange), sent_at, transcript);
  }
  transcript.add(dialogue::Direction::closed, {},
                 is_unheard ? "the idle connection was closed; is the server there?"
                            : "the event stream for all answers has ended; is the server there?");
  const std::string lost = connection_ && is_unheard ? connection_->lost() : std::string();
  connection_.reset();
  if (!still_serves(generation, transcript)) return exchange;
  if (is_unheard_on_stream) transcript.set_aside(sent_at, "sent again on a new event stream");
  connection_.reset();
  exchange = exchange_once(step, well_formed, transcript);
  exchange.lost_connection = lost;
  return exchange;
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
  const Control control = ask(due_in(patience_.for_control()), transcript);
  // One that was started anew meanwhile was dead.
  return control == Control::answered && peer().generation() == generation;
}

dialogue::Exchange HttpConversation::exchange_once(const corpus::Step& step, bool well_formed,
                                                   dialogue::Transcript& transcript) {
  dialogue::Exchange exchange;
  // Where messages go may change with the stream that is opened for it.
  if (!is_connected(exchange, transcript)) return exchange;
  const auto another =
      step.http.another_listens ? channel_.open_anothers_stream(transcript) : nullptr;
  if (step.http.another_listens && !another) {
    exchange.not_asked = "the server has one stream at a time";
    return exchange;
  }
  std::string bytes;
  std::string shown;
  for (const auto& message : step.messages) {
    bytes += channel_.request_for(step, message);
    shown += channel_.shown_request_for(step, message);
  }
  transcript.add(dialogue::Direction::sent, shown);
  const microseconds patience = patience_.for_response(well_formed, bytes.size());
  const Deadline deadline =
      due_in(step.slow ? std::min<microseconds>(Patience::kForSlow, patience) : patience);
  connection_->begin_exchange();
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    connection_->expect_response_to(step.http.method);
  }
  connection_->send(bytes, step, patience_.tail(), deadline);
  if (step.end_of_input) connection_->close_write();
  channel_.collect(*connection_, step, deadline, {exchange, transcript});
  if (another) another->overhear(Deadline::in(patience_.tail()), transcript);
  const bool is_plain = step.http.method == "POST" && step.http.headers.empty();
  doubtful_ = !is_plain || !connection_->has_sent_all();
  last_ids_.clear();
  if (is_plain && step.messages.size() == 1) {
    for (auto& key : dialogue::id_keys_of(step.messages.front())) {
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
  exchange.comes_too_late = usable_ && transcript.is_past_first_step();
  if (std::exchange(usable_, false) && !exchange.comes_too_late) {
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
  // One that is about to end would take some of their answers with it.
  if (!channel_.open_stream(transcript, HttpChannel::Stream::fresh)) {
    exchange.ending = dialogue::Ending::closed;
    exchange.detail = "the event stream for all answers cannot be had";
    return exchange;
  }
  const Deadline deadline = due_in(patience_.for_response(well_formed, size_of(step)));
  channel_.call_on_several(step, deadline, exchange, transcript);
  return exchange;
}

// The server may end a session at any time, and asks for a new one so (MCP transports § Session
// Management).
bool HttpConversation::has_lost_session(const corpus::Step& step,
                                        const dialogue::Exchange& exchange) {
  if (step.http.method == "DELETE") leaves_session_ = true;
  const bool names_its_own = std::ranges::any_of(step.http.headers, [this](const auto& header) {
    return channel_.session().keeps(header.first);
  });
  return exchange.http_status == kNotFound && channel_.session().has_begun() && !leaves_session_ &&
         !names_its_own;
}

// A login ends, or a quota is used up: then every call is refused. One that sets fields of its own
// may be refused for them.
bool HttpConversation::is_kept_out(const corpus::Step& step, const dialogue::Exchange& exchange,
                                   dialogue::Transcript& transcript) {
  const bool is_plain = step.http.method == "POST" && step.http.headers.empty();
  if (!is_plain || !has_served_ || !keeps_out(exchange)) return false;
  // Where calls are served on the same connection, what is to go on it next still does.
  if (ask_again(transcript) == Control::answered) return false;
  const bool is_kept_out = ask_newly(transcript) == Control::kept_out;
  connection_.reset();
  return is_kept_out;
}

void HttpConversation::note_missing(dialogue::Exchange& exchange, bool well_formed,
                                    microseconds waited, dialogue::Transcript& transcript) {
  const bool is_overdue =
      exchange.ending == dialogue::Ending::timed_out && exchange.http_status == 0;
  is_overdue ? leave_overdue() : connection_.reset();
  if (exchange.ending == dialogue::Ending::timed_out) {
    patience_.note_missing_answer(well_formed);
    exchange.detail = (exchange.http_status == 0 ? "no HTTP response in "
                                                 : "no Response on the event stream in ") +
                      duration_text(waited);
    if (waited < patience_.timeout()) exchange.detail += " (shortened after an earlier wait)";
    transcript.add(dialogue::Direction::quiet, {}, exchange.detail);
    return;
  }
  if (exchange.detail.empty())
    exchange.detail = "the server closed the connection without a response";
  transcript.add(dialogue::Direction::closed, {}, exchange.detail);
}

}  // namespace

std::unique_ptr<Conversation> make_http_conversation(std::shared_ptr<transport::Peer> peer,
                                                     HttpSettings settings, Patience& patience) {
  return std::make_unique<HttpConversation>(std::move(peer), std::move(settings), patience);
}

}  // namespace jrpcheck::session
