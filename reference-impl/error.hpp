// Errors of JSON-RPC, as methods raise them and replies carry them (JSON-RPC 2.0 §5.1).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace jrpcheck::reference {

/// The codes that the specification predefines.
enum ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
};

/// What an error object says. A method throws one to fail, with a code of its own outside
/// -32768..-32000; the dispatcher turns it into the reply, so it never leaves the library.
class RpcError : public std::runtime_error {
 public:
  RpcError(int code, const std::string& message);
  RpcError(int code, const std::string& message, const nlohmann::json& data);

  int code() const { return code_; }
  /// The data member as JSON text; empty when the error has none.
  const std::string& data() const { return data_; }

 private:
  int code_;
  std::string data_;
};

/// -32600 and why that is no Request.
RpcError invalid_request(const std::string& reason);
/// -32602 and what is wrong with the params.
RpcError invalid_params(const std::string& reason);

}  // namespace jrpcheck::reference
