// Reports written whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace jrpcheck::cli {

/// Writes to a temporary file beside `path` and renames it, so that nobody ever reads half a
/// report.
Result<bool> write_file(const std::string& path, std::string_view text);

/// Adds to the end of a file that others write to as well.
Result<bool> append_to_file(const std::string& path, std::string_view text);

/// Writes to standard output.
Result<bool> print_text(std::string_view text);

}  // namespace jrpcheck::cli
