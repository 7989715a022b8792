#include "session/conversation.hpp"

#include "json/value.hpp"

namespace jrpcheck::session {

std::string ControlCall::text(long long id) const {
  std::string call = R"({"jsonrpc":"2.0","method":)" + json::write(json::Value::string(method));
  if (!params.empty()) call += R"(,"params":)" + params;
  return call + R"(,"id":)" + std::to_string(id) + "}";
}

}  // namespace jrpcheck::session
