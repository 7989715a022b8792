// Percent-encoding of URLs (RFC 3986 §2.1).
#pragma once

#include <string>
#include <string_view>

namespace jrpcheck {

/// Each byte as %XX but those that are unreserved (RFC 3986 §2.3) or stand in `also_plain`.
std::string percent_encoded(std::string_view text, std::string_view also_plain = {});

/// Each %XX as the byte it stands for. What does not decode stays as it is.
std::string percent_decoded(std::string_view text);

}  // namespace jrpcheck
