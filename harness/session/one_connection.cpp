#include "session/one_connection.hpp"

#include <utility>

#include "session/forwarding_conversation.hpp"

namespace jrpcheck::session {
namespace {

class ConversationByTurns : public ForwardingConversation {
 public:
  ConversationByTurns(std::unique_ptr<Conversation> usual,
                      std::shared_ptr<OneConnection> connection)
      : ForwardingConversation(std::move(usual)), connection_(std::move(connection)) {}
  ~ConversationByTurns() override { connection_->forget(*this); }
  ConversationByTurns(const ConversationByTurns&) = delete;
  ConversationByTurns& operator=(const ConversationByTurns&) = delete;

  Result<bool> open(dialogue::Transcript& transcript) override {
    take_turn();
    return usual().open(transcript);
  }
  Result<bool> start_anew(dialogue::Transcript& transcript) override {
    take_turn();
    return usual().start_anew(transcript);
  }
  void step_aside() override {
    has_stepped_aside_ = has_stepped_aside_ || usable();
    usual().step_aside();
  }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    return_to_it();
    return usual().exchange(step, transcript);
  }
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    return_to_it();
    return usual().check_survival(transcript);
  }

 private:
  // True where it had been made to step aside.
  bool take_turn() {
    connection_->give_to(*this);
    return std::exchange(has_stepped_aside_, false);
  }
  // A server that has ended meanwhile did not die of what is said next, and comes back first.
  void return_to_it() {
    dialogue::Transcript aside;
    if (take_turn() && !usual().open(aside)) (void)usual().start_anew(aside);
  }

  std::shared_ptr<OneConnection> connection_;
  bool has_stepped_aside_ = false;  // from a connection that was usable
};

}  // namespace

void OneConnection::give_to(Conversation& one) {
  if (holder_ != nullptr && holder_ != &one) holder_->step_aside();
  holder_ = &one;
}

void OneConnection::forget(const Conversation& one) {
  if (holder_ == &one) holder_ = nullptr;
}

std::unique_ptr<Conversation> make_conversation_by_turns(
    std::unique_ptr<Conversation> usual, std::shared_ptr<OneConnection> connection) {
  return std::make_unique<ConversationByTurns>(std::move(usual), std::move(connection));
}

}  // namespace jrpcheck::session
