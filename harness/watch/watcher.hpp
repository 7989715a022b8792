// Watching: connections are taken and carried to the server, each by a thread of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "transport/guardian.hpp"
#include "transport/listener.hpp"
#include "transport/peer.hpp"
#include "watch/journal.hpp"

namespace jrpcheck::watch {

/// Stands in the place of a program on stdio: what comes on standard input goes to it, and what it
/// says to standard output. Gives how it ended.
Result<transport::ExitStatus> watch_program(const std::vector<std::string>& command,
                                            transport::Guardian& guardian, JournalWriter& journal);

/// Carries what connects to `listener` to where `dial` leads, until the program is interrupted.
/// `complain` is told why a connection could not be made. False where some came and none could; an
/// error where jrpcheck itself lacked what it takes to carry one.
Result<bool> watch_server(transport::Listener& listener, const transport::Dial& dial,
                          JournalWriter& journal,
                          const std::function<void(const std::string&)>& complain);

}  // namespace jrpcheck::watch
