#include "reference-impl/error.hpp"

#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

RpcError::RpcError(int code, const std::string& message)
    : std::runtime_error(message), code_(code) {}

RpcError::RpcError(int code, const std::string& message, const nlohmann::json& data)
    : std::runtime_error(message), code_(code), data_(json_text(data)) {}

RpcError invalid_request(const std::string& reason) {
  return RpcError(kInvalidRequest, "Invalid Request: " + reason);
}

RpcError invalid_params(const std::string& reason) {
  return RpcError(kInvalidParams, "Invalid params: " + reason);
}

}  // namespace jrpcheck::reference
