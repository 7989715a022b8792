#include "run/endpoint.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "run/await_start.hpp"
#include "run/connections_served.hpp"
#include "run/eavesdropper.hpp"
#include "run/empty_folder.hpp"
#include "run/framing_discovery.hpp"
#include "run/http_triage.hpp"
#include "run/mixed_up_calls.hpp"
#include "run/own_options.hpp"
#include "run/reproduce.hpp"
#include "run/websocket_triage.hpp"
#include "session/http_conversation.hpp"
#include "session/socket_conversation.hpp"
#include "session/stream_conversation.hpp"
#include "session/tls_conversation.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::run {
namespace {

// A server that serves one connection at a time leaves a second one waiting; one that serves
// several answers it within any ordinary round trip.
constexpr milliseconds kSecondConnection{1000};

// Of what a server asks of its own where a case refuses it.
constexpr const char* kRefused = R"("error":{"code":-32603,"message":"Refused"})";

// A program that ends for what it was sent has ended by then.
constexpr milliseconds kDying{100};

// At one that does not serve yet.
constexpr milliseconds kUntilNextLook{100};

// What departs from TLS as it is usually spoken nobody types.
bool departs_from_tls(const corpus::Step& step) {
  constexpr std::size_t kLargestRecord = 16384;  // RFC 8446 §5.1: no departure
  wire::TlsDetails details = step.tls.value_or(wire::TlsDetails{});
  details.half_closes = false;
  if (details.record_bytes == kLargestRecord) details.record_bytes = 0;
  return details != wire::TlsDetails{};
}

std::shared_ptr<transport::Peer> server_at(const Options& options, transport::Guardian& guardian) {
  auto place = options.target->place();
  return options.command.empty()
             ? transport::make_server_peer(std::move(place))
             : transport::make_server_peer(std::move(place), options.command, guardian);
}

// A peer, and the binding that is spoken with it.
class PeerEndpoint : public Endpoint {
 public:
  PeerEndpoint(const Options& options, session::Patience& patience, transport::Guardian& guardian)
      : options_(options),
        patience_(patience),
        guardian_(guardian),
        server_(options.target ? server_at(options, guardian) : nullptr),
        control_(unknown_control_call()) {
    if (options.start_timeout) patience_.give_whole_start();
  }

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

  std::unique_ptr<session::Conversation> converse_apart(const corpus::Case& one) override {
    const bool is_bare = one.session == corpus::Case::Session::bare;
    session::Opening opening = is_bare ? bare_opening() : options_.opening;
    opening.listens = is_bare;
    for (const auto& method : one.refuses) opening.answers[method] = kRefused;
    return converse(patience_, opening);
  }

  const wire::Binding& binding() const override { return *binding_; }
  std::string_view transport() const override { return transport_of(options_); }
  bool is_shared() const override { return server_ != nullptr; }
  bool serves_several() override;
  bool serves_one_call() override;
  std::optional<std::string> find_mixed_up_calls() override;
  std::optional<pid_t> process_group() const override {
    const auto program = server_ ? server_->program() : nullptr;
    return program ? program->group() : std::nullopt;
  }
  std::string text() const override {
    return options_.target ? options_.target->redacted : shell_line(options_.command);
  }
  void adapt(corpus::Step& step) const override {
    name_folder(options_, step);
    give_own_options(options_, step);
  }
  void note_opening(const std::vector<dialogue::Event>& events) override { opened_ = events; }
  std::string reproduce(const corpus::Case& bound,
                        const std::vector<std::string>& answers) const override {
    if (std::ranges::any_of(bound.steps, departs_from_tls)) return {};
    if (binding_->is_upgrade) {
      return websocket_lines(bound, upgrade_settings(), options_.opening, by_hand());
    }
    if (!binding_->is_stream()) {
      return curl_lines(bound, *options_.target, options_.headers, http_by_hand());
    }
    const bool is_bare = bound.session == corpus::Case::Session::bare;
    if (!is_bare && asks_under_ids_by_lot(opened_)) return {};
    return pipe_line(bound, *binding_, options_.opening, by_hand(), {opened_, answers});
  }
  void use_control_call(session::ControlCall call) override { control_ = std::move(call); }
  const session::ControlCall& control_call() const override { return control_; }
  std::optional<StreamAccess> stream_access() override {
    const bool is_served = server_ && binding_->is_stream() && options_.opening.messages.empty();
    if (!is_served || serves_one_call() || !serves_several()) return std::nullopt;
    return StreamAccess{server_, stream_settings(options_.opening)};
  }
  std::optional<HttpAccess> http_access() override {
    const bool is_plain = server_ && binding_->pairs_replies && options_.opening.messages.empty() &&
                          !has_endpoint_stream_ && !asks_for_streams_ && !server_->mixes_up_calls();
    if (!is_plain || !serves_several()) return std::nullopt;
    return HttpAccess{server_, http_settings(options_.opening)};
  }

 private:
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
  std::unique_ptr<session::Conversation> converse_with(std::shared_ptr<transport::Peer> there,
                                                       session::Patience& patience,
                                                       const session::Opening& opening) const;
  Result<bool> look_for_server();
  Result<bool> find_binding();
  Result<bool> find_binding_on_sockets();
  void take_framing(const FoundFraming& found);
  Result<bool> look_who_is_there();
  bool has_come_up_since(const Triage& triage, Clock::time_point begin);
  bool may_come_up_by(Deadline deadline) const;
  void note_when_it_served();
  corpus::HttpHabits http_habits() const;
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

Result<bool> PeerEndpoint::reach() {
  const auto begin = Clock::now();
  auto reached = look_for_server();
  if (!reached || !server_ || control_.not_yet.empty()) return reached;
  reached = await_start(*converse_bare(), control_, Deadline::at(begin + options_.start_bound()));
  if (reached && !options_.command.empty()) {
    patience_.learn_start_up(time_since(begin));
  }
  return reached;
}

Result<bool> PeerEndpoint::look_for_server() {
  if (server_) {
    started_at_ = Clock::now();
    auto started = server_->start(Deadline::in(patience_.for_start()));
    if (!started) return started;
    if (!options_.command.empty()) {
      patience_.learn_start_up(time_since(started_at_));
    }
  }
  if (auto found = find_binding(); !found) return found;
  if (options_.target) {
    binding_ = &wire::behind_door(*binding_, options_.target->scheme->door_class);
  }
  if (binding_->is_upgrade) return look_for_websocket();
  return binding_->pairs_replies ? look_who_is_there() : true;
}

Result<bool> PeerEndpoint::look_who_is_there() {
  // Of who says nothing that is found out while there is time left for an answer.
  std::optional<bool> by_websocket;
  const auto begin = Clock::now();
  const auto look = [&] {
    return triage_http(*server_, options_, control_, Deadline::in(patience_.for_first_answer()),
                       [&] { by_websocket = answers_upgrades(); });
  };
  auto triage = look();
  if (has_come_up_since(triage, begin)) triage = look();
  if (triage.stranger) {
    if (!by_websocket) by_websocket = answers_upgrades();
    return refuse(*by_websocket ? on_websocket(*triage.stranger) : *triage.stranger);
  }
  first_calls_ = std::move(triage.first_calls);
  if (triage.has_answered) note_when_it_served();
  if (triage.has_answered || triage.is_silent) note_first_answer(triage.has_answered, begin);
  if (triage.by_event_stream) {
    binding_ = &wire::on_event_streams(*binding_);
    has_endpoint_stream_ = triage.has_endpoint_stream;
    asks_for_streams_ = true;
  }
  // A stream that it has opened shows that it serves.
  return revived_where_it_has_ended(triage.has_answered || triage.has_endpoint_stream);
}

// A program that was started here may say for a while that it serves nothing yet, or who stands in
// front of it. Whether it has said so, and serves now.
bool PeerEndpoint::has_come_up_since(const Triage& triage, Clock::time_point begin) {
  const bool is_stranger = triage.stranger && !triage.stranger->may_come_up;
  const bool has_been_told =
      is_stranger || triage.has_answered || triage.is_silent || triage.has_endpoint_stream;
  if (has_been_told || options_.command.empty()) return false;
  const UntilServed until{Deadline::at(begin + options_.start_bound()),
                          Deadline::at(begin + patience_.for_first_answer()), [this] {
                            const auto program = server_->program();
                            return !program || program->ended(Deadline::in(milliseconds(0)));
                          }};
  if (!await_service(*converse_bare(), control_, until)) return false;
  patience_.learn_start_up(time_since(begin));
  return true;
}

// After a moment, where it is a program that was started here and goes on.
bool PeerEndpoint::may_come_up_by(Deadline deadline) const {
  const auto program = server_->program();
  if (!program || deadline.passed() || is_interrupted()) return false;
  return !program->ended(Deadline::earlier(deadline, Deadline::in(kUntilNextLook)));
}

// One that listens long before it serves needs as long when it is started anew.
void PeerEndpoint::note_when_it_served() {
  const auto needed = time_since(started_at_);
  if (!options_.command.empty() && needed > patience_.timeout()) patience_.learn_start_up(needed);
}

void PeerEndpoint::note_first_answer(bool has_come, Clock::time_point begin) {
  if (has_come) return patience_.note_first_answer();
  patience_.note_waited(time_since(begin));
}

// Read anew each time: who finds out what is spoken changes them meanwhile. Who answers by event
// streams those who take them is asked for them.
corpus::HttpHabits PeerEndpoint::http_habits() const {
  corpus::HttpHabits habits = options_.http_habits;
  const bool is_said =
      wire::field_of(options_.headers, "Accept") || wire::field_of(habits.fields, "Accept");
  if (asks_for_streams_ && !is_said) {
    habits.fields.emplace_back("Accept", "application/json, text/event-stream");
  }
  return habits;
}

// Who speaks no JSON-RPC over HTTP may do so over WebSocket at the same place.
bool PeerEndpoint::answers_upgrades() const {
  return speaks_websocket(options_.target->place().dial, upgrade_settings(),
                          Deadline::in(kSecondConnection));
}

Stranger PeerEndpoint::on_websocket(Stranger stranger) const {
  const std::string url = options_.target->by(wire::first_that(&wire::Binding::is_upgrade)).url();
  // Another path of HTTP is wanted by nobody then, and a login may still be.
  if (stranger.may_be_elsewhere || stranger.is_silent) stranger.advice.clear();
  stranger.advice.insert(stranger.advice.end(),
                         {"WebSocket is spoken there:", command_for(options_, url)});
  return stranger;
}

// What a call does to it is found out by the cases.
Result<bool> PeerEndpoint::revived_where_it_has_ended(bool has_answered) {
  const auto program = server_->program();
  if (program && program->ended(Deadline::in(has_answered ? milliseconds(0) : kDying))) {
    return server_->revive(server_->generation(), Deadline::in(patience_.for_start()));
  }
  return true;
}

Result<bool> PeerEndpoint::look_for_websocket() {
  const Deadline deadline = Deadline::in(patience_.for_first_answer());
  const auto look = [&] {
    return triage_websocket(*server_, options_, upgrade_settings(), control_, deadline);
  };
  auto triage = look();
  while (triage.stranger && triage.stranger->may_come_up && may_come_up_by(deadline)) {
    triage = look();
  }
  if (triage.stranger) return refuse(*triage.stranger);
  first_calls_ = std::move(triage.first_calls);
  if (triage.has_answered) {
    note_when_it_served();
    patience_.note_first_answer();
  }
  return revived_where_it_has_ended(triage.has_answered);
}

Error PeerEndpoint::refuse(const Stranger& stranger) {
  if (!stranger.is_nobody) ending_ = result::RunVerdict::not_json_rpc;
  return Error{stranger.text(text())};
}

Result<bool> PeerEndpoint::find_binding() {
  if (options_.target && !options_.target->scheme->binding.empty()) {
    binding_ = &wire::known_binding(options_.target->scheme->binding);
  } else if (options_.framing != nullptr) {
    binding_ = server_ ? &wire::on_sockets(*options_.framing) : options_.framing;
  } else if (options_.heard_in.binding != nullptr) {
    take_framing(options_.heard_in);
  } else if (server_) {
    return find_binding_on_sockets();
  } else {
    const auto begin = Clock::now();
    const Deadline deadline = Deadline::in(patience_.for_first_answer());
    const auto there = peer();
    Eavesdropper eavesdropper(*there, options_, control_);
    const auto found = discover_framing(eavesdropper, options_.command.front(), options_.opening,
                                        options_.greetings, control_, deadline);
    if (eavesdropper.stranger()) return refuse(*eavesdropper.stranger());
    if (!found) return found.error();
    // That it comes up has been waited for, and in vain: once is enough.
    if (deadline.passed() && found->until_answer.count() == 0) {
      if (const auto stranger = eavesdropper.supposed()) return refuse(*stranger);
      patience_.note_silence();
      note_first_answer(false, begin);
    }
    if (found->until_answer.count() > 0) {
      take_framing(*found);
    } else {
      binding_ = found->binding;
    }
  }
  return true;
}

Result<bool> PeerEndpoint::find_binding_on_sockets() {
  Eavesdropper eavesdropper(*server_, options_, control_);
  const auto begin = Clock::now();
  const Deadline deadline = Deadline::in(patience_.for_first_answer());
  const auto look = [&] {
    return discover_framing_on_sockets(eavesdropper, text(), options_.opening, control_,
                                       patience_.timeout(), first_calls_);
  };
  auto found = look();
  const auto has_said_nothing = [&] {
    if (eavesdropper.stranger() || (found && *found != nullptr)) return false;
    const auto stranger = eavesdropper.by_first_words();
    return stranger && stranger->is_silent;
  };
  while (has_said_nothing() && may_come_up_by(deadline)) found = look();
  if (eavesdropper.stranger()) return refuse(*eavesdropper.stranger());
  // The head of its refusal has a length, as a frame has.
  if (const auto of_http = eavesdropper.speaks_http()) return refuse(*of_http);
  if (!found || *found == nullptr) {
    const auto stranger = eavesdropper.by_first_words();
    // Who closes every connection says nothing either, and the error tells more.
    if (stranger && !(stranger->is_silent && !found)) return refuse(*stranger);
  }
  if (!found) return found.error();
  if (*found == nullptr) {
    note_first_answer(false, begin);
    binding_ = &wire::on_sockets(wire::default_stream_binding());
  } else {
    note_when_it_served();
    take_framing({.binding = *found});
  }
  // What is no message to it may have ended it, when it was tried in another framing.
  const bool serves_on =
      server_->program() == nullptr || server_->connect(Deadline::in(kSecondConnection));
  return revived_where_it_has_ended(serves_on);
}

void PeerEndpoint::take_framing(const FoundFraming& found) {
  if (found.until_answer.count() > 0) patience_.learn_start_up(found.until_answer);
  binding_ = found.binding;
  heard_in_ = found;
}

std::unique_ptr<session::Conversation> PeerEndpoint::converse(
    session::Patience& patience, const session::Opening& opening) const {
  if (!options_.target || !options_.target->scheme->over_tls) {
    return converse_with(peer(), patience, opening);
  }
  return session::make_tls_conversation(
      converse_with(peer(), patience, opening), *options_.target,
      [this, &patience, opening](std::shared_ptr<transport::Peer> other) {
        return converse_with(std::move(other), patience, opening);
      },
      patience);
}

std::unique_ptr<session::Conversation> PeerEndpoint::converse_with(
    std::shared_ptr<transport::Peer> there, session::Patience& patience,
    const session::Opening& opening) const {
  if (binding_->is_stream()) {
    const auto make = binding_->on_sockets ? session::make_socket_conversation
                                           : session::make_stream_conversation;
    return make(std::move(there), stream_settings(opening), patience);
  }
  return session::make_http_conversation(std::move(there), http_settings(opening), patience);
}

bool PeerEndpoint::serves_several() {
  if (!server_) return true;
  // One that is slow on every connection keeps none waiting.
  constexpr int kAnyRoundTrips = 4;
  const microseconds wait =
      std::max<microseconds>(kSecondConnection, kAnyRoundTrips * patience_.round_trip());
  session::Patience brief(std::min(wait, patience_.timeout()));
  brief.note_first_answer();
  return serves_second_connection([&] { return converse(brief, options_.opening); }, control_);
}

bool PeerEndpoint::serves_one_call() {
  return binding_->on_sockets && run::serves_one_call(*converse(), control_);
}

std::optional<std::string> PeerEndpoint::find_mixed_up_calls() {
  if (!binding_->pairs_replies) return std::nullopt;
  // Who leaves one of these calls unanswered is none of those that are looked for.
  session::Patience brief(std::min<microseconds>(session::Patience::kForSlow, patience_.timeout()));
  brief.note_first_answer();
  auto stale =
      run::find_mixed_up_calls([&] { return converse(brief, options_.opening); }, control_);
  if (stale) server_->note_mixed_up_calls();
  return stale;
}

}  // namespace

std::unique_ptr<Endpoint> make_endpoint(const Options& options, session::Patience& patience,
                                        transport::Guardian& guardian) {
  return std::make_unique<PeerEndpoint>(options, patience, guardian);
}

}  // namespace jrpcheck::run
