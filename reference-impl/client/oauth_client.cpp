#include "reference-impl/client/oauth_client.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "base/bytes.hpp"
#include "reference-impl/client/connection.hpp"

namespace jrpcheck::reference {

namespace {

using Json = SessionJson;

constexpr std::size_t kMostTries = 3;
constexpr const char* kDocument = "https://client.example/client.json";
constexpr const char* kOpenId = "/.well-known/openid-configuration";
constexpr const char* kOfServer = "/.well-known/oauth-authorization-server";
constexpr const char* kOfResource = "/.well-known/oauth-protected-resource";
constexpr const char* kOffline = "offline_access";

// The value of a parameter of a challenge (RFC 9110 §11.2), as this server writes them.
std::optional<std::string> parameter_in(const std::string& challenge, const std::string& name) {
  const auto at = challenge.find(name + "=\"");
  if (at == challenge.npos) return std::nullopt;
  const auto begin = at + name.size() + 2;
  return challenge.substr(begin, challenge.find('"', begin) - begin);
}

std::string with_blanks(const Json& list) {
  std::string all;
  for (const auto& each : list) all += (all.empty() ? "" : " ") + each.get<std::string>();
  return all;
}

bool names(const Json& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

OAuthClient::OAuthClient(Url server, bool is_of_march, std::string_view oddity)
    : server_url_(std::move(server)), is_of_march_(is_of_march), oddity_(oddity) {
  if (is("looks-first")) get_json(origin() + kOfResource + server_url_.path);
}

bool OAuthClient::is(std::string_view name) const {
  return oddity_.ends_with("-auth-" + std::string(name));
}

std::string OAuthClient::resource() const {
  if (is("other-resource")) return "https://elsewhere.example/mcp";
  if (is("resource-is-host")) return origin();
  return origin() + server_url_.path + (is("resource-with-slash") ? "/" : "");
}

std::string OAuthClient::redirect_uri() const {
  return is("plain-redirect") ? "http://client.example/callback" : "http://127.0.0.1:3000/callback";
}

std::optional<wire::HttpMessage> OAuthClient::ask(const std::string& method, const std::string& url,
                                                  wire::HttpFields fields,
                                                  const std::string& body) const {
  const auto place = parse_url(url);
  if (!place) return std::nullopt;
  const auto wire = connect_to(server_url_.host, place->port);
  if (!wire) return std::nullopt;
  fields.insert(fields.begin(), {"Host", place->authority()});
  fields.emplace_back("Content-Length", std::to_string(body.size()));
  (*wire)->write(wire::http_request(method, place->path, fields, body));
  wire::HttpReader reader(wire::HttpReader::Role::client);
  const auto deadline = Deadline::in(kForAnAnswer);
  while (!deadline.passed() && !(*wire)->has_ended()) {
    std::string bytes;
    (*wire)->read(bytes, deadline);
    reader.feed(bytes);
    if (auto response = reader.next()) return response;
  }
  return std::nullopt;
}

Json OAuthClient::get_json(const std::string& url) const {
  const auto response = ask("GET", url);
  if (!response || response->status != 200) return nullptr;
  return Json::parse(response->body, nullptr, false);
}

void OAuthClient::add_token(const std::string& call, wire::HttpFields& fields) const {
  const bool is_left_out = is("token-left-out") && call == "tools/call";
  if (token_.empty() || is("token-in-url") || is_left_out) return;
  const bool is_other = is("refresh-as-token") && call == "tools/call";
  fields.emplace_back("Authorization", (is("small-bearer") ? "bearer " : "Bearer ") +
                                           (is_other ? refresh_token_ : token_));
}

std::string OAuthClient::target() const {
  const bool is_there = is("token-in-url") || is("token-in-url-too");
  return server_url_.path + (is_there && !token_.empty() ? "?access_token=" + token_ : "");
}

void OAuthClient::follow(const std::string& url, const std::string& body) const {
  if (is("stays")) return;
  wire::HttpFields fields = {{"Content-Type", "application/json"}};
  if (is("token-elsewhere")) fields.emplace_back("Authorization", "Bearer " + token_);
  ask("POST", url, fields, body);
}

OAuthClient::Challenge OAuthClient::read_challenge(const wire::HttpMessage& response) {
  const std::string text(response.field("WWW-Authenticate").value_or(""));
  return {parameter_in(text, "resource_metadata").value_or(""), parameter_in(text, "scope")};
}

bool OAuthClient::take_refusal(const wire::HttpMessage& response) {
  const bool is_wider = response.status == 403;
  if (is("takes-no-part") || (is_wider && is("no-step-up"))) return false;
  const bool ends = !is_wider || !is("never-gives-up");
  if (++tries_ > kMostTries && ends) return false;
  return authorize(read_challenge(response), is_wider);
}

bool OAuthClient::authorize(const Challenge& challenge, bool is_wider) {
  if (!discover(challenge)) return false;
  if (!is_wider && !refresh_token_.empty() && !is("code-again") && refresh()) return true;
  refresh_token_.clear();
  if (!has_client_id()) return false;
  scope_ = choose_scope(challenge, is_wider);
  if (is("acts-for-itself")) return get_token({{"grant_type", "client_credentials"}});
  std::string verifier;
  const auto code = get_code(scope_, verifier);
  if (!code || is("waits-for-person")) return false;
  wire::Parameters parameters = {{"grant_type", "authorization_code"}, {"code", *code}};
  if (!is("no-redirect-at-token")) {
    parameters.emplace_back("redirect_uri",
                            redirect_uri() + (is("other-redirect") ? "/other" : ""));
  }
  if (is("other-verifier")) verifier.back() = verifier.back() == 'x' ? 'y' : 'x';
  if (!is("no-pkce") && !is("no-verifier")) parameters.emplace_back("code_verifier", verifier);
  return get_token(std::move(parameters));
}

Json OAuthClient::find_resource_metadata(const Challenge& challenge) const {
  if (!challenge.address.empty() && !is("no-challenge-read")) return get_json(challenge.address);
  if (is("no-well-known")) return nullptr;
  std::vector<std::string> addresses = {origin() + kOfResource + server_url_.path,
                                        origin() + kOfResource};
  if (is("well-known-root-first")) std::reverse(addresses.begin(), addresses.end());
  if (is("well-known-at-root")) addresses.erase(addresses.begin());
  if (is("well-known-at-path")) addresses.pop_back();
  for (const auto& each : addresses) {
    if (Json found = get_json(each); found.is_object()) return found;
  }
  return nullptr;
}

bool OAuthClient::discover(const Challenge& challenge) {
  if (is_of_march_) return find_server(origin());
  resource_metadata_ = find_resource_metadata(challenge);
  if (!resource_metadata_.is_object()) return false;
  const bool is_own = resource_metadata_.value("resource", "") == origin() + server_url_.path;
  if (!is_own && !is("any-resource")) return false;
  const std::string issuer = resource_metadata_["authorization_servers"][0];
  return find_server(issuer);
}

std::vector<std::string> OAuthClient::server_metadata_addresses(const std::string& issuer) const {
  const auto at = std::min(issuer.find('/', issuer.find("://") + 3), issuer.size());
  const std::string host = issuer.substr(0, at);
  const std::string path = is("path-left-out") ? "" : issuer.substr(at);
  if (is_of_march_) return {host + kOfServer};
  std::vector<std::string> all = {host + kOfServer + path, host + kOpenId + path};
  if (!path.empty() && !is("nothing-behind")) all.push_back(issuer + kOpenId);
  if (is("openid-first")) std::swap(all[0], all[1]);
  if (is("oauth-alone")) all.resize(1);
  return all;
}

bool OAuthClient::find_server(const std::string& issuer) {
  if (issuer == issuer_) return true;
  const bool is_other = !issuer_.empty();
  if (is_other && is("keeps-server")) return true;
  Json found;
  for (const auto& each : server_metadata_addresses(issuer)) {
    found = get_json(each);
    if (found.is_object()) break;
  }
  if (!found.is_object()) {
    if (!is_of_march_ || is("no-defaults")) return false;
    found = {{"issuer", issuer},
             {"authorization_endpoint", issuer + "/authorize"},
             {"token_endpoint", issuer + "/token"},
             {"registration_endpoint", issuer + "/register"},
             {"code_challenge_methods_supported", {"S256"}}};
  }
  if (found.value("issuer", "") != issuer && !is("any-issuer")) return false;
  if (!found.contains("code_challenge_methods_supported") && !is("needs-no-pkce")) return false;
  // What one has given out is nothing to another.
  if (!is("keeps-client-id")) client_id_.clear();
  if (!is("keeps-refresh-token")) refresh_token_.clear();
  issuer_ = issuer;
  server_ = std::move(found);
  return true;
}

bool OAuthClient::has_client_id() {
  if (!client_id_.empty()) return true;
  const std::string given = environment("JRPCHECK_CLIENT_ID");
  if (!given.empty() && !is("registers-always")) {
    client_id_ = given;
    secret_ = environment("JRPCHECK_CLIENT_SECRET");
    return true;
  }
  const bool is_supported = server_.value("client_id_metadata_document_supported", false);
  if ((is_supported && is("document")) || is("document-unasked")) client_id_ = kDocument;
  if (is_supported && is("plain-document")) client_id_ = "http://client.example/client.json";
  return !client_id_.empty() || register_itself();
}

bool OAuthClient::register_itself() {
  if (!server_.contains("registration_endpoint")) return false;
  Json body = {{"client_name", "jrpcheck-reference"},
               {"redirect_uris", {redirect_uri()}},
               {"grant_types", {"authorization_code", "refresh_token"}},
               {"response_types", {"code"}},
               {"application_type", "native"}};
  if (is("unregistered-redirect")) body["redirect_uris"] = {"http://127.0.0.1:3000/other"};
  if (is("registers-no-redirect")) body.erase("redirect_uris");
  if (is("no-application-type")) body.erase("application_type");
  if (is("offline-unregistered")) body["grant_types"] = {"authorization_code"};
  wire::HttpFields fields = {{"Content-Type", "application/json"}};
  std::string text = body.dump();
  if (is("registers-by-form")) {
    fields = {{"Content-Type", "application/x-www-form-urlencoded"}};
    text = wire::write_parameters({{"client_name", "jrpcheck-reference"}});
  }
  if (is("shows-old-token") && !token_.empty()) {
    fields.emplace_back("Authorization", "Bearer " + token_);
  }
  const auto response = ask("POST", server_["registration_endpoint"], fields, text);
  if (!response || response->status != 201) return false;
  const Json answer = Json::parse(response->body, nullptr, false);
  if (!answer.is_object()) return false;
  client_id_ = answer.value("client_id", "");
  secret_ = answer.value("client_secret", "");
  return !client_id_.empty();
}

std::string OAuthClient::choose_scope(const Challenge& challenge, bool is_wider) const {
  std::string wanted = challenge.scope.value_or("");
  if (is_wider && is("same-scope-again")) return scope_;
  if (is_wider && (is("new-scope-alone") || scope_.empty())) return wanted;
  if (is_wider)
    return (" " + scope_ + " ").find(" " + wanted + " ") == scope_.npos ? scope_ + " " + wanted
                                                                        : scope_;
  const Json supported = resource_metadata_.value("scopes_supported", Json::array());
  std::string scope = challenge.scope ? wanted : with_blanks(supported);
  if (challenge.scope && is("no-challenge-scope")) scope.clear();
  if (challenge.scope && is("all-scopes")) scope = with_blanks(supported);
  if (!challenge.scope && is("no-supported-scopes")) scope.clear();
  if (scope.empty() && is("own-scope")) scope = "everything";
  if (!scope.empty() && is("own-scope-beside")) scope += " profile";
  const bool has_offline = names(server_.value("scopes_supported", Json::array()), kOffline);
  if (has_offline || is("offline-unasked"))
    scope += (scope.empty() ? "" : " ") + std::string(kOffline);
  return scope;
}

std::optional<std::string> OAuthClient::get_code(const std::string& scope, std::string& verifier) {
  verifier =
      is("short-verifier") ? "short" : "jrpcheck-reference-verifier-of-43-characters-and-more";
  verifier += std::to_string(++states_);
  const std::string state = "state-" + std::to_string(states_);
  const bool is_plain = is("plain-pkce");
  wire::Parameters query = {
      {"response_type", "code"},
      {"client_id", client_id_},
      {"redirect_uri", redirect_uri()},
      {"code_challenge", is_plain ? verifier : wire::pkce_challenge(verifier)},
      {"code_challenge_method", is_plain ? "plain" : "S256"},
      {"state", state},
      {"resource", resource()}};
  if (!scope.empty()) query.emplace_back("scope", scope);
  std::erase_if(query, [&](const auto& each) {
    return (is("no-pkce") && each.first.starts_with("code_challenge")) ||
           (is("no-state") && each.first == "state") ||
           (is("no-resource") && each.first == "resource");
  });
  const std::string endpoint = server_["authorization_endpoint"];
  const auto response = ask("GET", endpoint + "?" + wire::write_parameters(query));
  if (!response || response->status != 302) return std::nullopt;
  const std::string location(response->field("Location").value_or(""));
  const auto answer = wire::read_parameters(location.substr(location.find('?') + 1));
  if (!takes_answer(answer, is("no-state") ? "" : state)) return std::nullopt;
  return wire::parameter(answer, "code");
}

bool OAuthClient::takes_answer(const wire::Parameters& answer, const std::string& state) const {
  const auto given = wire::parameter(answer, "state");
  const bool is_missing = !given && is("state-may-be-missing");
  const bool is_same = given.value_or("") == state || is("any-state") || is_missing;
  return is_same && takes_issuer(wire::parameter(answer, "iss"));
}

// RFC 9207 §2.4.
bool OAuthClient::takes_issuer(const std::optional<std::string>& issuer) const {
  const bool is_promised = server_.value("authorization_response_iss_parameter_supported", false);
  if (is("any-iss") || (is("iss-if-promised") && !is_promised)) return true;
  if (!issuer) return !is_promised || is("iss-may-be-missing");
  return *issuer == issuer_ || (is("iss-normalized") && *issuer == issuer_ + "/");
}

bool OAuthClient::refresh() {
  wire::Parameters parameters = {{"grant_type", "refresh_token"},
                                 {"refresh_token", refresh_token_}};
  return get_token(std::move(parameters));
}

bool OAuthClient::get_token(wire::Parameters parameters) {
  wire::HttpFields fields = {{"Content-Type", "application/x-www-form-urlencoded"}};
  const bool is_refresh = parameters.front().second == "refresh_token";
  const bool leaves_out =
      is("no-resource-at-token") || (is_refresh && is("no-resource-at-refresh"));
  if (!leaves_out) parameters.emplace_back("resource", resource());
  if (parameters.front().second == "client_credentials" && !scope_.empty()) {
    parameters.emplace_back("scope", scope_);
  }
  const Json ways = server_.value("token_endpoint_auth_methods_supported", Json::array());
  const bool has_secret = !secret_.empty() && !is("no-secret") && !is("given-id-alone");
  const bool is_basic =
      !is("secret-in-form") && (names(ways, "client_secret_basic") || is("secret-in-head"));
  if (has_secret && (is_basic || is("secret-twice"))) {
    fields.emplace_back("Authorization", "Basic " + to_base64(client_id_ + ":" + secret_));
  } else {
    parameters.emplace_back("client_id", client_id_);
  }
  if (has_secret && (!is_basic || is("secret-twice"))) {
    parameters.emplace_back("client_secret", secret_);
  }
  const auto response =
      ask("POST", server_["token_endpoint"], fields, wire::write_parameters(parameters));
  if (!response || response->status != 200) return false;
  const Json answer = Json::parse(response->body, nullptr, false);
  if (!answer.is_object()) return false;
  token_ = answer.value("access_token", "");
  refresh_token_ = answer.value("refresh_token", "");
  return !token_.empty();
}

}  // namespace jrpcheck::reference
