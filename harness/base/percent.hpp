// Percent-encoding of URLs (RFC 3986 §2.1).
#pragma once

#include <string>
#include <string_view>

namespace jrpcheck {

/// Each %XX as the byte it stands for. What does not decode stays as it is.
std::string percent_decoded(std::string_view text);

}  // namespace jrpcheck
