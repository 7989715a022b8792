// A conversation that stands around another one.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "session/conversation.hpp"

namespace jrpcheck::session {

/// Passes everything on. Those that derive from it say what they do otherwise.
class ForwardingConversation : public Conversation {
 public:
  explicit ForwardingConversation(std::unique_ptr<Conversation> usual) : usual_(std::move(usual)) {}

  Result<bool> open(dialogue::Transcript& transcript) override { return usual_->open(transcript); }
  Result<bool> start_anew(dialogue::Transcript& transcript) override {
    return usual_->start_anew(transcript);
  }
  void step_aside() override { usual_->step_aside(); }
  void begin_case(long long first_control_id) override { usual_->begin_case(first_control_id); }
  void name_own_folder(corpus::Step& step) const override { usual_->name_own_folder(step); }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    return usual_->exchange(step, transcript);
  }
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    return usual_->check_survival(transcript);
  }
  bool usable() const override { return usual_->usable(); }
  std::vector<LateAnswer> take_late_answers() override { return usual_->take_late_answers(); }
  std::optional<UnseenDeath> take_unseen_death() override { return usual_->take_unseen_death(); }
  unsigned long long server_generation() const override { return usual_->server_generation(); }
  void use_control_call(ControlCall call) override { usual_->use_control_call(std::move(call)); }

 protected:
  Conversation& usual() const { return *usual_; }

 private:
  std::unique_ptr<Conversation> usual_;
};

}  // namespace jrpcheck::session
