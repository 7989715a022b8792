#include "run/recognise_protocol.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "corpus/catalogue.hpp"
#include "run/case_verdict.hpp"
#include "run/find_version.hpp"
#include "run/prober.hpp"

namespace jrpcheck::run {
namespace {

// What to do about a server that refuses the handshake of a protocol.
std::string hint_at(const corpus::Profile& profile, const std::string& refusal) {
  constexpr std::size_t kMostShown = 300;
  return fmt::format(
      "The server knows the call by which {} begins, and refuses it: {}. If it speaks that "
      "protocol, "
      "--profile {} --opening FILE judges it so, where FILE has the messages of a handshake that "
      "it "
      "takes; here it is judged by JSON-RPC alone.",
      profile.title, to_visible(refusal, kMostShown), profile.name);
}

// One of an older or newer version than those that have a profile (MCP 2024-11-05) is no plain
// server of JSON-RPC, which nobody would know of otherwise.
std::string hint_at_version(const corpus::Profile& profile, const std::string& note) {
  return fmt::format(
      "{} It takes the call by which {} begins, and is judged by JSON-RPC alone; --opening {} "
      "sends "
      "it first.",
      note, profile.title, profile.name);
}

std::string hint_at_result(const corpus::Profile& profile) {
  return fmt::format(
      "The server serves the call by which {} begins, and its result does not show that it speaks "
      "that protocol; --profile {} judges it by that, here it is judged by JSON-RPC alone.",
      profile.title, profile.name);
}

// A server that keeps silent, or ends, before its handshake is met with that: the last probe of its
// protocol, which has no newer one behind it.
Greetings greetings_of_protocols() {
  Greetings greetings;
  for (const auto& profile : corpus::embedded_profiles()) {
    if (profile.detection.empty() || !profile.version.empty() || profile.opening.empty()) continue;
    for (const auto& binding : profile.spoken_on) {
      greetings.emplace(binding, profile.detection.back().message);
    }
  }
  return greetings;
}

}  // namespace

// A framing that no protocol has made its own is spoken by its protocols on standard output alone
// (MCP basic/transports).
bool is_looked_for_on(const wire::Binding& binding, const corpus::Profile& profile) {
  const bool is_a_way_of_its_own = !binding.on_sockets || !binding.requirement_class.empty();
  const auto& names = profile.spoken_on;
  return is_a_way_of_its_own && contains(names, binding.name);
}

SpokenProtocol protocol_spoken(const corpus::Profile& profile, Endpoint& endpoint,
                               session::Patience& patience, transport::Guardian& guardian) {
  const bool may_be_it = !profile.detection.empty() && profile.version.empty() &&
                         is_looked_for_on(endpoint.binding(), profile);
  if (!may_be_it) return {};
  Prober prober(endpoint, patience, guardian);
  const auto found = ask_for_version(profile, prober, VersionOf::anybody);
  if (!found) return {};
  if (!found->version.empty()) return {profile.family + "-" + found->version};
  if (found->is_spoken) return {profile.family};
  SpokenProtocol none{{}, {}, prober.first_calls()};
  none.ended_by = prober.ended_by();
  const auto& last = profile.detection.back();
  if (!profile.opening.empty() && prober.has_left_out(last)) none.left_out = last.message;
  if (!found->refusal.empty()) {
    none.hint = hint_at(profile, found->refusal);
  } else if (!found->note.empty()) {
    none.hint = hint_at_version(profile, found->note);
  } else if (found->is_taken_otherwise) {
    none.hint = hint_at_result(profile);
  }
  return none;
}

// Each call is owed an answer (JSON-RPC 2.0 §5), and no case of JSON-RPC alone makes this one.
LongWait wait_longer_for(const std::string& call, Endpoint& endpoint) {
  const auto conversation = endpoint.converse();
  dialogue::Transcript transcript;
  if (dialogue::Transcript aside; !conversation->open(aside)) return {};
  const auto exchange = conversation->exchange(corpus::step_sending(call), transcript);
  if (!exchange.replies.empty()) return {.was_answered = true};
  if (!exchange.noise.empty() || exchange.ending != dialogue::Ending::timed_out) return {};
  dialogue::Transcript aside;
  const bool serves_others =
      exchange.control_answered ||
      conversation->check_survival(aside).survival == dialogue::Survival::alive;
  if (!serves_others) return {};
  return {.left_out = FirstCall{call, {}, silence_in(exchange, transcript)}};
}

std::optional<FirstCall> ends_of(const std::string& call, Endpoint& endpoint) {
  const auto conversation = endpoint.converse();
  dialogue::Transcript transcript;
  if (dialogue::Transcript aside; !conversation->open(aside)) return std::nullopt;
  dialogue::Transcript before;
  if (conversation->check_survival(before).survival != dialogue::Survival::alive) return {};
  const auto exchange = conversation->exchange(corpus::step_sending(call), transcript);
  if (!exchange.replies.empty()) return std::nullopt;
  dialogue::Transcript aside;
  const auto check = conversation->check_survival(aside);
  if (check.survival != dialogue::Survival::dead) return std::nullopt;
  auto events = transcript.whole();
  events.push_back(fact_event(dialogue::Fact::died_of_it, check.standard_error, check.detail));
  events.back().at = transcript.duration();
  return FirstCall{call, {}, std::move(events)};
}

namespace {

// Who is silent whatever it is asked is found so elsewhere, and not waited for here as well.
bool answers_calls(Endpoint& endpoint, session::Patience& patience) {
  const auto conversation = endpoint.converse();
  dialogue::Transcript aside;
  if (!conversation->open(aside)) return false;
  if (!endpoint.is_shared()) patience.expect_start();
  return conversation->check_survival(aside).survival == dialogue::Survival::alive;
}

// What was waited for shorter before is waited for as long as for a program that comes up: some
// load much before they answer a handshake, or the machine is busy. What it speaks where it answers
// then; who leaves out the call for good is told of among the calls.
SpokenProtocol ask_patiently(const corpus::Profile& profile, const std::string& call,
                             Options patient, transport::Guardian& guardian, FirstCalls& calls) {
  patient.timeout = patient.start_bound();
  patient.http_habits = profile.http;
  session::Patience patience(patient.timeout, patient.timeout);
  const auto endpoint = make_endpoint(patient, patience, guardian);
  if (is_interrupted() || !endpoint->reach()) return {};
  auto waited = wait_longer_for(call, *endpoint);
  if (waited.was_answered) return protocol_spoken(profile, *endpoint, patience, guardian);
  if (waited.left_out) calls.push_back(*std::move(waited.left_out));
  return {};
}

}  // namespace

Recognition recognise_protocol(const Options& options, transport::Guardian& guardian) {
  // A plain server answers at once that it has no such method; who does not is not waited for.
  constexpr milliseconds kForRecognition{3000};
  Options quick = options;
  quick.timeout = std::min<microseconds>(quick.timeout, kForRecognition);
  // A server that is run by somebody else is given as long as anybody gives it.
  if (options.command.empty()) quick.start_timeout = options.start_bound();
  quick.greetings = greetings_of_protocols();
  const auto begin = Clock::now();
  session::Patience patience(quick.timeout, quick.start_bound());
  auto endpoint = make_endpoint(quick, patience, guardian);
  if (auto reached = endpoint->reach(); !reached) {
    return {{}, reached.error().message, endpoint->ending()};
  }
  const auto waited = time_since(begin);
  if (patience.has_waited_in_vain() || waited >= quick.start_bound()) return {.waited = waited};
  patience.note_first_answer();
  std::string hint;
  std::string left_out;
  std::string ended_by;
  const corpus::Profile* owed = nullptr;  // whose call that is
  FirstCalls calls = endpoint->first_calls();
  for (const auto& profile : corpus::embedded_profiles()) {
    quick.http_habits = profile.http;
    auto spoken = protocol_spoken(profile, *endpoint, patience, guardian);
    if (!spoken.profile.empty()) {
      return {.profile = std::move(spoken.profile), .heard_in = endpoint->heard_in()};
    }
    if (hint.empty()) hint = std::move(spoken.hint);
    if (left_out.empty() && !spoken.left_out.empty()) {
      left_out = std::move(spoken.left_out);
      owed = &profile;
    }
    if (ended_by.empty()) ended_by = std::move(spoken.ended_by);
    calls.insert(calls.end(), spoken.first_calls.begin(), spoken.first_calls.end());
  }
  if (!ended_by.empty() && !is_interrupted()) {
    if (auto end = ends_of(ended_by, *endpoint)) calls.push_back(*std::move(end));
  }
  const auto heard_in = endpoint->heard_in();
  const bool is_asked_again = owed != nullptr && answers_calls(*endpoint, patience);
  endpoint.reset();  // a server that was started here leaves its port to the next one
  if (is_asked_again) {
    Options patient = options;
    patient.heard_in = heard_in;
    auto spoken = ask_patiently(*owed, left_out, std::move(patient), guardian, calls);
    if (!spoken.profile.empty())
      return {.profile = std::move(spoken.profile), .heard_in = heard_in};
    if (hint.empty()) hint = std::move(spoken.hint);
  }
  return {.heard_in = heard_in, .first_calls = std::move(calls), .hint = std::move(hint)};
}

}  // namespace jrpcheck::run
