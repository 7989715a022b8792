// The secrets that this process was given or has learned, kept out of what it says and writes.
#pragma once

#include <string>
#include <vector>

#include "result/redact.hpp"
#include "result/run.hpp"
#include "result/secrets.hpp"
#include "run/options.hpp"

namespace jrpcheck::cli {

/// Of the environment of this process.
std::vector<result::Secret> secrets_of_own_environment();

/// What a user gives as a header or as a password is a secret until proven otherwise; of the rest
/// what its name or its looks tell. A program that is started inherits the environment, and may
/// repeat it.
std::vector<result::Secret> secrets_of(const run::Options& options);

/// From here on they stand in nothing that `say` and `complain` say, that a screen shows, and that
/// `without_secrets` gives. From any thread.
void keep_secret(const std::vector<result::Secret>& secrets);

/// All of them.
std::vector<result::Secret> kept_secrets();

/// What may be shown of it.
std::string without_secrets(const std::string& text);
result::RedactedRun without_secrets(result::Run run);

}  // namespace jrpcheck::cli
