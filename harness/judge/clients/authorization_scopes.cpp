// Which scopes a client asks for, at first and when it is told that they are too few.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/join.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/clients/authorization.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::OAuthPlace;
using Scopes = std::set<std::string>;
using Turns = std::vector<OAuthTurn>;

constexpr std::string_view kChallenge = "mcp-c-auth-scope-challenge";
constexpr std::string_view kSupported = "mcp-c-auth-scope-supported";
constexpr std::string_view kStepUp = "mcp-c-auth-step-up";
constexpr std::string_view kLimit = "mcp-c-auth-retry-limit";
constexpr std::string_view kOffline = "mcp-c-auth-offline";
constexpr const char* kOfflineScope = "offline_access";
// More often than a few times, with room for a program that makes the same call again.
constexpr std::size_t kMostTries = 20;

Scopes read_scopes(const std::string& text) {
  std::istringstream words(text);
  Scopes all;
  for (std::string each; words >> each;) all.insert(each);
  return all;
}

std::string with_blanks(const Scopes& scopes) {
  return scopes.empty() ? "none" : joined(scopes, " ");
}

// Nothing: the document names none.
std::optional<Scopes> supported_in(const std::string& document) {
  const auto parsed = json::parse(document);
  const json::Value* list = parsed ? parsed.value->find("scopes_supported") : nullptr;
  if (list == nullptr) return std::nullopt;
  Scopes all;
  for (const auto& each : list->children()) all.insert(each.text());
  return all;
}

bool has_all(const Scopes& asked, const Scopes& wanted) {
  return std::includes(asked.begin(), asked.end(), wanted.begin(), wanted.end());
}

bool is_challenge(const OAuthTurn& turn, int status) {
  return turn.place == OAuthPlace::resource && turn.status == status;
}

// The 401 that a request for authorization comes after.
const OAuthTurn* challenge_before(const Turns& turns, std::size_t place) {
  for (std::size_t i = place; i > 0; --i) {
    if (is_challenge(turns[i - 1], 401)) return &turns[i - 1];
  }
  return nullptr;
}

// basic/authorization § Scope Selection Strategy.
void judge_first(const OAuthRecord& record, const OAuthTurn& challenge, const OAuthTurn& turn,
                 ClientCharges& charges) {
  const Scopes asked = read_scopes(parameter_of(turn, "scope"));
  const auto supported = supported_in(record.resource_metadata);
  const auto charge = [&](std::string_view requirement, const std::string& sentence,
                          const Scopes& wanted) {
    charges.charge(requirement, rule_broken(sentence, with_blanks(wanted), with_blanks(asked)));
  };
  if (challenge.scope) {
    const Scopes wanted = read_scopes(*challenge.scope);
    charges.exercise(kChallenge);
    if (!has_all(asked, wanted)) {
      return charge(kChallenge, "The client does not ask for the scope of the challenge.", wanted);
    }
    // What stands nowhere is the client's own.
    for (const auto& each : supported.value_or(Scopes())) {
      if (!asked.contains(each) || wanted.contains(each)) continue;
      return charge(kChallenge, "The client asks for more than the scope of the challenge.",
                    wanted);
    }
    return;
  }
  charges.exercise(kSupported);
  if (supported) {
    if (has_all(asked, *supported)) return;
    return charge(kSupported, "The client does not ask for the scopes that the resource supports.",
                  *supported);
  }
  Scopes others = asked;
  others.erase(kOfflineScope);
  others.erase("openid");
  if (others.empty()) return;
  charge(kSupported, "The client asks for a scope where none is named.", {});
}

// How often each call was refused for its scope.
std::size_t most_refusals(const Turns& turns) {
  std::map<std::string, std::size_t> refusals;
  std::size_t most = 0;
  for (const auto& each : turns) {
    if (is_challenge(each, 403)) most = std::max(most, ++refusals[each.call]);
  }
  return most;
}

class StepUp {
 public:
  StepUp(const OAuthRecord& record, ClientCharges& charges)
      : record_(record), plan_(record.plan), charges_(charges) {
    const auto& turns = record.turns;
    for (; refused_ < turns.size() && !is_challenge(turns[refused_], 403); ++refused_) {
      if (turns[refused_].place != OAuthPlace::authorization) continue;
      had_.merge(read_scopes(parameter_of(turns[refused_], "scope")));
      acts_for_user_ = true;
    }
  }

  void judge() {
    if (refused_ == record_.turns.size()) return;
    const auto& turns = record_.turns;
    const auto again =
        std::find_if(turns.begin() + static_cast<std::ptrdiff_t>(refused_), turns.end(),
                     [](const OAuthTurn& each) { return each.place == OAuthPlace::authorization; });
    if (again != turns.end()) {
      if (!plan_.is_never_sufficient) judge_wider(*again);
      if (plan_.is_never_sufficient) judge_limit();
      return;
    }
    // Who acts for itself may leave it at that.
    if (!acts_for_user_ || plan_.is_never_sufficient) return;
    charges_.exercise(kStepUp);
    charges_.charge(kStepUp,
                    rule_broken("The client does not ask for a wider scope where it is "
                                "told that its own does not do.",
                                "a request for authorization",
                                has_refreshed() ? "a refresh, which widens no scope" : "none"));
  }

 private:
  // RFC 6749 §6.
  bool has_refreshed() const {
    const auto& turns = record_.turns;
    return std::any_of(
        turns.begin() + static_cast<std::ptrdiff_t>(refused_), turns.end(),
        [](const OAuthTurn& each) { return parameter_of(each, "grant_type") == "refresh_token"; });
  }

  void judge_wider(const OAuthTurn& again) {
    charges_.exercise(kStepUp);
    const Scopes asked = read_scopes(parameter_of(again, "scope"));
    const Scopes wanted = read_scopes(plan_.insufficient);
    if (!has_all(asked, wanted)) {
      charges_.charge(kStepUp,
                      rule_broken("The client asks again, and not for the scope that it lacks.",
                                  with_blanks(wanted), with_blanks(asked)));
    }
    // Before, the challenge alone said what to ask for.
    if (record_.version < "2026-07-28" || has_all(asked, had_)) return;
    charges_.charge(kStepUp, rule_broken("The client asks for a wider scope without that it had.",
                                         with_blanks(had_), with_blanks(asked)));
  }

  void judge_limit() {
    charges_.exercise(kLimit);
    if (most_refusals(record_.turns) <= kMostTries) return;
    charges_.charge(kLimit, rule_broken("The client asks for a wider scope without end.",
                                        "a few tries", "more than " + std::to_string(kMostTries)));
  }

  const OAuthRecord& record_;
  const corpus::AuthorizationPlan& plan_;
  ClientCharges& charges_;
  std::size_t refused_ = 0;  // the place of the first 403
  Scopes had_;
  bool acts_for_user_ = false;
};

bool registers_for_refreshing(const std::string& body) {
  const auto parsed = json::parse(body);
  const json::Value* types = parsed ? json::at(*parsed.value, "/grant_types") : nullptr;
  if (types == nullptr) return false;
  return std::ranges::any_of(
      types->children(), [](const json::Value& each) { return each.text() == "refresh_token"; });
}

// basic/authorization § Refresh Tokens.
void judge_offline(const OAuthRecord& record, ClientCharges& charges) {
  bool uses_them = false;
  bool is_registered = false;
  bool registers = false;
  for (const auto& turn : record.turns) {
    if (turn.place == OAuthPlace::registration) {
      is_registered = true;
      registers = registers || registers_for_refreshing(turn.body);
    }
    uses_them = uses_them || (turn.place == OAuthPlace::token &&
                              parameter_of(turn, "grant_type") == "refresh_token");
    const bool has_scope =
        turn.place == OAuthPlace::authorization || turn.place == OAuthPlace::token;
    if (!has_scope || !read_scopes(parameter_of(turn, "scope")).contains(kOfflineScope)) continue;
    uses_them = true;
    charges.exercise(kOffline);
    const auto supported = supported_in(record.server_metadata[turn.server]);
    if (supported && supported->contains(kOfflineScope)) continue;
    charges.charge(kOffline,
                   rule_broken("The client asks for offline_access, which the authorization server "
                               "does not support.",
                               "no such scope", parameter_of(turn, "scope")));
  }
  if (registers) charges.exercise(kOffline);
  if (!uses_them || !is_registered || registers) return;
  charges.exercise(kOffline);
  charges.charge(kOffline, rule_broken("The client wants refresh tokens, and has not registered "
                                       "for them.",
                                       "grant_types with refresh_token", "none"));
}

}  // namespace

void judge_scopes(const OAuthRecord& record, ClientCharges& charges) {
  const auto& turns = record.turns;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns[i].place == OAuthPlace::token && !turns[i].given.empty()) break;
    if (turns[i].place != OAuthPlace::authorization) continue;
    const auto* challenge = challenge_before(turns, i);
    if (challenge != nullptr) judge_first(record, *challenge, turns[i], charges);
  }
  StepUp(record, charges).judge();
  judge_offline(record, charges);
}

}  // namespace jrpcheck::judge
