#include "session/socket_conversation.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "corpus/reply_count.hpp"
#include "session/framed_connection.hpp"
#include "session/lane.hpp"
#include "session/sent_again.hpp"
#include "session/step_bytes.hpp"
#include "session/stream_end.hpp"
#include "session/turned_away.hpp"
#include "transport/starvation.hpp"

namespace jrpcheck::session {
namespace {

// Behind the control calls of the case itself.
constexpr long long kProbingIds = 900;

// Of the control calls on a connection with a handshake of its own.
constexpr long long kIdsOfHandshake = 10;

constexpr int kSwitchingProtocols = 101;

// Far from the numbers of those that one stream makes.
constexpr std::uint64_t kOtherConnections = 1'000'000;

// How long one of several connections is listened to before it is the turn of the next.
constexpr milliseconds kTurn{2};

void no_connection(const Error& why, dialogue::Exchange& exchange,
                   dialogue::Transcript& transcript) {
  exchange.ending = dialogue::Ending::closed;
  exchange.detail = why.message;
  transcript.add(dialogue::Direction::closed, {}, why.message);
}

class SocketConversation : public Conversation {
 public:
  SocketConversation(std::shared_ptr<transport::Peer> peer, StreamSettings settings,
                     Patience& patience)
      : peer_(std::move(peer)),
        settings_(std::move(settings)),
        patience_(patience),
        stream_(make_stream_conversation(peer_, settings_, patience_)) {}

  Result<bool> open(dialogue::Transcript& transcript) override {
    is_fresh_ = true;
    has_made_way_ = false;
    held_.clear();
    return stream_->open(transcript);
  }
  Result<bool> start_anew(dialogue::Transcript& transcript) override {
    is_fresh_ = true;
    has_made_way_ = false;
    held_.clear();
    return stream_->start_anew(transcript);
  }
  void step_aside() override { stream_->step_aside(); }
  void begin_case(long long first_control_id) override {
    held_.clear();
    met_death_.reset();
    next_probing_id_ = first_control_id + kProbingIds;
    stream_->begin_case(first_control_id);
  }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override;
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    is_fresh_ = false;
    has_made_way_ = false;
    auto check = stream_->check_survival(transcript);
    // Whoever looked on another connection has met its end, and has brought it back.
    const auto death = std::exchange(met_death_, std::nullopt);
    if (death && check.survival == dialogue::Survival::alive) {
      check.survival = dialogue::Survival::dead;
      check.detail = death->detail;
      check.standard_error = death->standard_error;
    }
    return check;
  }
  bool usable() const override { return stream_->usable() || has_made_way_; }
  std::vector<LateAnswer> take_late_answers() override { return stream_->take_late_answers(); }
  std::optional<UnseenDeath> take_unseen_death() override { return stream_->take_unseen_death(); }
  unsigned long long server_generation() const override { return stream_->server_generation(); }
  void use_control_call(ControlCall call) override {
    settings_.control = call;
    stream_->use_control_call(std::move(call));
  }

 private:
  dialogue::Exchange exchange_on_one(const corpus::Step& step, dialogue::Transcript& transcript);
  dialogue::Exchange exchange_on_several(const corpus::Step& step,
                                         dialogue::Transcript& transcript);
  void conclude_unanswered(bool is_any_open, Clock::time_point begin, dialogue::Exchange& exchange,
                           dialogue::Transcript& transcript);
  dialogue::Exchange exchange_after_handshake(const corpus::Step& step,
                                              dialogue::Transcript& transcript);
  Result<FramedConnection> connect_anew(dialogue::Transcript& transcript);
  Deadline due_in(microseconds wait) const { return transport::due_in(wait, peer_->worker()); }
  dialogue::Exchange send_and_leave(const corpus::Step& step, dialogue::Transcript& transcript);
  bool another_connection_serves(dialogue::Transcript& transcript);
  bool serves_once_more(dialogue::Transcript& transcript);
  bool open_one_that_is_served();

  std::shared_ptr<transport::Peer> peer_;
  StreamSettings settings_;
  Patience& patience_;
  std::unique_ptr<Conversation> stream_;
  bool has_made_way_ = false;  // its connection was closed for another, and can be had again
  bool is_fresh_ = true;       // nothing has been sent on its connection
  std::optional<UnseenDeath> met_death_;  // by a look on another connection, since the case began
  std::vector<transport::Connection> held_;  // by steps of this case
  long long next_probing_id_ = kProbingIds;
  std::uint64_t connections_ = 0;  // beside the one of `stream_`
};

dialogue::Exchange SocketConversation::exchange(const corpus::Step& step,
                                                dialogue::Transcript& transcript) {
  has_made_way_ = false;
  const bool is_usual =
      step.then == corpus::Step::Then::read && !step.handshake && !step.concurrently;
  if (is_usual) return exchange_on_one(step, transcript);
  // Who serves one connection at a time is given this one alone.
  const bool makes_way = peer_->turns_others_away();
  if (makes_way) stream_->step_aside();
  auto exchange = step.then != corpus::Step::Then::read ? send_and_leave(step, transcript)
                  : step.handshake                      ? exchange_after_handshake(step, transcript)
                                                        : exchange_on_several(step, transcript);
  if (makes_way && !stream_->usable()) {
    dialogue::Transcript aside;
    is_fresh_ = true;
    (void)stream_->open(aside);  // where this fails the server is gone, as the next step finds
  }
  return exchange;
}

// The last handshake that was told.
bool has_agreed(const std::string& extension, const dialogue::Transcript& transcript) {
  const auto& events = transcript.whole();
  const auto told = std::find_if(events.rbegin(), events.rend(), [](const auto& event) {
    return event.http && event.http->is_handshake;
  });
  if (extension.empty() || told == events.rend()) return extension.empty();
  wire::HttpReader reader(wire::HttpReader::Role::client);
  reader.expect_response_to("GET");
  reader.feed(told->bytes);
  const auto response = reader.next();
  return response && wire::deflate_agreed(response->list("Sec-WebSocket-Extensions"));
}

// On a connection that serves nothing else.
dialogue::Exchange SocketConversation::exchange_after_handshake(const corpus::Step& step,
                                                                dialogue::Transcript& transcript) {
  StreamSettings settings = settings_;
  settings.upgrade->departures = step.http.headers;
  settings.upgrade->is_told = true;
  const auto conversation = make_stream_conversation(peer_, std::move(settings), patience_);
  conversation->begin_case(next_probing_id_);
  next_probing_id_ += kIdsOfHandshake;
  const std::size_t told_at = transcript.whole().size();
  if (auto opened = conversation->open(transcript); opened) {
    if (!has_agreed(step.needs_extension, transcript)) return {};
    auto exchange = conversation->exchange(step, transcript);
    exchange.http_status = kSwitchingProtocols;
    return exchange;
  }
  dialogue::Exchange exchange;
  exchange.ending = dialogue::Ending::closed;
  exchange.detail = "the handshake was not answered";
  for (std::size_t i = told_at; i < transcript.whole().size(); ++i) {
    const auto& event = transcript.whole()[i];
    if (event.direction == dialogue::Direction::closed) exchange.detail = event.note;
    if (!event.http || !event.http->is_handshake) continue;
    exchange.http_status = static_cast<int>(event.http->status);
    exchange.ending = dialogue::Ending::settled;
    exchange.detail.clear();
  }
  return exchange;
}

Result<FramedConnection> SocketConversation::connect_anew(dialogue::Transcript& transcript) {
  return connect(*peer_, settings_,
                 connection_number(next_probing_id_, kOtherConnections + ++connections_),
                 due_in(patience_.timeout()), transcript);
}

// On a connection of its own; so is what follows it.
dialogue::Exchange SocketConversation::send_and_leave(const corpus::Step& step,
                                                      dialogue::Transcript& transcript) {
  using Then = corpus::Step::Then;
  dialogue::Exchange exchange;
  exchange.sent = step.messages;
  auto connected = connect_anew(transcript);
  if (!connected) {
    no_connection(connected.error(), exchange, transcript);
    return exchange;
  }
  FramedStream& stream = connected->stream;
  const std::string bytes = encode_step(step, stream, transcript);
  // What is said to each new connection is no part of the answer.
  for (std::size_t i = 0; i < patience_.greeting().count(); ++i) {
    stream.receive(due_in(patience_.for_control()));
  }
  const auto before = stream.received().bytes;
  const Deadline deadline = due_in(patience_.for_answer(true, bytes.size()));
  stream.send(bytes, deadline);
  while (step.then == Then::reset_within_answer && stream.received().bytes == before &&
         !stream.ended() && !deadline.passed()) {
    stream.receive_some(deadline);
  }
  const Deadline read_by = Deadline::in(patience_.tail());
  if (step.then == Then::hold) {
    stream.await_end(read_by);
    held_.push_back(std::move(connected->connection));
  } else {
    connected->connection.stream->reset();
    transport::wait_until(read_by);
  }
  dialogue::Transcript aside;
  is_fresh_ = true;
  if (!stream_->open(aside)) {
    exchange.ending = dialogue::Ending::closed;
    exchange.detail = "no other connection can be had";
  }
  return exchange;
}

dialogue::Exchange SocketConversation::exchange_on_several(const corpus::Step& step,
                                                           dialogue::Transcript& transcript) {
  dialogue::Exchange exchange;
  exchange.sent = step.messages;
  std::vector<FramedConnection> lanes;
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    auto connected = connect_anew(transcript);
    if (!connected) {
      no_connection(connected.error(), exchange, transcript);
      return exchange;
    }
    lanes.push_back(*std::move(connected));
  }
  const auto begin = Clock::now();
  const Deadline deadline = due_in(patience_.for_answer(true));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    FramedStream& stream = lanes[i].stream;
    const std::string bytes = stream.encode(step.messages[i].text());
    transcript.add(dialogue::Direction::sent, stream.shown(step.messages[i].text(), bytes));
    stream.send(bytes, deadline);
  }
  const LaneHabits habits{settings_.binding->delimits_messages, patience_.greeting()};
  const auto is_open = [](const auto& lane) { return !lane.stream.ended(); };
  // One call may be answered twice before another is at all.
  const auto is_answered = [&](std::size_t lane) {
    return std::any_of(exchange.replies.begin(), exchange.replies.end(),
                       [lane](const auto& reply) { return reply.call == lane; });
  };
  const auto are_answered = [&] {
    std::size_t answered = 0;
    for (std::size_t i = 0; i < lanes.size(); ++i) answered += is_answered(i) ? 1 : 0;
    return answered == lanes.size();
  };
  while (!are_answered() && exchange.beyond_limit.empty() && !deadline.passed() &&
         std::any_of(lanes.begin(), lanes.end(), is_open)) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const auto frame = lanes[i].stream.receive(Deadline::earlier(deadline, Deadline::in(kTurn)));
      if (frame) take_from_lane(*frame, i, habits, exchange, transcript);
    }
  }
  if (are_answered()) {
    // A second answer to one of them is on its way then.
    patience_.note_tail();
    transport::wait_until(Deadline::in(patience_.tail()));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const auto frame = lanes[i].stream.receive_arrived();
      if (frame) take_from_lane(*frame, i, habits, exchange, transcript);
    }
    return exchange;
  }
  conclude_unanswered(std::any_of(lanes.begin(), lanes.end(), is_open), begin, exchange,
                      transcript);
  return exchange;
}

// Of calls on connections of their own not all were answered.
void SocketConversation::conclude_unanswered(bool is_any_open, Clock::time_point begin,
                                             dialogue::Exchange& exchange,
                                             dialogue::Transcript& transcript) {
  if (!exchange.beyond_limit.empty()) {
    return note_quiet(std::string(kMoreThanRead) + exchange.beyond_limit, exchange, transcript);
  }
  if (!is_any_open) return note_close(false, exchange, transcript);
  patience_.note_missing_answer(true);
  const auto waited = time_since(begin);
  note_quiet(no_answer_in(waited, waited < patience_.timeout(), false), exchange, transcript);
}

// What ends a server closes the connection likewise: it is not sent twice to one that has gone.
dialogue::Exchange SocketConversation::exchange_on_one(const corpus::Step& step,
                                                       dialogue::Transcript& transcript) {
  const bool was_fresh = std::exchange(is_fresh_, false);
  const std::size_t sent_at = transcript.whole().size();
  dialogue::Exchange exchange = stream_->exchange(step, transcript);
  // A server may end a connection behind any call, also one of several that came together: on a
  // connection that others had used the case tells nothing of those behind it.
  const bool had_been_used = !was_fresh && !exchange.on_new_connection;
  const bool is_cut_off = had_been_used && was_cut_short(step, exchange);
  if (exchange.comes_too_late || !(nothing_came(exchange) || is_cut_off)) return exchange;
  dialogue::Transcript aside;
  if (had_been_used) {
    if (!another_connection_serves(aside) || !stream_->open(aside)) return exchange;
    note_sent_again(sent_at, transcript);
    const std::string lost = std::move(exchange.lost_connection);
    exchange = stream_->exchange(step, transcript);
    exchange.on_new_connection = true;
    exchange.lost_connection = lost;
    if (!nothing_came(exchange)) return exchange;
  }
  exchange.control_answered = another_connection_serves(transcript);
  if (exchange.control_answered && nothing_came(exchange) &&
      is_known_to_turn_others_away(*peer_, settings_, patience_) && open_one_that_is_served()) {
    note_sent_again(sent_at, transcript);
    const bool was_on_new = exchange.on_new_connection;
    exchange = stream_->exchange(step, transcript);
    exchange.on_new_connection = was_on_new;
    if (!nothing_came(exchange)) return exchange;
    exchange.control_answered = another_connection_serves(transcript);
  }
  if (exchange.control_answered) {
    const auto& answer = transcript.whole().back();
    exchange.control_answer = dialogue::message_of(answer).text();
  }
  return exchange;
}

// What is closed on it then is no connection too many.
bool SocketConversation::open_one_that_is_served() {
  for (const auto pause : kUntilNoticed) {
    stream_->step_aside();
    dialogue::Transcript aside;
    if (!stream_->open(aside)) return false;
    const std::string call = settings_.control.text(next_probing_id_++);
    const auto answer = stream_->exchange(corpus::step_sending(call), aside);
    if (answer.ending == dialogue::Ending::settled) return true;
    if (!nothing_came(answer)) return false;
    transport::wait_until(Deadline::in(pause));
  }
  return false;
}

bool SocketConversation::another_connection_serves(dialogue::Transcript& transcript) {
  if (!peer_->turns_others_away() && serves_once_more(transcript)) return true;
  if (!is_known_to_turn_others_away(*peer_, settings_, patience_)) return false;
  // What is closed by the server alone may count there until it is closed here.
  stream_->step_aside();
  has_made_way_ = true;
  for (const auto pause : kUntilNoticed) {
    if (serves_once_more(transcript)) return true;
    transport::wait_until(Deadline::in(pause));
  }
  return serves_once_more(transcript);
}

// The server, and not another one that has been started in its place meanwhile.
bool SocketConversation::serves_once_more(dialogue::Transcript& transcript) {
  const auto generation = peer_->generation();
  const auto probe = make_stream_conversation(peer_, settings_, patience_);
  dialogue::Transcript aside;
  if (!probe->open(aside)) return false;
  const std::string call = settings_.control.text(next_probing_id_++);
  const auto answer = probe->exchange(corpus::step_sending(call), aside);
  const bool serves = answer.ending == dialogue::Ending::settled && !answer.replies.empty() &&
                      peer_->generation() == generation;
  if (auto death = probe->take_unseen_death()) met_death_ = std::move(death);
  if (!serves) return false;
  transcript.add_control(call);
  dialogue::Event event = dialogue::received(answer.replies.front(), "on another connection");
  event.is_control = true;
  transcript.add(std::move(event));
  return true;
}

}  // namespace

std::unique_ptr<Conversation> make_socket_conversation(std::shared_ptr<transport::Peer> peer,
                                                       StreamSettings settings,
                                                       Patience& patience) {
  return std::make_unique<SocketConversation>(std::move(peer), std::move(settings), patience);
}

}  // namespace jrpcheck::session
