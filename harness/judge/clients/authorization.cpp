#include "judge/clients/authorization.hpp"

#include <algorithm>
#include <set>

#include "base/letter_case.hpp"
#include "base/percent.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::OAuthPlace;

constexpr std::string_view kHeader = "mcp-c-auth-header";
constexpr std::string_view kIssued = "mcp-c-auth-issued-token";
constexpr std::string_view kElsewhere = "mcp-c-auth-token-elsewhere";

// Held against each request, in order.
class UseOfTokens {
 public:
  UseOfTokens(const OAuthRecord& record, ClientCharges& charges)
      : charges_(charges), opening_(opening_of(record)) {}

  void hear(const OAuthTurn& turn) {
    if (turn.place == OAuthPlace::token && !turn.given.empty()) {
      (turn.server == 0 ? tokens_ : later_tokens_).insert(turn.given);
    }
    judge_url(turn);
    if (turn.place == OAuthPlace::resource) judge_header(turn);
    if (turn.path == corpus::kElsewhere) judge_elsewhere(turn);
  }

 private:
  // Who begins again has no token yet: it may be another client of the program.
  static std::string opening_of(const OAuthRecord& record) {
    for (const auto& each : record.turns) {
      if (each.place == OAuthPlace::resource && !each.call.empty()) return each.call;
    }
    return {};
  }

  bool knows(const std::string& token) const {
    return tokens_.contains(token) || later_tokens_.contains(token);
  }

  bool holds_token(const std::string& text) const {
    const auto is_in = [&](const auto& each) { return text.find(each) != std::string::npos; };
    return std::ranges::any_of(tokens_, is_in) || std::ranges::any_of(later_tokens_, is_in);
  }

  // RFC 6750 §2.3 had that, and OAuth 2.1 has taken it away.
  void judge_url(const OAuthTurn& turn) {
    if (!holds_token(percent_decoded(turn.target))) return;
    charges_.exercise(kHeader);
    charges_.charge(kHeader, rule_broken("The token is in the URL.", "Authorization: Bearer alone",
                                         turn.method + " " + turn.target));
  }

  void judge_header(const OAuthTurn& turn) {
    const std::string token = bearer_of(turn.authorization);
    if (!turn.given.empty()) {
      charges_.exercise(kHeader);
      charges_.exercise(kIssued);
      is_used_ = true;
      is_later_used_ = is_later_used_ || later_tokens_.contains(token);
      return;
    }
    // Whose token has ended has none until it gets another.
    if (turn.status == 401 && knows(token)) is_used_ = false;
    const std::string what = turn.method + " " + turn.call;
    const bool begins = !turn.call.empty() && turn.call == opening_;
    if (is_used_ && token.empty() && !begins) {
      charges_.charge(
          kHeader,
          rule_broken("A request comes without the token.", "Authorization: Bearer in each request",
                      what + " with " +
                          (turn.authorization.empty() ? "no Authorization" : turn.authorization)));
    }
    const bool has_any = !tokens_.empty() || !later_tokens_.empty();
    const bool is_left = is_later_used_ && tokens_.contains(token);
    if (!token.empty() && has_any && (!knows(token) || is_left)) {
      charges_.exercise(kIssued);
      charges_.charge(kIssued,
                      rule_broken("The client sends a token that the authorization server of the "
                                  "server has not issued.",
                                  "a token that it was given", what + " with " + token));
    }
  }

  // Whoever is not meant to have it may use it (RFC 6749 §10.3).
  void judge_elsewhere(const OAuthTurn& turn) {
    charges_.exercise(kElsewhere);
    if (!holds_token(turn.authorization)) return;
    charges_.charge(kElsewhere,
                    rule_broken("The token goes along when the server redirects to another host.",
                                "no Authorization there", turn.authorization));
  }

  ClientCharges& charges_;
  std::string opening_;
  std::set<std::string> tokens_;        // of the first authorization server
  std::set<std::string> later_tokens_;  // of another
  bool is_used_ = false;
  bool is_later_used_ = false;
};

// Who has looked for anything was told where the metadata is.
void judge_reading_of_challenge(const OAuthRecord& record, ClientCharges& charges) {
  constexpr std::string_view kReads = "mcp-c-auth-401";
  const auto& plan = record.plan;
  const bool is_told = plan.challenge.find("${resource-metadata}") != std::string::npos;
  if (!is_told || !begins_authorization(record)) return;
  charges.exercise(kReads);
  if (has_asked(record, OAuthPlace::resource_metadata)) return;
  charges.charge(kReads, rule_broken("The client does not fetch the metadata that the challenge of "
                                     "401 names.",
                                     "GET " + plan.resource_metadata_at, "nothing of it"));
}

}  // namespace

std::string bearer_of(const std::string& authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (!in_lower_case(authorization.substr(0, kScheme.size())).starts_with(kScheme)) return {};
  const auto begin = authorization.find_first_not_of(' ', kScheme.size());
  return begin == std::string::npos ? "" : authorization.substr(begin);
}

std::string parameter_of(const OAuthTurn& turn, std::string_view name) {
  return wire::parameter(turn.parameters, name).value_or("");
}

bool has_asked(const OAuthRecord& record, OAuthPlace place) {
  return std::ranges::any_of(record.turns,
                             [place](const OAuthTurn& each) { return each.place == place; });
}

bool asks_for_token(const OAuthRecord& record) {
  return has_asked(record, OAuthPlace::authorization) || has_asked(record, OAuthPlace::token);
}

bool begins_authorization(const OAuthRecord& record) {
  return std::ranges::any_of(record.turns, [](const OAuthTurn& each) {
    const bool looks = each.path.find("/.well-known/") != std::string::npos;
    return looks || (each.place != OAuthPlace::resource && each.place != OAuthPlace::elsewhere);
  });
}

void judge_use_of_tokens(const OAuthRecord& record, ClientCharges& charges) {
  UseOfTokens rules(record, charges);
  for (const auto& each : record.turns) rules.hear(each);
}

Judgement judge_authorization(const OAuthRecord& record, std::string_view family,
                              const corpus::Ledger& ledger) {
  ClientCharges charges({std::string(family), ledger});
  if (!record.version.empty()) charges.version = record.version;
  judge_reading_of_challenge(record, charges);
  judge_use_of_tokens(record, charges);
  judge_grants(record, charges);
  judge_scopes(record, charges);
  judge_clients_credentials(record, charges);
  return charges.take();
}

}  // namespace jrpcheck::judge
