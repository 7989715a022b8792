#include "reference-impl/bitcoin_http.hpp"

#include <nlohmann/json.hpp>

#include "base/base64.hpp"
#include "reference-impl/error.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;
using wire::HttpMessage;

constexpr std::size_t kMostBytesOfHead = 8192;

bool is_served(std::string_view path) {
  path = path.substr(0, path.find('?'));
  return path == "/" || path.starts_with("/wallet/");
}

bool has_login(const HttpMessage& request) {
  constexpr std::string_view kScheme = "Basic ";
  const auto field = request.field("Authorization");
  if (!field || !field->starts_with(kScheme)) return false;
  return from_base64(field->substr(kScheme.size())) == kBitcoinLogin;
}

/// In a batch, and in 2.0 but for what is no request, an error is no failure of HTTP.
int status_of(const std::string& reply) {
  const json response = json::parse(reply, nullptr, false);
  if (!response.is_object() || !response.contains("error")) return 200;
  const json& error = response["error"];
  if (!error.is_object() || !error.contains("code")) return 200;
  const json& code = error["code"];
  if (code == kInvalidRequest) return 400;
  if (response.contains("jsonrpc") && response["jsonrpc"] == "2.0") return 200;
  return code == kMethodNotFound ? 404 : 500;
}

}  // namespace

HttpAnswer answer_of_bitcoin(
    const HttpMessage& request,
    const std::function<std::optional<std::string>(std::string_view message)>& reply) {
  if (!request.violation.empty() || request.head.size() > kMostBytesOfHead) {
    return respond(400, /*keep_alive=*/false);
  }
  if (!is_served(request.target)) return respond(404, request);
  if (request.method != "POST") {
    return respond(405, request, {{"Content-Type", "text/plain"}, {"Allow", "POST"}},
                   "JSONRPC server handles only POST requests");
  }
  if (!has_login(request)) {
    return respond(401, request, {{"WWW-Authenticate", "Basic realm=\"jsonrpc\""}});
  }
  const auto text = reply(request.body);
  if (!text) return respond(204, request);
  return respond(status_of(*text), request, {{"Content-Type", "application/json"}}, *text + "\n");
}

}  // namespace jrpcheck::reference
