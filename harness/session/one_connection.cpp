#include "session/one_connection.hpp"

#include <utility>

namespace jrpcheck::session {
namespace {

class ConversationByTurns : public Conversation {
 public:
  ConversationByTurns(std::unique_ptr<Conversation> usual,
                      std::shared_ptr<OneConnection> connection)
      : usual_(std::move(usual)), connection_(std::move(connection)) {}
  ~ConversationByTurns() override { connection_->forget(*this); }
  ConversationByTurns(const ConversationByTurns&) = delete;
  ConversationByTurns& operator=(const ConversationByTurns&) = delete;

  Result<bool> open(dialogue::Transcript& transcript) override {
    take_turn();
    return usual_->open(transcript);
  }
  Result<bool> start_anew(dialogue::Transcript& transcript) override {
    take_turn();
    return usual_->start_anew(transcript);
  }
  void step_aside() override {
    has_stepped_aside_ = has_stepped_aside_ || usual_->usable();
    usual_->step_aside();
  }
  void begin_case(long long first_control_id) override { usual_->begin_case(first_control_id); }
  void name_own_folder(corpus::Step& step) const override { usual_->name_own_folder(step); }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    return_to_it();
    return usual_->exchange(step, transcript);
  }
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    return_to_it();
    return usual_->check_survival(transcript);
  }
  bool usable() const override { return usual_->usable(); }
  std::vector<LateAnswer> take_late_answers() override { return usual_->take_late_answers(); }
  std::optional<UnseenDeath> take_unseen_death() override { return usual_->take_unseen_death(); }
  unsigned long long server_generation() const override { return usual_->server_generation(); }
  void use_control_call(ControlCall call) override { usual_->use_control_call(std::move(call)); }

 private:
  // True where it had been made to step aside.
  bool take_turn() {
    connection_->give_to(*this);
    return std::exchange(has_stepped_aside_, false);
  }
  // A server that has ended meanwhile did not die of what is said next, and comes back first.
  void return_to_it() {
    dialogue::Transcript aside;
    if (take_turn() && !usual_->open(aside)) (void)usual_->start_anew(aside);
  }

  std::unique_ptr<Conversation> usual_;
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
