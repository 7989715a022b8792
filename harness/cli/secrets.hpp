// What a user has given that no output may hold.
#pragma once

#include <vector>

#include "result/secrets.hpp"
#include "run/options.hpp"

namespace jrpcheck::cli {

/// What a user gives as a header or as a password is a secret until proven otherwise; of the rest
/// what its name or its looks tell. A program that is started inherits the environment, and may
/// repeat it.
std::vector<result::Secret> secrets_of(const run::Options& options);

}  // namespace jrpcheck::cli
