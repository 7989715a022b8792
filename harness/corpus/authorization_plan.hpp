// Authorization plan: how the server of a dialogue demands a token, and what the authorization
// server is like that jrpcheck plays beside it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/member_reader.hpp"

namespace jrpcheck::corpus {

/// Where a client of OAuth asks.
enum class OAuthPlace {
  resource,           ///< the server of the protocol itself
  resource_metadata,  ///< RFC 9728
  server_metadata,    ///< RFC 8414, OpenID Connect Discovery 1.0
  registration,       ///< RFC 7591
  authorization,
  token,
  elsewhere,
};

/// Where an issuer without a path has its metadata (RFC 8414 §3); with one that stands behind it.
inline constexpr std::string_view kServerMetadata = "/.well-known/oauth-authorization-server";

/// What a client finds in its environment where credentials are given in advance.
inline constexpr std::string_view kGivenId = "jrpcheck-given-client";
inline constexpr std::string_view kGivenSecret = "jrpcheck-given-secret";
/// Where calls are redirected to, on another host.
inline constexpr std::string_view kElsewhere = "/elsewhere";

/// In texts ${origin} is the server's, ${resource} its address, ${issuer} that of the authorization
/// server, and ${resource-metadata} where the metadata of the resource stands.
struct AuthorizationPlan {
  /// WWW-Authenticate of 401; empty: there is none.
  std::string challenge = "Bearer resource_metadata=\"${resource-metadata}\"";
  std::string resource_metadata_at = "/resource-metadata";  ///< a path; empty: nowhere
  /// Members in JSON that take the place of usual ones, null that takes one away.
  std::string resource_metadata = "{}";
  std::string issuer = {};             ///< the path of it, "/tenant"
  std::string endpoints = "/oauth";    ///< behind the issuer, before /authorize and the others
  std::string server_metadata_at;      ///< a path; empty: nowhere
  std::string server_metadata = "{}";  ///< as of the resource's
  /// Parameters of the redirect that answers a request for authorization; nothing: it is left out.
  std::map<std::string, std::optional<std::string>> redirect = {};
  bool gives_credentials = false;    ///< in the environment, as JRPCHECK_CLIENT_ID and _SECRET
  std::size_t expires_after = 0;     ///< so many requests the first token is good for; 0: all
  std::string moves_to = {};         ///< then this is the issuer
  std::string insufficient = {};     ///< a scope without which calls are answered 403
  bool is_never_sufficient = false;  ///< whatever is asked for
  bool sends_elsewhere = false;      ///< calls are redirected to another host

  /// What the client owes to that, beside the rules.
  bool asks_for_token = false;  ///< it asks for authorization or a token, as it does in `as-in`
  std::optional<OAuthPlace> stops_before = {};
  std::vector<std::string> in_order = {};  ///< addresses that it asks for in this order
};

AuthorizationPlan read_authorization(const json::Value& object, Complaint& complaint);

}  // namespace jrpcheck::corpus
