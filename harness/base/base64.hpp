// Base64 read back into bytes; bytes.hpp writes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck {

/// The bytes of an RFC 4648 §4 text with padding, or nothing where it is none.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace jrpcheck
