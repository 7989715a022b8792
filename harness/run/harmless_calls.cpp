#include "run/harmless_calls.hpp"

#include <utility>

namespace jrpcheck::run {

std::vector<session::ControlCall> harmless_calls(const corpus::RoleBindings& named,
                                                 corpus::Dialect dialect) {
  // Any answer will do, a refusal of the params too: one form of them is enough.
  constexpr std::pair<const char*, const char*> kOfRoles[] = {
      {"echo", ""}, {"nothing", ""}, {"no-params", ""}, {"subtract", "[42,23]"}};
  std::vector<session::ControlCall> calls;
  for (const auto& [role, params] : kOfRoles) {
    const auto method = named.find(role);
    if (method != named.end()) calls.push_back({method->second, params, dialect});
  }
  for (const char* method :
       {"rpc.discover", "system.listMethods", "ping", "get_data", "web3_clientVersion", "echo"}) {
    calls.push_back({method, {}, dialect});
  }
  return calls;
}

}  // namespace jrpcheck::run
