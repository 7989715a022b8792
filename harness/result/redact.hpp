// Secrets kept out of reports, also where a server repeats them.
#pragma once

#include <string>
#include <vector>

#include "result/run.hpp"
#include "result/secrets.hpp"

namespace jrpcheck::result {

/// Replaces the secrets, the passwords of URLs, and the cookies that a server sets by dots in
/// everything that a run holds. In the commands that reproduce a case stands the variable instead,
/// so that they work for whoever sets it.
void redact(Run& run, const std::vector<Secret>& secrets);

/// The same for one text of ours, such as a message.
std::string redacted(std::string text, const std::vector<Secret>& secrets);

}  // namespace jrpcheck::result
