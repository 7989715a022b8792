// The endpoint that is a peer: a program, or a server at an address.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "run/endpoint.hpp"
#include "run/http_triage.hpp"
#include "run/reproduce.hpp"
#include "run/stranger.hpp"
#include "session/one_connection.hpp"

namespace jrpcheck::run {

/// A peer, and the binding that is spoken with it.
class PeerEndpoint : public Endpoint {
 public:
  PeerEndpoint(const Options& options, session::Patience& patience, transport::Guardian& guardian);

  Result<bool> reach() override;
  result::RunVerdict ending() const override { return ending_; }
  FoundFraming heard_in() const override { return heard_in_; }
  FirstCalls first_calls() const override { return first_calls_; }
  std::unique_ptr<session::Conversation> converse() override {
    return converse(patience_, options_.opening);
  }
  std::unique_ptr<session::Conversation> converse_bare() override {
    return converse(patience_, bare_opening());
  }
  std::unique_ptr<session::Conversation> converse_apart(const corpus::Case& one) override;

  const wire::Binding& binding() const override { return *binding_; }
  std::string_view transport() const override { return transport_of(options_); }
  bool is_shared() const override { return server_ != nullptr; }
  bool serves_several() override;
  bool has_turned_away() const override {
    return server_ && (server_->has_refused() || server_->turns_others_away());
  }
  bool turns_others_away(session::Conversation& held) override;
  void share_one_connection() override {
    if (server_) one_connection_ = std::make_shared<session::OneConnection>();
  }
  bool serves_one_call() override;
  std::optional<std::string> find_mixed_up_calls() override;
  std::optional<pid_t> process_group() const override {
    const auto program = server_ ? server_->program() : nullptr;
    return program ? program->group() : std::nullopt;
  }
  std::string text() const override {
    return options_.target ? options_.target->redacted : shell_line(options_.command);
  }
  void adapt(corpus::Step& step) const override;
  void note_opening(const std::vector<dialogue::Event>& events) override { opened_ = events; }
  std::string reproduce(const corpus::Case& bound,
                        const std::vector<std::string>& answers) const override;
  void use_control_call(session::ControlCall call) override { control_ = std::move(call); }
  const session::ControlCall& control_call() const override { return control_; }
  std::optional<StreamAccess> stream_access() override;
  std::optional<HttpAccess> http_access() override;

 private:
  // A server that serves one connection at a time leaves a second one waiting; one that serves
  // several answers it within any ordinary round trip.
  static constexpr milliseconds kSecondConnection{1000};

  session::Opening bare_opening() const {
    session::Opening opening = options_.opening;
    opening.is_withheld = !opening.messages.empty();
    opening.messages.clear();
    return opening;
  }
  // What takes a stream of bytes to it.
  WayByHand by_hand() const {
    return options_.target ? way_to(*options_.target) : way_into(shell_line(options_.command));
  }
  HttpByHand http_by_hand() const {
    return {http_habits(), options_.opening.messages, has_endpoint_stream_};
  }
  session::StreamSettings stream_settings(const session::Opening& opening) const {
    session::StreamSettings settings{binding_, opening, control_};
    if (binding_->is_upgrade) settings.upgrade = upgrade_settings();
    return settings;
  }
  session::HttpSettings http_settings(const session::Opening& opening) const {
    return {*options_.target,     options_.headers,    opening, control_, http_habits(),
            has_endpoint_stream_, options_.tell_cookie};
  }
  session::UpgradeSettings upgrade_settings() const {
    return {.target = *options_.target,
            .extra_fields = options_.headers,
            .subprotocols = options_.subprotocols,
            .tell_cookie = options_.tell_cookie};
  }
  std::shared_ptr<transport::Peer> peer() const {
    if (server_) return server_;
    return transport::make_program_peer(options_.command, guardian_, options_.gives_folders);
  }
  std::unique_ptr<session::Conversation> converse(session::Patience& patience,
                                                  const session::Opening& opening) const;
  std::unique_ptr<session::Conversation> converse_alone(session::Patience& patience,
                                                        const session::Opening& opening) const;
  std::unique_ptr<session::Conversation> converse_with(std::shared_ptr<transport::Peer> there,
                                                       session::Patience& patience,
                                                       const session::Opening& opening) const;
  corpus::HttpHabits http_habits() const;

  // How it is reached: reach_endpoint.cpp.
  Result<bool> look_for_server();
  Result<bool> find_binding();
  Result<bool> find_binding_on_sockets();
  void take_framing(const FoundFraming& found);
  Result<bool> look_who_is_there();
  bool has_come_up_since(const Triage& triage, Clock::time_point begin);
  bool may_come_up_by(Deadline deadline) const;
  void note_when_it_served();
  Result<bool> look_for_websocket();
  bool answers_upgrades() const;
  Stranger on_websocket(Stranger stranger) const;
  Result<bool> revived_where_it_has_ended(bool has_answered);
  Error refuse(const Stranger& stranger);
  void note_first_answer(bool has_come, Clock::time_point begin);

  const Options& options_;
  session::Patience& patience_;
  transport::Guardian& guardian_;
  std::shared_ptr<transport::Peer> server_;  // null: each conversation has a program of its own
  std::shared_ptr<session::OneConnection> one_connection_;  // null: each has its own
  bool asks_for_streams_ = false;
  bool has_endpoint_stream_ = false;
  const wire::Binding* binding_ = &wire::default_stream_binding();
  session::ControlCall control_;
  result::RunVerdict ending_ = result::RunVerdict::unreachable;
  FirstCalls first_calls_;
  FoundFraming heard_in_;
  std::vector<dialogue::Event> opened_;
  Clock::time_point started_at_;  // its program, where that was started here
};

}  // namespace jrpcheck::run
