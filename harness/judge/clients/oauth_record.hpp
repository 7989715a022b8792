// OAuth record: what a client asked of a resource and of its authorization servers, in order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/authorization_plan.hpp"
#include "wire/oauth.hpp"

namespace jrpcheck::judge {

/// One request, and what answered it.
struct OAuthTurn {
  corpus::OAuthPlace place = corpus::OAuthPlace::elsewhere;
  std::string method = {};         ///< of HTTP
  std::string target = {};         ///< as it came, with its query
  std::string path = {};           ///< of that
  std::string authorization = {};  ///< the field of that name
  std::string content_type = {};
  std::string body = {};             ///< of a registration
  wire::Parameters parameters = {};  ///< of the query, or of the form at the token endpoint
  std::string call = {};             ///< the method that the message calls; empty: none
  int status = 0;
  std::size_t server = 0;                 ///< which of the authorization servers, from 0
  std::string given = {};                 ///< the code, client id or access token of the answer
  std::string refresh = {};               ///< the refresh token of it
  std::optional<std::string> scope = {};  ///< that a challenge names
};

struct OAuthRecord {
  corpus::AuthorizationPlan plan;  ///< by which the client was met
  std::string origin;              ///< "http://127.0.0.1:1234"
  std::string resource;            ///< the address of the server of the protocol
  std::string version;             ///< of the protocol, that the client has named last
  std::string resource_metadata;   ///< JSON, as it was given
  /// JSON, as it was given by each authorization server; its issuer is in it.
  std::vector<std::string> server_metadata;
  std::vector<OAuthTurn> turns;
};

/// The token of `Authorization: Bearer`; empty where there is none.
std::string bearer_of(const std::string& authorization);

}  // namespace jrpcheck::judge
