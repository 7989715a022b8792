#include "reference-impl/client/oauth_client.hpp"

namespace jrpcheck::reference {

namespace {

// By its name without that of a family. `breaks` empty: it is legal.
struct OAuthMutant {
  std::string_view name;
  std::string_view breaks;
  std::string_view about;
  /// What may be charged as well, since the client comes no further.
  std::vector<std::string_view> may_break = {};
};

const std::vector<OAuthMutant>& of_all() {
  static const std::vector<OAuthMutant> all = {
      {"token-left-out", "mcp-c-auth-header", "One request comes without the token."},
      {"token-in-url", "mcp-c-auth-header", "The token is in the URL and nowhere else."},
      {"token-in-url-too", "mcp-c-auth-header", "The token is in the URL as well."},
      {"no-challenge-read", "mcp-c-auth-401", "It does not look at the address in the challenge."},
      {"no-resource", "mcp-c-auth-resource", "It asks for authorization for no resource."},
      {"no-resource-at-token", "mcp-c-auth-resource", "It redeems codes for no resource."},
      {"no-resource-at-refresh", "mcp-c-auth-resource", "It refreshes for no resource."},
      {"other-resource", "mcp-c-auth-resource", "It asks for a token for another resource."},
      {"no-pkce", "mcp-c-auth-pkce", "It has no PKCE."},
      {"plain-pkce", "mcp-c-auth-pkce", "Its challenge is the verifier itself."},
      {"other-verifier", "mcp-c-auth-pkce", "Its verifier is another than that of the challenge."},
      {"no-verifier", "mcp-c-auth-pkce", "It redeems codes without the verifier."},
      {"short-verifier", "mcp-c-auth-pkce", "Its verifier is too short."},
      {"needs-no-pkce", "mcp-c-auth-pkce-support", "It does not look whether the server has PKCE."},
      {"no-state", "mcp-c-auth-state", "It sends no state."},
      {"any-state", "mcp-c-auth-state", "It takes an answer with any state."},
      {"state-may-be-missing", "mcp-c-auth-state", "It takes an answer without the state."},
      {"plain-redirect", "mcp-c-auth-redirect", "Its redirect URI is of HTTP on another host."},
      {"other-redirect", "mcp-c-auth-redirect", "It redeems codes with another redirect URI."},
      {"unregistered-redirect", "mcp-c-auth-redirect",
       "It asks with another redirect URI than it registered."},
      {"refresh-as-token", "mcp-c-auth-issued-token",
       "It sends a refresh token in the place of the token."},
      {"token-elsewhere", "mcp-c-auth-token-elsewhere",
       "It takes the token along to another host."},
      {"no-challenge-scope", "mcp-c-auth-scope-challenge",
       "It does not ask for the scope of the challenge."},
      {"all-scopes", "mcp-c-auth-scope-challenge",
       "It asks for all scopes, whatever the challenge says."},
      {"no-supported-scopes", "mcp-c-auth-scope-supported",
       "It asks for no scope without one in the challenge."},
      {"own-scope", "mcp-c-auth-scope-supported",
       "It asks for a scope of its own where none is named."},
      {"no-step-up", "mcp-c-auth-step-up", "It does not ask for a wider scope."},
      {"same-scope-again",
       "mcp-c-auth-step-up",
       "It asks again for the scope that does not do.",
       {"mcp-c-auth-retry-limit"}},
      {"never-gives-up", "mcp-c-auth-retry-limit", "It asks for a wider scope without end."},
      {"registers-by-form", "mcp-c-auth-dynamic-registration",
       "It registers by a form in place of JSON."},
      {"registers-no-redirect", "mcp-c-auth-dynamic-registration", "It registers no redirect URI."},
      {"document-unasked", "mcp-c-auth-cimd",
       "Its client id is a document where that is not supported."},
      {"plain-document", "mcp-c-auth-cimd", "Its client id is a document of HTTP."},
      {"no-well-known", "mcp-c-auth-wellknown",
       "It does not look for the metadata without an address."},
      {"well-known-at-root", "mcp-c-auth-wellknown",
       "It looks for the metadata without the path alone."},
      {"well-known-at-path", "mcp-c-auth-wellknown",
       "It looks for the metadata with the path alone."},
      {"well-known-root-first", "mcp-c-auth-wellknown",
       "It looks for the metadata without the path first."},
      {"oauth-alone", "mcp-c-auth-metadata-order", "It knows no metadata of OpenID."},
      {"openid-first", "mcp-c-auth-metadata-order", "It looks for metadata of OpenID first."},
      {"path-left-out", "mcp-c-auth-metadata-order", "It leaves out the path of the issuer."},
      {"nothing-behind", "mcp-c-auth-metadata-order",
       "It does not look behind the path of the issuer."},
      {"any-resource", "mcp-c-auth-resource-mismatch",
       "It takes the metadata of another resource."},
      {"secret-in-form", "mcp-c-auth-token-method",
       "It shows its secret in the form, whatever is supported."},
      {"secret-in-head", "mcp-c-auth-token-method",
       "It shows its secret in the head, whatever is supported."},
      {"no-secret", "mcp-c-auth-token-method", "It does not show its secret."},
      {"secret-twice", "mcp-c-auth-token-method", "It shows its secret in head and form."},
      {"given-id-alone", "mcp-c-auth-token-method",
       "It does not show the secret that it was given."},
      {"code-again", "", "It gets a new code in place of refreshing."},
      {"acts-for-itself", "", "It acts for itself, by client_credentials."},
      {"takes-no-part", "", "It leaves when it is asked for a token."},
      {"waits-for-person", "", "It asks for authorization and waits for a person."},
      {"looks-first", "", "It looks for metadata before it asks for anything."},
      {"resource-is-host", "", "Its resource is the host of the server."},
      {"resource-with-slash", "", "Its resource ends with a slash."},
      {"small-bearer", "", "It writes bearer in small letters."},
      {"own-scope-beside", "", "It asks for a scope of its own beside those that are named."},
      {"no-redirect-at-token", "",
       "It redeems codes without the redirect URI, as OAuth 2.1 has it."},
      {"registers-always", "", "It takes no credentials that it is given."},
      {"document", "", "Its client id is a document where that is supported."},
      {"stays", "", "It follows no redirect."},
  };
  return all;
}

// Of 2025-03-26, where a client finds its authorization server otherwise.
const std::vector<OAuthMutant>& of_march() {
  static const std::vector<OAuthMutant> all = {
      {"no-defaults", "mcp-c-auth-defaults-march", "It gives up without metadata."},
      {"token-left-out", "mcp-c-auth-header", "One request comes without the token."},
      {"no-pkce", "mcp-c-auth-pkce", "It has no PKCE."},
      {"registers-by-form", "mcp-c-auth-dynamic-registration", "It registers by a form."},
      {"code-again", "", "It gets a new code in place of refreshing."},
  };
  return all;
}

// That the later version alone asks for.
const std::vector<OAuthMutant>& of_stateless() {
  static const std::vector<OAuthMutant> all = {
      {"new-scope-alone", "mcp-c-auth-step-up",
       "It asks for the new scope without those that it had."},
      {"no-application-type", "mcp-c-auth-application-type",
       "It does not say what application it is."},
      {"offline-unasked", "mcp-c-auth-offline",
       "It asks for offline_access where that is not supported."},
      {"offline-unregistered", "mcp-c-auth-offline",
       "It has not registered for the refresh tokens it wants."},
      {"any-issuer", "mcp-c-auth-metadata-issuer", "It takes the metadata of another issuer."},
      {"any-iss", "mcp-c-auth-iss", "It does not look who has answered."},
      {"iss-may-be-missing", "mcp-c-auth-iss",
       "It takes an answer without the issuer that was promised."},
      {"iss-if-promised", "mcp-c-auth-iss",
       "It looks who has answered only where that was promised."},
      {"iss-normalized", "mcp-c-auth-iss", "A slash at the end of an issuer means nothing to it."},
      {"keeps-client-id", "mcp-c-auth-server-change", "It takes its client id to another server."},
      {"keeps-refresh-token", "mcp-c-auth-server-change",
       "It takes its refresh token to another server."},
      {"keeps-server", "mcp-c-auth-server-change",
       "It stays with a server that the resource has left."},
      {"shows-old-token", "mcp-c-auth-server-change",
       "It registers at another server by its old token."},
  };
  return all;
}

}  // namespace

std::vector<ClientMutant> oauth_mutants(std::string_view family) {
  std::vector<ClientMutant> made;
  const auto add = [&](const std::vector<OAuthMutant>& rows) {
    for (const auto& each : rows) {
      ClientMutant& mutant = made.emplace_back();
      mutant.name = std::string(family) + "-auth-" + std::string(each.name);
      if (!each.breaks.empty()) mutant.breaks.certain = {each.breaks};
      mutant.breaks.possible = each.may_break;
      mutant.doors = kOverHttp;
      mutant.about = each.about;
    }
  };
  add(family == "march" ? of_march() : of_all());
  if (family == "stateless") add(of_stateless());
  return made;
}

}  // namespace jrpcheck::reference
