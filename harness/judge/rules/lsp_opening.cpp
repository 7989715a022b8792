#include "judge/rules/lsp_opening.hpp"

#include <string>

#include "json/pointer.hpp"
#include "judge/capability.hpp"

namespace jrpcheck::judge {

const json::Value* opening_params(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server && each.method() == "initialize") return each.at("/params");
  }
  return nullptr;
}

bool client_can(const json::Value* params, std::string_view pointer) {
  return params != nullptr && is_stated(json::at(*params, "/capabilities" + std::string(pointer)));
}

}  // namespace jrpcheck::judge
