#include "client/oauth_server.hpp"

#include <algorithm>
#include <utility>

#include "base/base64.hpp"
#include "base/bytes.hpp"
#include "base/percent.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/clients/stateless.hpp"
#include "wire/oauth.hpp"

namespace jrpcheck::client {
namespace {

using corpus::OAuthPlace;
using json::Kind;
using judge::OAuthTurn;
using Reply = OAuthServer::Reply;

constexpr std::size_t kMostTurns = 5000;
// Who was refused so often for the same call is not going to stop.
constexpr std::size_t kMostRefusals = 22;

// What clients of OpenID insist on stands there as well.
constexpr std::string_view kUsualServer = R"({
  "issuer": "${issuer}",
  "authorization_endpoint": "${endpoints}/authorize",
  "token_endpoint": "${endpoints}/token",
  "registration_endpoint": "${endpoints}/register",
  "jwks_uri": "${endpoints}/keys",
  "response_types_supported": ["code"],
  "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
  "token_endpoint_auth_methods_supported": ["none"],
  "code_challenge_methods_supported": ["S256"],
  "authorization_response_iss_parameter_supported": true,
  "subject_types_supported": ["public"],
  "id_token_signing_alg_values_supported": ["RS256"]
})";
constexpr std::string_view kUsualResource = R"({
  "resource": "${resource}",
  "authorization_servers": ["${issuer}"],
  "bearer_methods_supported": ["header"]
})";

// The members of one, with those of the other in their places; null takes one away.
std::string merged(std::string_view usual, std::string_view others) {
  const auto base = json::parse(usual);
  const auto more = json::parse(others);
  std::string all;
  const auto add = [&all](const std::string& name, const json::Value& value) {
    all += (all.empty() ? "" : ",") + json::write(json::Value::string(name)) + ":" +
           json::write(value);
  };
  for (std::size_t i = 0; i < base.value->size(); ++i) {
    const auto& name = base.value->names()[i];
    if (more.value->find(name) == nullptr) add(name, base.value->children()[i]);
  }
  for (std::size_t i = 0; i < more.value->size(); ++i) {
    const auto& value = more.value->children()[i];
    if (!value.is(Kind::null)) add(more.value->names()[i], value);
  }
  return "{" + all + "}";
}

std::string host_of(const wire::HttpMessage& request) {
  return std::string(request.field("Host").value_or(""));
}

Reply json_reply(int status, std::string body) {
  return {status,
          {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          std::move(body)};
}

Reply error_reply(int status, const std::string& error) {
  return json_reply(status, R"({"error":")" + error + R"("})");
}

std::string in_json(const std::string& text) { return json::write(json::Value::string(text)); }

std::string value_of(const OAuthTurn& turn, std::string_view name) {
  return wire::parameter(turn.parameters, name).value_or("");
}

bool has_scope(const std::string& scopes, const std::string& one) {
  return (" " + scopes + " ").find(" " + one + " ") != std::string::npos;
}

bool is_of_opening(const std::string& method) {
  return method.empty() || method == "initialize" || method == "server/discover" ||
         method == "ping" || method.starts_with("notifications/");
}

}  // namespace

void OAuthServer::stand_at(const std::string& origin) {
  const std::lock_guard lock(mutex_);
  record_.origin = origin;
  record_.resource = origin + kResourcePath;
  const std::size_t servers = plan_.moves_to.empty() ? 1 : 2;
  for (std::size_t i = 0; i < servers; ++i) record_.server_metadata.push_back(metadata_of(i));
  record_.resource_metadata = filled(merged(kUsualResource, plan_.resource_metadata), 0);
  if (plan_.gives_credentials) secrets_.emplace(corpus::kGivenId, corpus::kGivenSecret);
}

std::string OAuthServer::base_of(std::size_t server) const {
  return server == 0 ? plan_.issuer : plan_.moves_to;
}

std::string OAuthServer::filled(std::string text, std::size_t server) const {
  replace_all(text, "${endpoints}", "${issuer}" + plan_.endpoints);
  replace_all(text, "${issuer}", "${origin}" + base_of(server));
  replace_all(text, "${resource}", "${origin}" + std::string(kResourcePath));
  replace_all(text, "${resource-metadata}", "${origin}" + plan_.resource_metadata_at);
  replace_all(text, "${origin}", record_.origin);
  return text;
}

std::string OAuthServer::metadata_of(std::size_t server) const {
  return filled(merged(kUsualServer, plan_.server_metadata), server);
}

std::string OAuthServer::new_name(const std::string& kind) {
  return "jrpcheck-" + kind + "-" + std::to_string(++names_);
}

std::optional<Reply> OAuthServer::hear(const wire::HttpMessage& request) {
  const std::lock_guard lock(mutex_);
  OAuthTurn turn;
  turn.method = request.method;
  turn.target = request.target;
  turn.path = request.target.substr(0, request.target.find('?'));
  turn.authorization = request.field("Authorization").value_or("");
  turn.content_type = request.field("Content-Type").value_or("");
  const auto query = request.target.find('?');
  if (query != std::string::npos) {
    turn.parameters = wire::read_parameters(std::string_view(request.target).substr(query + 1));
  }
  std::optional<Reply> reply;
  if (turn.path == kResourcePath && record_.origin.ends_with("/" + host_of(request))) {
    reply = guard(turn, request);
  } else {
    reply = route(turn, request);
  }
  if (reply) turn.status = reply->status;
  if (record_.turns.size() < kMostTurns) record_.turns.push_back(std::move(turn));
  return reply;
}

Reply OAuthServer::route(OAuthTurn& turn, const wire::HttpMessage& request) {
  const bool is_get = request.method == "GET";
  if (is_get && turn.path == plan_.resource_metadata_at) {
    turn.place = OAuthPlace::resource_metadata;
    const auto text = merged(kUsualResource, plan_.resource_metadata);
    record_.resource_metadata = filled(text, has_moved_ ? 1 : 0);
    return json_reply(200, record_.resource_metadata);
  }
  for (std::size_t i = 0; i < record_.server_metadata.size(); ++i) {
    turn.server = i;
    const std::string at =
        i == 0 ? plan_.server_metadata_at : std::string(corpus::kServerMetadata) + plan_.moves_to;
    if (is_get && turn.path == at) {
      turn.place = OAuthPlace::server_metadata;
      return json_reply(200, record_.server_metadata[i]);
    }
    const std::string endpoints = base_of(i) + plan_.endpoints;
    if (turn.path == endpoints + "/register" && request.method == "POST") {
      return register_client(turn, request.body);
    }
    if (turn.path == endpoints + "/authorize") return authorize(turn);
    if (turn.path == endpoints + "/token" && request.method == "POST") {
      turn.parameters = wire::read_parameters(request.body);
      return give_token(turn);
    }
  }
  turn.server = 0;
  return {404, {}, ""};
}

std::optional<std::string> OAuthServer::challenge_of(const std::string& more) const {
  if (plan_.challenge.empty()) return std::nullopt;
  std::string text = filled(plan_.challenge, 0);
  if (!more.empty()) text += (text == "Bearer" ? " " : ", ") + more;
  return text;
}

Reply OAuthServer::refuse(OAuthTurn& turn, int status, const std::string& more) {
  Reply reply{status, {}, ""};
  auto challenge = challenge_of(status == 401 ? more : "");
  constexpr std::string_view kScope = "scope=\"";
  if (status == 403) {
    challenge = "Bearer error=\"insufficient_scope\", scope=\"" + plan_.insufficient +
                "\", resource_metadata=\"" + filled("${resource-metadata}", 0) + "\"";
  }
  if (!challenge) return reply;
  if (const auto at = challenge->find(kScope); at != std::string::npos) {
    const auto begin = at + kScope.size();
    turn.scope = challenge->substr(begin, challenge->find('"', begin) - begin);
  }
  reply.fields.emplace_back("WWW-Authenticate", *challenge);
  return reply;
}

std::optional<Reply> OAuthServer::guard(OAuthTurn& turn, const wire::HttpMessage& request) {
  turn.place = OAuthPlace::resource;
  const auto parsed = json::parse(request.body);
  const json::Value none;
  const json::Value& message = parsed ? *parsed.value : none;
  turn.call = json::text_of(message.find("method"));
  const json::Value* asked = json::at(message, "/params/protocolVersion");
  if (turn.call == "initialize" && asked != nullptr && asked->is(Kind::string)) {
    record_.version = asked->text();
  } else if (const auto field = request.field("MCP-Protocol-Version")) {
    record_.version = *field;
  } else if (const auto own = judge::version_without_handshake(message, nullptr); !own.empty()) {
    record_.version = own;
  }
  const std::string token = judge::bearer_of(turn.authorization);
  const auto found = tokens_.find(token);
  if (found == tokens_.end()) return refuse(turn, 401, "");
  Grant& grant = found->second;
  if (has_moved_ && grant.server == 0) return refuse(turn, 401, "error=\"invalid_token\"");
  const bool ends = plan_.expires_after > 0 && token == first_token_;
  if (ends && grant.uses >= plan_.expires_after) {
    has_moved_ = !plan_.moves_to.empty();
    return refuse(turn, 401, "error=\"invalid_token\"");
  }
  ++grant.uses;
  turn.given = token;  // it is good
  if (is_of_opening(turn.call)) return std::nullopt;
  if (plan_.sends_elsewhere) {
    std::string there = record_.origin;
    replace_all(there, "127.0.0.1", "localhost");
    return Reply{307, {{"Location", there + std::string(corpus::kElsewhere)}}, ""};
  }
  if (plan_.insufficient.empty() || has_scope(grant.scope, plan_.insufficient)) {
    if (!plan_.is_never_sufficient) return std::nullopt;
  }
  // Who comes back with a new token has done what it could.
  const bool was_refused = std::ranges::any_of(
      tokens_, [&](const auto& each) { return each.first != token && each.second.is_refused; });
  if (was_refused && !plan_.is_never_sufficient) return std::nullopt;
  grant.is_refused = true;
  ++insufficient_[turn.call];
  return refuse(turn, 403, "");
}

Reply OAuthServer::register_client(OAuthTurn& turn, const std::string& body) {
  turn.place = OAuthPlace::registration;
  turn.body = body;
  const auto parsed = json::parse(body);
  if (!parsed || !parsed.value->is(Kind::object)) {
    return error_reply(400, "invalid_client_metadata");
  }
  turn.given = new_name("client");
  const auto metadata = json::parse(record_.server_metadata[turn.server]);
  const json::Value* method = json::at(*metadata.value, "/token_endpoint_auth_methods_supported/0");
  const std::string by = method == nullptr ? "client_secret_basic" : method->text();
  std::string added = R"({"client_id":)" + in_json(turn.given) +
                      R"(,"client_id_issued_at":1700000000,)" + R"("token_endpoint_auth_method":)" +
                      in_json(by);
  if (by != "none") {
    secrets_[turn.given] = new_name("secret");
    added +=
        R"(,"client_secret":)" + in_json(secrets_[turn.given]) + R"(,"client_secret_expires_at":0)";
  }
  const json::Value* redirect = json::at(*parsed.value, "/redirect_uris/0");
  if (redirect != nullptr) redirects_[turn.given] = redirect->text();
  return json_reply(201, merged(body, added + "}"));
}

Reply OAuthServer::authorize(OAuthTurn& turn) {
  turn.place = OAuthPlace::authorization;
  const auto registered = redirects_.find(value_of(turn, "client_id"));
  std::string to = value_of(turn, "redirect_uri");
  if (to.empty() && registered != redirects_.end()) to = registered->second;
  if (to.empty()) return {400, {{"Content-Type", "text/plain"}}, "there is no redirect_uri"};
  turn.given = new_name("code");
  codes_[turn.given] = {turn.server, value_of(turn, "scope")};
  std::map<std::string, std::optional<std::string>> answer = {
      {"code", turn.given},
      {"iss", record_.origin + base_of(turn.server)},
      {"state", wire::parameter(turn.parameters, "state")}};
  for (const auto& [name, value] : plan_.redirect) {
    // Who has sent no state gets none.
    if (name == "state" && !answer["state"]) continue;
    answer[name] = value ? std::optional(filled(*value, turn.server)) : std::nullopt;
  }
  wire::Parameters parameters;
  for (const auto& [name, value] : answer) {
    if (value) parameters.emplace_back(name, *value);
  }
  to += (to.find('?') == std::string::npos ? "?" : "&") + wire::write_parameters(parameters);
  return {302, {{"Location", to}}, ""};
}

// By one of the ways that the metadata names, and by no other (RFC 6749 §2.3).
bool OAuthServer::knows_client(const OAuthTurn& turn) const {
  std::string id = value_of(turn, "client_id");
  std::string secret = value_of(turn, "client_secret");
  std::string by = secret.empty() ? "none" : "client_secret_post";
  constexpr std::string_view kBasic = "Basic ";
  if (turn.authorization.starts_with(kBasic)) {
    const auto pair = from_base64(turn.authorization.substr(kBasic.size())).value_or("");
    const auto colon = std::min(pair.find(':'), pair.size());
    if (!secret.empty()) return false;
    by = "client_secret_basic";
    id = percent_decoded(pair.substr(0, colon));
    secret = percent_decoded(pair.substr(std::min(colon + 1, pair.size())));
  }
  const auto metadata = json::parse(record_.server_metadata[turn.server]);
  const json::Value* known = metadata.value->find("token_endpoint_auth_methods_supported");
  const auto is_it = [&](const json::Value& each) { return each.text() == by; };
  const bool is_offered = known != nullptr && std::ranges::any_of(known->children(), is_it);
  const auto own = secrets_.find(id);
  return is_offered && (own == secrets_.end() || own->second == secret);
}

Reply OAuthServer::give_token(OAuthTurn& turn) {
  turn.place = OAuthPlace::token;
  if (!knows_client(turn)) {
    auto reply = error_reply(401, "invalid_client");
    if (!turn.authorization.empty()) reply.fields.emplace_back("WWW-Authenticate", "Basic");
    return reply;
  }
  const std::string grant_type = value_of(turn, "grant_type");
  Grant grant{turn.server, value_of(turn, "scope")};
  const bool is_by_code = grant_type == "authorization_code";
  if (is_by_code || grant_type == "refresh_token") {
    auto& all = is_by_code ? codes_ : refreshes_;
    const auto found = all.find(value_of(turn, is_by_code ? "code" : "refresh_token"));
    const bool is_gone = has_moved_ && turn.server == 0;
    if (found == all.end() || found->second.server != turn.server || is_gone) {
      return error_reply(400, "invalid_grant");
    }
    if (is_by_code || grant.scope.empty()) grant.scope = found->second.scope;
    all.erase(found);
  } else if (grant_type != "client_credentials") {
    return error_reply(400, "unsupported_grant_type");
  }
  turn.given = new_name("token");
  if (first_token_.empty()) first_token_ = turn.given;
  std::string answer =
      R"({"access_token":)" + in_json(turn.given) + R"(,"token_type":"Bearer","expires_in":3600)";
  if (grant_type != "client_credentials") {
    turn.refresh = new_name("refresh");
    refreshes_[turn.refresh] = grant;
    answer += R"(,"refresh_token":)" + in_json(turn.refresh);
  }
  if (!grant.scope.empty()) answer += R"(,"scope":)" + in_json(grant.scope);
  tokens_[turn.given] = std::move(grant);
  return json_reply(200, answer + "}");
}

bool OAuthServer::goes_in_circles() const {
  const std::lock_guard lock(mutex_);
  return record_.turns.size() >= kMostTurns ||
         std::ranges::any_of(insufficient_,
                             [](const auto& each) { return each.second >= kMostRefusals; });
}

judge::OAuthRecord OAuthServer::record() const {
  const std::lock_guard lock(mutex_);
  return record_;
}

}  // namespace jrpcheck::client
