// Secrets kept out of reports, also where a server repeats them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result/run.hpp"

namespace jrpcheck::result {

/// What must not appear of the value of a header: the whole, and its parts ("Bearer xyz" gives xyz
/// too, and a cookie its value). Values that stand in ordinary text are left out, because they are
/// short or because the header says what everybody says (Content-Type): to replace them would
/// falsify the evidence.
std::vector<std::string> secrets_of_header(std::string_view name, std::string_view value);

/// Replaces the secrets, the passwords of URLs, and the cookies that a server sets by dots in
/// everything that a run holds.
void redact(Run& run, const std::vector<std::string>& secrets);

}  // namespace jrpcheck::result
