// Secrets kept out of reports, also where a server repeats them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result/run.hpp"

namespace jrpcheck::result {

/// What must not appear of the value of a header: the whole, and the part behind the scheme of an
/// Authorization ("Bearer xyz" gives xyz too). Values so short that they stand in ordinary text by
/// accident are left out: to replace them would falsify the evidence.
std::vector<std::string> secrets_of_header(std::string_view value);

/// Replaces the secrets, the passwords of URLs, and the cookies that a server sets by dots in
/// everything that a run holds.
void redact(Run& run, const std::vector<std::string>& secrets);

}  // namespace jrpcheck::result
