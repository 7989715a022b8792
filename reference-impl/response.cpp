#include "reference-impl/response.hpp"

#include <nlohmann/json.hpp>

namespace jrpcheck::reference {

namespace {

constexpr std::string_view kVersionMember = R"({"jsonrpc":"2.0",)";

void append_id_and_close(std::string& response, std::string_view id) {
  response += R"(,"id":)";
  response += id;
  response += '}';
}

}  // namespace

std::string success_response(const nlohmann::json& result, std::string_view id) {
  std::string response(kVersionMember);
  response += R"("result":)";
  response += json_text(result);
  append_id_and_close(response, id);
  return response;
}

std::string error_response(const RpcError& error, std::string_view id) {
  std::string response(kVersionMember);
  response += R"("error":{"code":)";
  response += std::to_string(error.code());
  response += R"(,"message":)";
  response += json_text(error.what());
  if (!error.data().empty()) {
    response += R"(,"data":)";
    response += error.data();
  }
  response += '}';
  append_id_and_close(response, id);
  return response;
}

std::string parse_error_response(std::string_view reason) {
  return error_response(RpcError(kParseError, "Parse error: " + std::string(reason)));
}

std::string json_text(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace jrpcheck::reference
