// An executor whose conversation is not that of the corpus.
#pragma once

#include <functional>
#include <memory>

#include "fuzz/executor.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::fuzz {

using Converse = std::function<std::unique_ptr<session::Conversation>()>;

/// As the other of that name.
std::unique_ptr<Executor> make_careful_executor(run::Endpoint& endpoint, Converse converse);

/// An unpipelined one that leaves a message alone once a call behind it has been answered. Where an
/// answer to it was due, what follows goes on another conversation: it may still come.
std::unique_ptr<Executor> make_hasty_executor(run::Endpoint& endpoint, Converse converse);

}  // namespace jrpcheck::fuzz
