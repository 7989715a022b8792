// Methods files: which of a server's methods plays which role, as people write it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "corpus/bindings.hpp"

namespace jrpcheck::corpus {

/// Reads the text of a methods file: {"echo": {"method": "my.echo"}, ...}. A role whose method is
/// null has none. `name` is the file's name for errors.
Result<RoleBindings> read_methods(const std::string& name, std::string_view text);

}  // namespace jrpcheck::corpus
