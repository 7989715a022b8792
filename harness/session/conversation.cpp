#include "session/conversation.hpp"

#include <string_view>

#include "corpus/catalogue.hpp"
#include "json/parse.hpp"

namespace jrpcheck::session {

std::string ControlCall::text(long long id) const {
  const bool is_1_0 = dialect == corpus::Dialect::json_rpc_1_0;
  std::string call = is_1_0 ? "{" : R"({"jsonrpc":"2.0",)";
  call += R"("method":)" + json::write(json::Value::string(method));
  // In 1.0 params is always there.
  const std::string_view no_params = is_1_0 ? "[]" : "";
  const std::string_view given = params.empty() ? no_params : params;
  if (!given.empty()) call.append(R"(,"params":)").append(given);
  return call + R"(,"id":)" + std::to_string(id) + "}";
}

bool ControlCall::says_not_yet(const std::string& answer) const {
  if (not_yet.empty()) return false;
  const auto said = json::parse(answer);
  return said && corpus::meets_all(*said.value, not_yet);
}

}  // namespace jrpcheck::session
