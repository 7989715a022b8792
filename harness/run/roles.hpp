// Roles: which of a server's methods does what cases need.
#pragma once

#include <string>

#include "base/result.hpp"
#include "corpus/bindings.hpp"
#include "corpus/profile.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Reads a methods file: {"echo": {"method": "my.echo"}, ...}.
Result<corpus::RoleBindings> load_methods_file(const std::string& file);

/// Tries methods by the names that the profile gives, that the specification's examples and common
/// servers use, and that the server lists itself, and keeps those that do exactly what the role
/// asks. Nothing is called that could do more than read. Roles in `bound` are left as they are.
corpus::RoleBindings discover_roles(corpus::RoleBindings bound, const corpus::Profile& profile,
                                    session::Conversation& conversation);

}  // namespace jrpcheck::run
