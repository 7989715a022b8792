// A conversation over one two-way stream with a framing.
#pragma once

#include <memory>
#include <optional>

#include "session/conversation.hpp"
#include "session/patience.hpp"
#include "session/upgrade.hpp"
#include "transport/peer.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::session {

struct StreamSettings {
  const wire::Binding* binding = &wire::default_stream_binding();
  Opening opening;
  ControlCall control;
  std::optional<UpgradeSettings> upgrade = {};  ///< where the binding is WebSocket
  /// Behind an answered control call what is due is waited for no longer than what has been
  /// overtaken is (`Patience::tail`): for tries that tell nothing before they are repeated with all
  /// patience. What is missing then says nothing of how long anything is worth waiting for.
  bool is_hasty = false;
};

/// Silence is told without sleeping: after a message that may stay unanswered a control call is
/// sent on the same stream, and what comes before its answer answers the message. A short tail
/// after it catches answers that overtake.
std::unique_ptr<Conversation> make_stream_conversation(std::shared_ptr<transport::Peer> peer,
                                                       StreamSettings settings, Patience& patience);

}  // namespace jrpcheck::session
