#include "run/find_version.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "run/control_call.hpp"
#include "run/empty_folder.hpp"
#include "run/prober.hpp"

namespace jrpcheck::run {
namespace {

// The newest version of the profile among these.
std::string newest_of(const corpus::Profile& profile, const std::vector<std::string>& named) {
  for (auto each = profile.versions.rbegin(); each != profile.versions.rend(); ++each) {
    if (contains(named, *each)) return *each;
  }
  return {};
}

bool serves(const dialogue::Exchange& exchange) {
  return std::ranges::any_of(exchange.replies,
                             [](const auto& reply) { return reply.find("result") != nullptr; });
}

// The version that a probe asks for; empty where it asks for none.
std::string version_asked(const corpus::Profile& profile, const corpus::VersionProbe& probe) {
  for (auto each = profile.versions.rbegin(); each != profile.versions.rend(); ++each) {
    if (probe.message.find('"' + *each + '"') != std::string::npos) return *each;
  }
  return {};
}

// The same in another version.
corpus::VersionProbe in_version(const std::string& version, const std::string& asked,
                                corpus::VersionProbe probe) {
  probe.message.replace(probe.message.find('"' + asked + '"') + 1, asked.size(), version);
  return probe;
}

// Who does not have the version asked for should offer its newest (MCP basic/lifecycle § Version
// Negotiation), and some offer an older one: the newest version between these that is agreed to.
std::string version_passed_over(const corpus::Profile& profile, const corpus::VersionProbe& probe,
                                const std::string& offered, Prober& prober) {
  const std::string asked = version_asked(profile, probe);
  const auto begin = std::find(profile.versions.rbegin(), profile.versions.rend(), asked);
  const bool is_newer = std::find(profile.versions.rbegin(), begin, offered) != begin;
  const auto end = std::find(begin, profile.versions.rend(), offered);
  if (begin == profile.versions.rend() || begin == end || is_newer) return {};
  for (auto each = std::next(begin); each != end; ++each) {
    const auto answered = prober.anew(in_version(*each, asked, probe).message, probe);
    if (answered && contains(versions_named(*answered, probe), *each)) return *each;
  }
  return {};
}

// The Response by which who has a handshake refuses the version that it asks for; empty: none does.
// What a head of its own goes with is no handshake.
std::string refusal_of_handshake(const corpus::Profile& profile, const corpus::VersionProbe& probe,
                                 const dialogue::Exchange& exchange) {
  const bool is_handshake =
      !probe.versions_at.empty() && probe.fields.empty() && !version_asked(profile, probe).empty();
  if (!is_handshake || exchange.replies.empty()) return {};
  const auto& reply = exchange.replies.front();
  const bool is_refusal =
      reply.find("jsonrpc") != nullptr && is_refused_for_its_params(reply.text());
  return is_refusal ? reply.text() : std::string();
}

// Others refuse it, and say nothing of those that they have: what is named where an older one is
// asked for.
std::vector<std::string> versions_behind_refusal(const corpus::Profile& profile,
                                                 const corpus::VersionProbe& probe, Prober& prober,
                                                 VersionOf whose) {
  const std::string asked = version_asked(profile, probe);
  auto each = std::find(profile.versions.rbegin(), profile.versions.rend(), asked);
  while (each != profile.versions.rend() && ++each != profile.versions.rend()) {
    const auto older = in_version(*each, asked, probe);
    Result<dialogue::Exchange> answered = dialogue::Exchange();
    if (auto same = prober.again(older)) {
      answered = *std::move(same);
    } else {
      answered = prober.anew(older.message, older);
    }
    auto named = answered ? versions_named(*answered, older) : std::vector<std::string>();
    if (named.empty()) continue;
    const bool is_believed =
        whose == VersionOf::one_that_speaks_it || !prober.is_said_of_anything(older);
    return is_believed ? std::move(named) : std::vector<std::string>();
  }
  return {};
}

// Whether a handshake is served that names no version, well or badly: it is owed an answer by who
// has no call of a newer version.
bool is_taken_unnamed(const dialogue::Exchange& handshake, bool has_no_newer) {
  if (handshake.replies.empty()) return has_no_newer;
  constexpr int kFirstNoSuccess = 300;
  return std::ranges::all_of(handshake.replies, [](const auto& reply) {
    return reply.http_status < kFirstNoSuccess && reply.find("error") == nullptr;
  });
}

// By who knows the call: a method of another meaning may have that name, or a server of the
// protocol be wrong.
bool is_taken_otherwise(const corpus::VersionProbe& handshake, const dialogue::Exchange& exchange,
                        Prober& prober) {
  return serves(exchange) && !says_something(exchange, handshake) &&
         prober.tells_methods_apart(handshake);
}

// What a server answers that does not speak the protocol as it should, or not at all.
void note_other_answer(const corpus::VersionProbe& probe, const dialogue::Exchange& exchange,
                       bool is_handshake, Prober& prober, FoundVersion& found) {
  if (is_handshake) found.refusal = prober.refusal_of_what_it_knows(probe, exchange);
  found.is_taken_otherwise =
      found.is_taken_otherwise || is_taken_otherwise(probe, exchange, prober);
}

bool is_unknown(const dialogue::Exchange& exchange) {
  return std::ranges::any_of(exchange.replies, says_method_is_unknown);
}

// By a version that has no handshake it would be charged with all that it has not.
void take_for_asked(const corpus::Profile& profile, const corpus::VersionProbe& handshake,
                    FoundVersion& found) {
  found.version = version_asked(profile, handshake);
  if (found.version.empty()) return;
  found.note =
      "The server names no version in its answer to the handshake: it is judged by that which it "
      "was asked for, " +
      found.version + ".";
}

std::string note_of_unknown(const std::string& version) {
  constexpr std::size_t kMostShown = 60;
  return "The server names a version that jrpcheck does not know: " +
         to_visible(version, kMostShown) + ".";
}

std::string note_of_passed_over(const std::string& offered, const std::string& spoken) {
  return "Asked for a version that it does not have the server offers " + offered +
         ", though it speaks " + spoken + ".";
}

}  // namespace

Result<FoundVersion> ask_for_version(const corpus::Profile& profile, Prober& prober,
                                     VersionOf whose) {
  FoundVersion found;
  bool has_served = false;
  bool has_no_newer = false;
  for (std::size_t i = 0; i < profile.detection.size(); ++i) {
    const auto& probe = profile.detection[i];
    if (is_interrupted()) break;
    if (probe.where_named && whose == VersionOf::anybody) continue;
    const auto* next = i + 1 < profile.detection.size() ? &profile.detection[i + 1] : nullptr;
    Result<dialogue::Exchange> exchange = dialogue::Exchange();
    if (auto same = prober.again(probe)) {
      exchange = *std::move(same);
    } else {
      exchange = prober.with_folder_where_needed(probe, profile.empty_folder, next);
      exchange = prober.once_started(probe, profile.not_yet, std::move(exchange));
    }
    if (!exchange) return exchange.error();
    if (whose == VersionOf::anybody && says_something(*exchange, probe) &&
        prober.is_said_of_anything(probe)) {
      continue;
    }
    const bool is_handshake = !profile.opening.empty() && next == nullptr;
    if (whose == VersionOf::anybody) {
      note_other_answer(probe, *exchange, is_handshake, prober, found);
    }
    auto named = versions_named(*exchange, probe);
    const bool is_shown = shows(*exchange, probe);
    if (is_shown && !probe.version.empty()) named.push_back(probe.version);
    found.is_spoken = found.is_spoken || is_shown;
    const std::string refusal =
        named.empty() ? refusal_of_handshake(profile, probe, *exchange) : std::string();
    if (!refusal.empty()) named = versions_behind_refusal(profile, probe, prober, whose);
    found.version = newest_of(profile, named);
    // A list of several, or what a head of its own goes with, is no offer.
    const bool is_offer = refusal.empty() && named.size() == 1 && probe.fields.empty();
    const std::string newer =
        is_offer ? version_passed_over(profile, probe, named.front(), prober) : std::string();
    if (!newer.empty()) {
      found.version = newer;
      found.note = note_of_passed_over(named.front(), newer);
    }
    if (!found.version.empty() && !refusal.empty()) {
      found.note = note_of_passed_over("none", found.version);
    }
    if (!found.version.empty()) return found;
    // Who has served a call of a newer version than any with a handshake is of that.
    const bool is_its_own = whose == VersionOf::one_that_speaks_it;
    if (is_its_own && named.empty() && !has_served) found.refusal = refusal;
    const bool may_be_unnamed = is_its_own && is_handshake && named.empty() && refusal.empty();
    if (may_be_unnamed && !has_served && is_taken_unnamed(*exchange, has_no_newer)) {
      take_for_asked(profile, probe, found);
    }
    has_served = has_served || serves(*exchange);
    has_no_newer = has_no_newer || is_unknown(*exchange);
    if (!named.empty()) found.note = note_of_unknown(named.front());
  }
  return found;
}

Result<FoundVersion> find_version(const corpus::Profile& profile, const Options& options,
                                  transport::Guardian& guardian) {
  Options bare = options;
  bare.opening = {};
  session::Patience patience(options.timeout, options.start_bound());
  const auto endpoint = make_endpoint(bare, patience, guardian);
  endpoint->use_control_call(control_call_of(profile));
  if (auto reached = endpoint->reach(); !reached) return reached.error();
  Prober prober(*endpoint, patience, guardian);
  return ask_for_version(profile, prober, VersionOf::one_that_speaks_it);
}

}  // namespace jrpcheck::run
