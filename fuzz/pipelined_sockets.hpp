// Messages that are under way together on a connection to a server.
#pragma once

#include <memory>

#include "fuzz/executor.hpp"

namespace jrpcheck::fuzz {

std::unique_ptr<Executor> make_socket_executor(run::Endpoint& endpoint, run::StreamAccess access,
                                               session::Patience& patience);

}  // namespace jrpcheck::fuzz
