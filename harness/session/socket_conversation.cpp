#include "session/socket_conversation.hpp"

#include <utility>

namespace jrpcheck::session {
namespace {

// Behind the control calls of the case itself.
constexpr long long kProbingIds = 900;

bool nothing_came(const dialogue::Exchange& exchange) {
  return exchange.ending == dialogue::Ending::closed && exchange.replies.empty() &&
         exchange.noise.empty();
}

// What is shown as sent is what was answered.
void note_sent_again(std::size_t since, dialogue::Transcript& transcript) {
  using dialogue::Direction;
  const std::string why = "the connection was closed; sent again on another";
  for (std::size_t i = since; i < transcript.whole().size(); ++i) {
    const auto& event = transcript.whole()[i];
    if (event.direction == Direction::sent && event.note.empty()) {
      transcript.put_right(i, Direction::sent, why);
    }
  }
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
    return stream_->open(transcript);
  }
  Result<bool> start_anew(dialogue::Transcript& transcript) override {
    is_fresh_ = true;
    return stream_->start_anew(transcript);
  }
  void begin_case(long long first_control_id) override {
    next_probing_id_ = first_control_id + kProbingIds;
    stream_->begin_case(first_control_id);
  }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override;
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    is_fresh_ = false;
    return stream_->check_survival(transcript);
  }
  bool usable() const override { return stream_->usable(); }
  std::vector<LateAnswer> take_late_answers() override { return stream_->take_late_answers(); }
  std::optional<UnseenDeath> take_unseen_death() override { return stream_->take_unseen_death(); }
  unsigned long long server_generation() const override { return stream_->server_generation(); }
  void use_control_call(ControlCall call) override {
    settings_.control = call;
    stream_->use_control_call(std::move(call));
  }

 private:
  bool another_connection_serves(dialogue::Transcript& transcript);

  std::shared_ptr<transport::Peer> peer_;
  StreamSettings settings_;
  Patience& patience_;
  std::unique_ptr<Conversation> stream_;
  bool is_fresh_ = true;  // nothing has been sent on its connection
  long long next_probing_id_ = kProbingIds;
};

// What ends a server closes the connection likewise: it is not sent twice to one that has gone.
dialogue::Exchange SocketConversation::exchange(const corpus::Step& step,
                                                dialogue::Transcript& transcript) {
  const bool was_fresh = std::exchange(is_fresh_, false);
  const std::size_t sent_at = transcript.whole().size();
  dialogue::Exchange exchange = stream_->exchange(step, transcript);
  if (!nothing_came(exchange)) return exchange;
  dialogue::Transcript aside;
  if (!was_fresh && !exchange.on_new_connection) {
    if (!another_connection_serves(aside) || !stream_->open(aside)) return exchange;
    note_sent_again(sent_at, transcript);
    const std::string lost = std::move(exchange.lost_connection);
    exchange = stream_->exchange(step, transcript);
    exchange.on_new_connection = true;
    exchange.lost_connection = lost;
    if (!nothing_came(exchange)) return exchange;
  }
  exchange.control_answered = another_connection_serves(transcript);
  if (exchange.control_answered) {
    const auto& answer = transcript.whole().back();
    exchange.control_answer = dialogue::message_of(answer).text();
  }
  return exchange;
}

// The server, and not another one that has been started in its place meanwhile.
bool SocketConversation::another_connection_serves(dialogue::Transcript& transcript) {
  const auto generation = peer_->generation();
  const auto probe = make_stream_conversation(peer_, settings_, patience_);
  dialogue::Transcript aside;
  if (!probe->open(aside)) return false;
  const std::string call = settings_.control.text(next_probing_id_++);
  corpus::Step step;
  step.messages.push_back(call);
  const auto answer = probe->exchange(step, aside);
  const bool serves = answer.ending == dialogue::Ending::settled && !answer.replies.empty() &&
                      peer_->generation() == generation;
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
