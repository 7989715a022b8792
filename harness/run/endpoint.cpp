#include "run/endpoint.hpp"

#include <algorithm>
#include <utility>

#include "run/connections_served.hpp"
#include "run/empty_folder.hpp"
#include "run/mixed_up_calls.hpp"
#include "run/own_options.hpp"
#include "run/peer_endpoint.hpp"
#include "session/http_conversation.hpp"
#include "session/socket_conversation.hpp"
#include "session/stream_conversation.hpp"
#include "session/tls_conversation.hpp"
#include "session/turned_away.hpp"

namespace jrpcheck::run {
namespace {

// Of what a server asks of its own where a case refuses it.
constexpr const char* kRefused = R"("error":{"code":-32603,"message":"Refused"})";

// Behind the calls by which it was found.
constexpr long long kFirstHeldId = 4'510'001;

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

}  // namespace

PeerEndpoint::PeerEndpoint(const Options& options, session::Patience& patience,
                           transport::Guardian& guardian)
    : options_(options),
      patience_(patience),
      guardian_(guardian),
      server_(options.target ? server_at(options, guardian) : nullptr),
      control_(unknown_control_call()) {
  if (options.start_timeout) patience_.give_whole_start();
  if (server_ && options.one_connection_at_a_time) {
    server_->note_one_more(transport::Peer::OneMore::turned_away);
  }
}

std::unique_ptr<session::Conversation> PeerEndpoint::converse_apart(const corpus::Case& one) {
  const bool is_bare = one.session == corpus::Case::Session::bare;
  session::Opening opening = is_bare ? bare_opening() : options_.opening;
  opening.listens = is_bare;
  for (const auto& method : one.refuses) opening.answers[method] = kRefused;
  return converse(patience_, opening);
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

std::unique_ptr<session::Conversation> PeerEndpoint::converse(
    session::Patience& patience, const session::Opening& opening) const {
  auto conversation = converse_alone(patience, opening);
  if (!one_connection_) return conversation;
  return session::make_conversation_by_turns(std::move(conversation), one_connection_);
}

std::unique_ptr<session::Conversation> PeerEndpoint::converse_alone(
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
  if (one_connection_ || server_->turns_others_away()) return false;
  // One that is slow on every connection keeps none waiting.
  constexpr int kAnyRoundTrips = 4;
  const microseconds wait =
      std::max<microseconds>(kSecondConnection, kAnyRoundTrips * patience_.round_trip());
  session::Patience brief(std::min(wait, patience_.timeout()));
  brief.note_first_answer();
  bool is_closed = false;
  const bool serves = serves_second_connection([&] { return converse(brief, options_.opening); },
                                               control_, is_closed);
  if (is_closed) server_->note_refusal();
  return serves;
}

bool PeerEndpoint::turns_others_away(session::Conversation& held) {
  // As many as cases and the calls beside them may have open, by far.
  constexpr std::size_t kLanesOfEach = 6;
  constexpr int kUsualJobs = 4;
  if (!server_ || !binding_->on_sockets) return false;
  if (server_->turns_others_away()) return true;
  long long id = kFirstHeldId;
  const auto is_served = [&](bool is_to_stand) {
    auto call = corpus::step_sending(control_.text(id++));
    call.same_connection = true;
    dialogue::Transcript aside;
    const auto exchange = held.exchange(call, aside);
    return exchange.ending == dialogue::Ending::settled &&
           !(is_to_stand && exchange.on_new_connection);
  };
  const auto jobs = static_cast<std::size_t>(std::max(options_.jobs, kUsualJobs));
  const bool is_so = is_served(false) && session::turns_others_away(
                                             *server_, stream_settings(options_.opening), patience_,
                                             kLanesOfEach * jobs, [&] { return is_served(true); });
  server_->note_refusal(false);
  if (!is_so) return false;
  server_->note_one_more(transport::Peer::OneMore::turned_away);
  // Who lets in nobody any more would do so as well.
  held.step_aside();
  if (is_served(false)) return true;
  server_->note_one_more(transport::Peer::OneMore::not_turned_away);
  return false;
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

void PeerEndpoint::adapt(corpus::Step& step) const {
  name_folder(options_, step);
  give_own_options(options_, step);
}

std::optional<StreamAccess> PeerEndpoint::stream_access() {
  const bool is_served = server_ && binding_->is_stream() && options_.opening.messages.empty();
  if (!is_served || serves_one_call() || !serves_several()) return std::nullopt;
  return StreamAccess{server_, stream_settings(options_.opening)};
}

std::optional<HttpAccess> PeerEndpoint::http_access() {
  const bool is_plain = server_ && binding_->pairs_replies && options_.opening.messages.empty() &&
                        !has_endpoint_stream_ && !asks_for_streams_ && !server_->mixes_up_calls();
  if (!is_plain || !serves_several()) return std::nullopt;
  return HttpAccess{server_, http_settings(options_.opening)};
}

std::string PeerEndpoint::reproduce(const corpus::Case& bound,
                                    const std::vector<std::string>& answers) const {
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

std::unique_ptr<Endpoint> make_endpoint(const Options& options, session::Patience& patience,
                                        transport::Guardian& guardian) {
  return std::make_unique<PeerEndpoint>(options, patience, guardian);
}

}  // namespace jrpcheck::run
