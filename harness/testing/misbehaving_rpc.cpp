#include "testing/misbehaving_rpc.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace misbehaving {
namespace {

constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kInternalError = -32603;

class Replier {
 public:
  explicit Replier(const Flaws& flaws) : flaws_(flaws) {}

  std::string message(std::string_view text) const {
    Json value;
    if (!parse(text, value)) return error(kParseError, "null");
    if (value.kind != '[') return element(value);
    if (value.children.empty() || flaws_.refuses_batches) return error(kInvalidRequest, "null");
    return batch(value.children);
  }

 private:
  std::string batch(const std::vector<Json>& elements) const {
    std::vector<std::string> replies;
    for (const auto& each : elements) {
      if (auto reply = element(each); !reply.empty()) replies.push_back(std::move(reply));
    }
    if (flaws_.drops_batch_member && replies.size() > 1) replies.pop_back();
    if (flaws_.reverses_batches) std::reverse(replies.begin(), replies.end());
    if (replies.empty()) return flaws_.answers_silence_with_empty_array ? "[]" : "";
    std::string joined;
    for (const auto& reply : replies) joined.append(joined.empty() ? "[" : ",").append(reply);
    return joined + "]";
  }

  std::string element(const Json& request) const {
    const Json* method = request.find("method");
    const Json* id = request.find("id");
    if (is_response(request)) return {};  // a Response asks for nothing
    if (!is_request(request)) {
      const bool echo = flaws_.echoes_id_of_invalid && id != nullptr && is_id(*id);
      return error(flaws_.invalid_is_parse_error ? kParseError : kInvalidRequest,
                   echo ? id->raw : "null");
    }
    const bool silent = id == nullptr && !flaws_.answers_notifications;
    if (silent) return {};
    const std::string_view raw_id = id == nullptr ? "null" : id->raw;
    if (method->text == "subtract") return subtract(request.find("params"), raw_id);
    return error(kMethodNotFound, raw_id);
  }

  static bool is_response(const Json& value) {
    const bool answers = value.find("result") != nullptr || value.find("error") != nullptr;
    return value.kind == '{' && answers && value.find("method") == nullptr;
  }

  static bool is_id(const Json& id) { return id.kind == '"' || id.kind == '0' || id.kind == 'n'; }

 public:
  // JSON-RPC 2.0 §4
  static bool is_request(const Json& value) {
    const Json* version = value.find("jsonrpc");
    const Json* method = value.find("method");
    const Json* params = value.find("params");
    const Json* id = value.find("id");
    return version != nullptr && version->kind == '"' && version->text == "2.0" &&
           method != nullptr && method->kind == '"' &&
           (params == nullptr || params->kind == '[' || params->kind == '{') &&
           (id == nullptr || is_id(*id));
  }

 private:
  std::string subtract(const Json* params, std::string_view id) const {
    const Json* minuend = nullptr;
    const Json* subtrahend = nullptr;
    if (params != nullptr && params->children.size() == 2) {
      const bool by_name = params->kind == '{';
      minuend = by_name ? params->find("minuend") : &params->children[0];
      subtrahend = by_name ? params->find("subtrahend") : &params->children[1];
    }
    if (minuend == nullptr || subtrahend == nullptr || minuend->kind != '0' ||
        subtrahend->kind != '0') {
      return error(kInvalidParams, id);
    }
    double difference = std::strtod(std::string(minuend->raw).c_str(), nullptr) -
                        std::strtod(std::string(subtrahend->raw).c_str(), nullptr);
    if (!std::isfinite(difference)) return error(kInvalidParams, id);
    if (flaws_.wrong_difference) difference = -difference;
    char text[64];
    std::snprintf(text, sizeof text, "%.15g", difference);
    return response("\"result\":" + std::string(text), id);
  }

  static std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + "\"";
  }

  std::string error(int code, std::string_view id) const {
    if (flaws_.swaps_codes && (code == kMethodNotFound || code == kInternalError)) {
      code = code == kMethodNotFound ? kInternalError : kMethodNotFound;
    }
    std::string object = "{\"code\":" + std::to_string(code) + ",\"message\":\"Not possible\"";
    if (!flaws_.repeats.empty()) object += ",\"data\":" + quoted(flaws_.repeats);
    object += flaws_.adds_data ? ",\"data\":{\"hint\":[1,null]}}" : "}";
    std::string member = "\"error\":" + (flaws_.error_is_text ? "\"Not possible\"" : object);
    if (flaws_.null_result_beside_error) member = "\"result\":null," + member;
    return response(member, flaws_.loses_id_on_errors ? "null" : id);
  }

  std::string response(const std::string& member, std::string_view id) const {
    std::string shown(id);
    if (flaws_.id_as_string && id.front() != '"' && id != "null") shown = "\"" + shown + "\"";
    const std::string version = flaws_.omits_version ? "" : "\"jsonrpc\":\"2.0\",";
    if (flaws_.spaced) return " { \"id\" : " + shown + " ,\t" + version + " " + member + " } ";
    return "{" + version + member + ",\"id\":" + shown + "}";
  }

  const Flaws& flaws_;
};

}  // namespace

Kind kind_of(std::string_view message) {
  Json value;
  if (!parse(message, value)) return Kind::not_json;
  if (value.kind == '[') return value.children.empty() ? Kind::empty_batch : Kind::batch;
  if (!Replier::is_request(value)) return Kind::invalid;
  return value.find("id") == nullptr ? Kind::notification : Kind::call;
}

bool has_fault(std::string_view message) {
  Json value;
  if (!parse(message, value)) return true;
  if (value.kind != '[') return !Replier::is_request(value);
  return value.children.empty() || !std::ranges::all_of(value.children, &Replier::is_request);
}

std::string reply_to(std::string_view message, const Flaws& flaws) {
  return Replier(flaws).message(message);
}

}  // namespace misbehaving
