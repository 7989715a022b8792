// What client and server tell each other that they can do (LSP, MCP).
#pragma once

#include "json/value.hpp"

namespace jrpcheck::judge {

/// Whether a capability is there: neither null nor false.
inline bool is_stated(const json::Value* value) {
  if (value == nullptr || value->is(json::Kind::null)) return false;
  return !value->is(json::Kind::boolean) || value->as_boolean();
}

}  // namespace jrpcheck::judge
