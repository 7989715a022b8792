#include "run/find_version.hpp"

#include <algorithm>
#include <vector>

#include "corpus/catalogue.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "run/control_call.hpp"
#include "run/empty_folder.hpp"
#include "run/endpoint.hpp"

namespace jrpcheck::run {
namespace {

using json::Kind;

std::vector<std::string> texts_at(const json::Value& message, const std::string& pointer) {
  std::vector<std::string> texts;
  const json::Value* found = json::at(message, pointer);
  if (found == nullptr) return texts;
  if (found->is(Kind::string)) texts.push_back(found->text());
  if (!found->is(Kind::array)) return texts;
  for (const auto& each : found->children()) {
    if (each.is(Kind::string)) texts.push_back(each.text());
  }
  return texts;
}

std::vector<std::string> versions_named(const dialogue::Exchange& exchange,
                                        const corpus::VersionProbe& probe) {
  std::vector<std::string> named;
  for (const auto& reply : exchange.replies) {
    if (reply.value() == nullptr) continue;
    for (const auto& pointer : probe.versions_at) {
      for (auto& each : texts_at(*reply.value(), pointer)) named.push_back(std::move(each));
    }
  }
  return named;
}

// Of a protocol without versions: whether an answer shows that the server speaks it.
bool shows(const dialogue::Exchange& exchange, const corpus::VersionProbe& probe) {
  if (probe.shows.empty()) return false;
  return std::any_of(exchange.replies.begin(), exchange.replies.end(), [&](const auto& reply) {
    return reply.value() != nullptr &&
           std::all_of(probe.shows.begin(), probe.shows.end(), [&](const auto& condition) {
             return corpus::meets(*reply.value(), condition);
           });
  });
}

// The newest version of the profile among these.
std::string newest_of(const corpus::Profile& profile, const std::vector<std::string>& named) {
  for (auto each = profile.versions.rbegin(); each != profile.versions.rend(); ++each) {
    if (std::find(named.begin(), named.end(), *each) != named.end()) return *each;
  }
  return {};
}

bool is_looked_for_on(const wire::Binding& binding, const corpus::Profile& profile) {
  const auto& names = profile.spoken_on;
  return std::find(names.begin(), names.end(), binding.name) != names.end();
}

// To a server that was just started, or on a new connection.
Result<dialogue::Exchange> answer_to(const std::string& message, const corpus::VersionProbe& probe,
                                     Endpoint& endpoint) {
  const auto conversation = endpoint.converse_bare();
  dialogue::Transcript aside;
  if (auto opened = conversation->open(aside); !opened) return opened.error();
  corpus::Step step;
  step.messages.push_back(message);
  for (const auto& [name, value] : probe.fields) step.http.headers.emplace_back(name, value);
  return conversation->exchange(step, aside);
}

// Who refuses the call as it is may take it with an empty folder in it.
Result<dialogue::Exchange> answer_to(const corpus::VersionProbe& probe,
                                     const std::optional<corpus::FolderPlace>& place,
                                     Endpoint& endpoint, transport::Guardian& guardian) {
  auto exchange = answer_to(probe.message, probe, endpoint);
  const bool is_refused = exchange && place && !exchange->replies.empty() &&
                          is_refused_for_its_params(exchange->replies.front().text());
  if (!is_refused) return exchange;
  const auto folder = EmptyFolder::make(guardian);
  if (!folder) return exchange;
  return answer_to(with_folder(probe.message, *place, (*folder)->uri()), probe, endpoint);
}

// The same call of a method that nobody has.
std::string of_nobodys_method(const std::string& message) {
  auto call = json::parse(message);
  if (!call) return {};
  for (std::size_t i = 0; i < call.value->size(); ++i) {
    if (call.value->names()[i] != "method") continue;
    call.value->children()[i] = json::Value::string("jrpcheckNobodysMethod");
  }
  return json::write(*call.value);
}

// A server that says the same whatever it is asked, or echoes what it is told, says nothing.
bool says_so_of_anything(const corpus::VersionProbe& probe, Endpoint& endpoint) {
  const auto exchange = answer_to(of_nobodys_method(probe.message), probe, endpoint);
  return exchange && (shows(*exchange, probe) || !versions_named(*exchange, probe).empty());
}

enum class VersionOf { anybody, one_that_speaks_it };

Result<FoundVersion> ask_for_version(const corpus::Profile& profile, Endpoint& endpoint,
                                     transport::Guardian& guardian, VersionOf whose) {
  FoundVersion found;
  for (const auto& probe : profile.detection) {
    const auto exchange = answer_to(probe, profile.empty_folder, endpoint, guardian);
    if (!exchange) return exchange.error();
    auto named = versions_named(*exchange, probe);
    const bool is_shown = shows(*exchange, probe);
    if (is_shown && !probe.version.empty()) named.push_back(probe.version);
    const bool says_something = is_shown || !named.empty();
    if (says_something && whose == VersionOf::anybody && says_so_of_anything(probe, endpoint)) {
      continue;
    }
    found.is_spoken = found.is_spoken || is_shown;
    found.version = newest_of(profile, named);
    if (!found.version.empty()) return found;
    if (!named.empty()) {
      found.note = "The server names a version that jrpcheck does not know: " + named.front() + ".";
    }
  }
  return found;
}

}  // namespace

std::string protocol_spoken(const corpus::Profile& profile, Endpoint& endpoint,
                            transport::Guardian& guardian) {
  const bool may_be_it = !profile.detection.empty() && profile.version.empty() &&
                         is_looked_for_on(endpoint.binding(), profile);
  if (!may_be_it) return {};
  const auto found = ask_for_version(profile, endpoint, guardian, VersionOf::anybody);
  if (!found) return {};
  if (!found->version.empty()) return profile.family + "-" + found->version;
  return found->is_spoken ? profile.family : std::string();
}

Recognition recognise_protocol(const Options& options, transport::Guardian& guardian) {
  // A plain server answers at once that it has no such method; who does not is not waited for.
  constexpr milliseconds kForRecognition{3000};
  Options quick = options;
  quick.timeout = std::min<microseconds>(quick.timeout, kForRecognition);
  // A server that is run by somebody else is given as long as anybody gives it.
  if (options.target) quick.start_timeout = options.start_bound();
  const auto begin = Clock::now();
  session::Patience patience(quick.timeout, quick.start_bound());
  const auto endpoint = make_endpoint(quick, patience, guardian);
  if (auto reached = endpoint->reach(); !reached) {
    return {{}, reached.error().message, endpoint->ending()};
  }
  const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
  if (patience.has_waited_in_vain() || waited >= quick.start_bound()) return {.waited = waited};
  patience.note_first_answer();
  for (const auto& profile : corpus::embedded_profiles()) {
    quick.http_habits = profile.http;
    const std::string name = protocol_spoken(profile, *endpoint, guardian);
    if (!name.empty()) return {name, {}};
  }
  return {};
}

Result<FoundVersion> find_version(const corpus::Profile& profile, const Options& options,
                                  transport::Guardian& guardian) {
  Options bare = options;
  bare.opening = {};
  session::Patience patience(options.timeout, options.start_bound());
  const auto endpoint = make_endpoint(bare, patience, guardian);
  endpoint->use_control_call(control_call_of(profile));
  if (auto reached = endpoint->reach(); !reached) return reached.error();
  return ask_for_version(profile, *endpoint, guardian, VersionOf::one_that_speaks_it);
}

}  // namespace jrpcheck::run
