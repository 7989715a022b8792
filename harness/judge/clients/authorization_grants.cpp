// What a client says at the authorization and token endpoints: for which server, by which proof,
// and where the answer goes.
#include <algorithm>

#include "base/letter_case.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/clients/authorization.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::OAuthPlace;
using json::Kind;

constexpr std::string_view kResource = "mcp-c-auth-resource";
constexpr std::string_view kPkce = "mcp-c-auth-pkce";
constexpr std::string_view kState = "mcp-c-auth-state";
constexpr std::string_view kRedirect = "mcp-c-auth-redirect";

std::string name_of(const OAuthTurn& turn) {
  return turn.place == OAuthPlace::token ? "A token request" : "A request for authorization";
}

// Scheme and host are alike in either case, and a slash at the end means nothing here (basic/
// authorization § Canonical Server URI).
std::string canonical(std::string uri) {
  const auto authority = uri.find("://");
  if (authority == std::string::npos) return uri;
  const auto path = std::min(uri.find('/', authority + 3), uri.size());
  uri = in_lower_case(uri.substr(0, path)) + uri.substr(path);
  if (uri.ends_with('/')) uri.pop_back();
  return uri;
}

void judge_resource(const OAuthRecord& record, const OAuthTurn& turn, ClientCharges& charges) {
  charges.exercise(kResource);
  std::string named;
  for (const auto& [name, value] : turn.parameters) {
    if (name != "resource") continue;
    // The host alone identifies the server as well, if less exactly.
    if (canonical(value) == record.resource || canonical(value) == record.origin) return;
    named += (named.empty() ? "" : ", ") + value;
  }
  const std::string sentence = name_of(turn) + (named.empty() ? " does not say for which resource."
                                                              : " is for another resource.");
  charges.charge(kResource, rule_broken(sentence, "resource=" + record.resource,
                                        named.empty() ? "no resource" : named));
}

void judge_challenge(const OAuthTurn& turn, ClientCharges& charges) {
  charges.exercise(kPkce);
  if (parameter_of(turn, "code_challenge").empty()) {
    return charges.charge(kPkce, rule_broken("A request for authorization has no code_challenge.",
                                             "a code_challenge by S256", turn.target));
  }
  const auto method = wire::parameter(turn.parameters, "code_challenge_method");
  if (method == "S256") return;
  charges.charge(kPkce, rule_broken("The code_challenge is not by S256, which the server offers.",
                                    "code_challenge_method=S256", method.value_or("none")));
}

// RFC 7636 §4.1.
bool is_verifier(const std::string& text) {
  constexpr std::size_t kLeast = 43;
  constexpr std::size_t kMost = 128;
  return text.size() >= kLeast && text.size() <= kMost &&
         text.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~") ==
             std::string::npos;
}

void judge_verifier(const OAuthTurn& asked, const OAuthTurn& turn, ClientCharges& charges) {
  const std::string challenge = parameter_of(asked, "code_challenge");
  if (challenge.empty()) return;
  const std::string verifier = parameter_of(turn, "code_verifier");
  if (verifier.empty()) {
    return charges.charge(kPkce, rule_broken("A code is redeemed without its code_verifier.",
                                             "code_verifier", "none"));
  }
  if (!is_verifier(verifier)) {
    charges.charge(kPkce, rule_broken("The code_verifier is not of the form that PKCE has.",
                                      "43 to 128 unreserved characters", verifier));
  }
  const bool is_plain = parameter_of(asked, "code_challenge_method") != "S256";
  const std::string made = is_plain ? verifier : wire::pkce_challenge(verifier);
  if (made == challenge) return;
  charges.charge(
      kPkce, rule_broken("The code_verifier is not that of the code_challenge.", challenge, made));
}

bool is_loopback(const std::string& uri) {
  constexpr std::string_view kScheme = "http://";
  if (!uri.starts_with(kScheme)) return false;
  const auto path = std::min(uri.find('/', kScheme.size()), uri.size());
  std::string host = in_lower_case(uri.substr(kScheme.size(), path - kScheme.size()));
  if (host.starts_with("[::1]")) return true;
  host.erase(std::min(host.find(':'), host.size()));
  const bool is_address = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || (is_address && host.starts_with("127."));
}

// The port of a loopback address may be another (RFC 8252 §7.3).
std::string without_port(const std::string& uri) {
  if (!is_loopback(uri)) return uri;
  const auto path = std::min(uri.find('/', uri.find("://") + 3), uri.size());
  const auto colon = uri.rfind(':', path == uri.size() ? path : path - 1);
  const bool has_port = colon != std::string::npos && colon > uri.find("://") &&
                        uri.find(']', colon) == std::string::npos;
  return has_port ? uri.substr(0, colon) + uri.substr(path) : uri;
}

// Null: nothing was registered under that id.
const OAuthTurn* registration_of(const OAuthRecord& record, const std::string& client) {
  for (const auto& each : record.turns) {
    if (each.place == OAuthPlace::registration && each.given == client) return &each;
  }
  return nullptr;
}

void judge_redirect(const OAuthRecord& record, const OAuthTurn& turn, ClientCharges& charges) {
  const std::string uri = parameter_of(turn, "redirect_uri");
  if (uri.empty()) return;
  const bool is_plain = uri.starts_with("http://");
  if (is_plain || uri.starts_with("https://")) charges.exercise(kRedirect);
  if (is_plain && !is_loopback(uri)) {
    charges.charge(kRedirect,
                   rule_broken("The redirect URI is neither of this machine nor of HTTPS.",
                               "https, or localhost", uri));
  }
  const auto* registration = registration_of(record, parameter_of(turn, "client_id"));
  const auto body = json::parse(registration == nullptr ? "{}" : registration->body);
  const json::Value* registered = body ? json::at(*body.value, "/redirect_uris") : nullptr;
  if (registered == nullptr || !registered->is(Kind::array) || registered->size() == 0) return;
  const auto is_it = [&](const json::Value& each) {
    return each.is(Kind::string) && without_port(each.text()) == without_port(uri);
  };
  if (std::ranges::any_of(registered->children(), is_it)) return;
  charges.charge(kRedirect, rule_broken("The redirect URI is not one that the client registered.",
                                        json::write(*registered), uri));
}

void judge_state(const OAuthTurn& turn, ClientCharges& charges) {
  charges.exercise(kState);
  if (!parameter_of(turn, "state").empty()) return;
  charges.charge(kState,
                 rule_broken("A request for authorization has no state.", "state", turn.target));
}

void judge_redemption(const OAuthRecord& record, const OAuthTurn& turn, ClientCharges& charges) {
  const std::string code = parameter_of(turn, "code");
  const auto asked = std::ranges::find_if(record.turns, [&](const OAuthTurn& each) {
    return each.place == OAuthPlace::authorization && !code.empty() && each.given == code;
  });
  if (asked == record.turns.end()) return;
  judge_verifier(*asked, turn, charges);
  const std::string uri = parameter_of(turn, "redirect_uri");
  const std::string before = parameter_of(*asked, "redirect_uri");
  // OAuth 2.1 asks for it no more, and 2.0 for the same (RFC 6749 §4.1.3).
  if (uri.empty() || before.empty() || uri == before) return;
  charges.exercise(kRedirect);
  charges.charge(kRedirect, rule_broken("A code is redeemed with another redirect URI than it was "
                                        "asked for with.",
                                        before, uri));
}

}  // namespace

void judge_grants(const OAuthRecord& record, ClientCharges& charges) {
  for (const auto& turn : record.turns) {
    const bool is_authorization = turn.place == OAuthPlace::authorization;
    if (!is_authorization && turn.place != OAuthPlace::token) continue;
    judge_resource(record, turn, charges);
    if (!is_authorization) {
      judge_redemption(record, turn, charges);
      continue;
    }
    judge_challenge(turn, charges);
    judge_redirect(record, turn, charges);
    judge_state(turn, charges);
  }
}

}  // namespace jrpcheck::judge
