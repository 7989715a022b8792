// Placeholders of case files and the values that take their place.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "corpus/case.hpp"

namespace jrpcheck::corpus {

/// The methods of a server that play the roles of cases/README.md, by role.
using RoleBindings = std::map<std::string, std::string>;

/// What the placeholders of one case become in one run.
struct Bindings {
  /// `${id}` is this number; `${id2}` to `${id9}` are the ones after it.
  long long first_id = 1;
  /// `${string-id}`.
  std::string string_id;
  /// `${unknown}`; `${unknown2}` has a 2 appended.
  std::string unknown_method;
  RoleBindings roles;
};

/// The case with every placeholder replaced: ready to be sent and judged.
Result<Case> bind(const Case& unbound, const Bindings& bindings);

}  // namespace jrpcheck::corpus
