// Conversations that share the one connection which a server serves at a time.
#pragma once

#include <memory>

#include "session/conversation.hpp"

namespace jrpcheck::session {

/// Who of them has it. For conversations of one thread.
class OneConnection {
 public:
  /// Whoever had it before steps aside.
  void give_to(Conversation& one);
  void forget(const Conversation& one);

 private:
  Conversation* holder_ = nullptr;
};

/// One that asks for the connection before it says anything, and has another one where it has had
/// to step aside since.
std::unique_ptr<Conversation> make_conversation_by_turns(std::unique_ptr<Conversation> usual,
                                                         std::shared_ptr<OneConnection> connection);

}  // namespace jrpcheck::session
