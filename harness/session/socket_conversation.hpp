// A conversation with a server whose connections come and go, as over TCP and Unix sockets.
#pragma once

#include <memory>

#include "session/conversation.hpp"
#include "session/stream_conversation.hpp"

namespace jrpcheck::session {

/// A server may close a connection whenever it likes: after each answer, after what it cannot read,
/// when it has been idle. What is sent on a connection that is closed meanwhile is sent once more,
/// on a new one; and where nothing answers what is sent, another connection tells whether the
/// server serves on, or has gone.
std::unique_ptr<Conversation> make_socket_conversation(std::shared_ptr<transport::Peer> peer,
                                                       StreamSettings settings, Patience& patience);

}  // namespace jrpcheck::session
