// A server that is a function of this program, as an endpoint: everything of a run but a transport.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <jrpcheck/judge.hpp>
#include "run/endpoint.hpp"

namespace jrpcheck::embed {

/// Gives every message to the function. What that throws is the end of the server, which is there
/// again for the next message.
class HandlerConversation : public session::Conversation {
 public:
  HandlerConversation(Handler handler, session::ControlCall control)
      : handler_(std::move(handler)), control_(std::move(control)) {}

  Result<bool> open(dialogue::Transcript&) override { return true; }
  void begin_case(long long first_control_id) override { control_id_ = first_control_id; }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override;
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override;
  bool usable() const override { return true; }
  unsigned long long server_generation() const override { return generation_; }
  void use_control_call(session::ControlCall call) override { control_ = std::move(call); }

 private:
  /// What came back for a message, or what was thrown.
  struct Answer {
    std::optional<std::string> reply;
    std::string thrown;
  };
  Answer ask(const std::string& message, dialogue::Transcript& transcript) const;

  Handler handler_;
  session::ControlCall control_;
  long long control_id_ = 1;
  unsigned long long generation_ = 0;
  std::string thrown_;  // by the last exchange
};

class HandlerEndpoint : public run::Endpoint {
 public:
  HandlerEndpoint(Handler handler, session::ControlCall control)
      : handler_(std::move(handler)), control_(std::move(control)) {}

  Result<bool> reach() override { return true; }
  std::unique_ptr<session::Conversation> converse() override {
    return std::make_unique<HandlerConversation>(handler_, control_);
  }
  /// Like a stream on which every message arrives whole, and silence is nothing but silence.
  const wire::Binding& binding() const override { return wire::default_stream_binding(); }
  std::string_view transport() const override { return "handler"; }
  bool is_shared() const override { return true; }
  bool serves_several() override { return false; }
  std::string text() const override { return "handler"; }
  std::string reproduce(const corpus::Case&, const std::vector<std::string>&) const override {
    return {};
  }
  void use_control_call(session::ControlCall call) override { control_ = std::move(call); }
  const session::ControlCall& control_call() const override { return control_; }

 private:
  Handler handler_;
  session::ControlCall control_;
};

}  // namespace jrpcheck::embed
