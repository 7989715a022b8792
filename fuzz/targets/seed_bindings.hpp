// What the placeholders of the cases stand for in seeds.
#pragma once

#include "corpus/bindings.hpp"

namespace jrpcheck::fuzz {

/// The roles by the names that the reference server's methods have.
inline corpus::Bindings seed_bindings() {
  corpus::Bindings bindings;
  bindings.string_id = "string-id";
  bindings.unknown_method = "jrpcheckUnknown";
  for (const auto& role : corpus::known_roles()) bindings.roles[role] = role;
  bindings.roles["no-params"] = "get_data";
  return bindings;
}

}  // namespace jrpcheck::fuzz
