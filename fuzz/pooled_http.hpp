// Messages that are under way together over HTTP.
#pragma once

#include <memory>

#include "fuzz/executor.hpp"

namespace jrpcheck::fuzz {

std::unique_ptr<Executor> make_pooled_executor(run::Endpoint& endpoint, run::HttpAccess access,
                                               session::Patience& patience);

}  // namespace jrpcheck::fuzz
