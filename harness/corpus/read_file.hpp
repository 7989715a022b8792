// Files that a user names, which strangers may have written.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"

namespace jrpcheck::corpus {

/// The whole of a file, a pipe or a device, up to 256 MiB. The error says why it cannot be read,
/// and begins with "cannot be read: ". Throws where it is no fault of the file's: there are no more
/// descriptors.
Result<std::string> read_file(const std::string& path);

}  // namespace jrpcheck::corpus
