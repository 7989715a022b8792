// Reports written whole or not at all, and folders for them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace jrpcheck::cli {

/// Writes to a temporary file beside `path` and renames it, so that nobody ever reads half a
/// report.
Result<bool> write_file(const std::string& path, std::string_view text);

/// Makes a folder, and those in which it is to be, where they are not there. The error says why
/// not.
Result<bool> make_folder(const std::string& path);

/// The same of the folder that an option names, if it names one. The error names the option.
Result<bool> make_folder_of(const std::string& option, const std::string& path);

/// Adds to the end of a file that others write to as well.
Result<bool> append_to_file(const std::string& path, std::string_view text);

/// Writes to standard output.
Result<bool> print_text(std::string_view text);

}  // namespace jrpcheck::cli
