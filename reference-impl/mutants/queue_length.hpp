// How many messages of a stream wait for their replies.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "reference-impl/mutants/behaviour.hpp"

namespace jrpcheck::reference {

/// Sets `length` to the number of messages that have been read and not answered, the current one
/// included.
Behaviour counting_queue(std::shared_ptr<std::atomic<std::size_t>> length);

}  // namespace jrpcheck::reference
