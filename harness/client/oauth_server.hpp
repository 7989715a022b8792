// OAuth server: demands a token of a client, and is the authorization server that gives it one. It
// knows no transport.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "corpus/authorization_plan.hpp"
#include "judge/clients/oauth_record.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::client {

/// The path of the server of the protocol.
inline constexpr const char* kResourcePath = "/mcp";

/// Safe to use from several connections at once. It is lenient: what is wrong with a request is for
/// the judge to say, and more is seen of who goes on.
class OAuthServer {
 public:
  explicit OAuthServer(const corpus::AuthorizationPlan& plan) : plan_(plan) { record_.plan = plan; }

  /// Before the first request: "http://127.0.0.1:1234".
  void stand_at(const std::string& origin);

  struct Reply {
    int status = 200;
    wire::HttpFields fields = {};
    std::string body = {};
  };
  /// Nothing: the request is for the server of the protocol, and has a token that is good for it.
  std::optional<Reply> hear(const wire::HttpMessage& request);

  /// The client asks for the same again and again, and would for ever.
  bool goes_in_circles() const;
  judge::OAuthRecord record() const;

 private:
  struct Grant {
    std::size_t server = 0;
    std::string scope = {};
    std::size_t uses = 0;
    bool is_refused = false;  // it was told to be insufficient
  };

  std::string filled(std::string text, std::size_t server) const;
  std::string base_of(std::size_t server) const;
  std::string metadata_of(std::size_t server) const;
  std::optional<std::string> challenge_of(const std::string& more) const;
  Reply route(judge::OAuthTurn& turn, const wire::HttpMessage& request);
  std::optional<Reply> guard(judge::OAuthTurn& turn, const wire::HttpMessage& request);
  Reply refuse(judge::OAuthTurn& turn, int status, const std::string& more);
  Reply register_client(judge::OAuthTurn& turn, const std::string& body);
  Reply authorize(judge::OAuthTurn& turn);
  Reply give_token(judge::OAuthTurn& turn);
  bool knows_client(const judge::OAuthTurn& turn) const;
  std::string new_name(const std::string& kind);

  const corpus::AuthorizationPlan& plan_;
  mutable std::mutex mutex_;  // guards what follows
  judge::OAuthRecord record_;
  bool has_moved_ = false;
  std::size_t names_ = 0;
  std::map<std::string, std::string> secrets_;    // by client id
  std::map<std::string, std::string> redirects_;  // by client id
  std::map<std::string, Grant> codes_;
  std::map<std::string, Grant> tokens_;
  std::map<std::string, Grant> refreshes_;
  std::string first_token_;
  std::map<std::string, std::size_t> insufficient_;  // how often a call was that
};

}  // namespace jrpcheck::client
