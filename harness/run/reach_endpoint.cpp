// How an endpoint is reached for the first time, and what it is found to speak.
#include <utility>

#include "base/interruption.hpp"
#include "run/await_start.hpp"
#include "run/eavesdropper.hpp"
#include "run/framing_discovery.hpp"
#include "run/peer_endpoint.hpp"
#include "run/websocket_triage.hpp"

namespace jrpcheck::run {
namespace {

// A program that ends for what it was sent has ended by then.
constexpr milliseconds kDying{100};

// At one that does not serve yet.
constexpr milliseconds kUntilNextLook{100};

}  // namespace

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

}  // namespace jrpcheck::run
