// The reference client of OAuth: gets a token where a server of MCP demands one, as it should be
// done or with one thing wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/client/link.hpp"
#include "reference-impl/client/protocol_client.hpp"
#include "reference-impl/client/session_carrier.hpp"
#include "wire/http1.hpp"
#include "wire/oauth.hpp"

namespace jrpcheck::reference {

class OAuthClient {
 public:
  /// `oddity`: the name of a mutant; it must outlive the client.
  OAuthClient(Url server, bool is_of_march, std::string_view oddity);

  /// What a request needs, which makes that call or none.
  void add_token(const std::string& call, wire::HttpFields& fields) const;
  /// The path of the server as a request names it.
  std::string target() const;
  /// A response of 401 or 403 to a request: whether it is worth to send that again.
  bool take_refusal(const wire::HttpMessage& response);
  /// Another response.
  void take_success() { tries_ = 0; }
  /// Follows a redirect to another host.
  void follow(const std::string& url, const std::string& body) const;

 private:
  struct Challenge {
    std::string address;  // of the metadata
    std::optional<std::string> scope;
  };

  bool is(std::string_view name) const;
  std::string origin() const { return "http://" + server_url_.authority(); }
  std::string resource() const;
  std::string redirect_uri() const;
  std::optional<wire::HttpMessage> ask(const std::string& method, const std::string& url,
                                       wire::HttpFields fields = {},
                                       const std::string& body = {}) const;
  SessionJson get_json(const std::string& url) const;

  static Challenge read_challenge(const wire::HttpMessage& response);
  bool authorize(const Challenge& challenge, bool is_wider);
  bool discover(const Challenge& challenge);
  SessionJson find_resource_metadata(const Challenge& challenge) const;
  std::vector<std::string> server_metadata_addresses(const std::string& issuer) const;
  bool find_server(const std::string& issuer);
  bool has_client_id();
  bool register_itself();
  std::string choose_scope(const Challenge& challenge, bool is_wider) const;
  std::optional<std::string> get_code(const std::string& scope, std::string& verifier);
  bool takes_answer(const wire::Parameters& answer, const std::string& state) const;
  bool takes_issuer(const std::optional<std::string>& issuer) const;
  bool get_token(wire::Parameters parameters);
  bool refresh();

  Url server_url_;
  bool is_of_march_;
  std::string_view oddity_;
  std::size_t tries_ = 0;
  std::size_t states_ = 0;
  SessionJson resource_metadata_ = SessionJson::object();
  std::string issuer_;
  SessionJson server_;  // its metadata
  std::string client_id_;
  std::string secret_;
  std::string scope_;  // that was asked for last
  std::string token_;
  std::string refresh_token_;
};

/// Its mutants in the last version with a handshake ("mcp"), in that without one ("stateless"), or
/// in 2025-03-26 ("march").
std::vector<ClientMutant> oauth_mutants(std::string_view family);

}  // namespace jrpcheck::reference
