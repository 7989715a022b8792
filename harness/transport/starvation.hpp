// A server that a busy machine gives no processor.
#pragma once

#include <memory>

#include "base/deadline.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::transport {

/// For what is due from who works there. It is held back while that waits itself, for its turn
/// on a processor: what it leaves undone meanwhile is no doing of its own, and a scheduler may let
/// seconds pass so. One that works in vain has had its turn soon. Null: nothing is known of it.
Deadline due_in(microseconds wait, std::shared_ptr<Worker> worker);

}  // namespace jrpcheck::transport
