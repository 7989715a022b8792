// A conversation with a server behind TLS: the steps that are about TLS itself go on connections of
// their own.
#pragma once

#include <functional>
#include <memory>

#include "session/conversation.hpp"
#include "session/patience.hpp"
#include "transport/target.hpp"

namespace jrpcheck::session {

/// A conversation as the usual one, with another peer.
using ConverseWith =
    std::function<std::unique_ptr<Conversation>(std::shared_ptr<transport::Peer> peer)>;

std::unique_ptr<Conversation> make_tls_conversation(std::unique_ptr<Conversation> usual,
                                                    transport::Target target, ConverseWith converse,
                                                    Patience& patience);

}  // namespace jrpcheck::session
