// The kinds of rewriting that mutants on sockets are made of: what one connection does to another.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "reference-impl/mutants/behaviour.hpp"

namespace jrpcheck::reference {

inline std::string_view read_into(std::span<char> buffer, std::size_t size) {
  return {buffer.data(), size};
}

inline bool ends_line(std::string_view bytes) { return bytes.empty() || bytes.back() == '\n'; }

/// Waits for the rest of a line before anybody else is read.
Behaviour reading_one_at_a_time();
/// What is left of one connection's read spoils the next read of another.
Behaviour spilling_over();
/// Every answer goes to the connection that was accepted last, while that is open.
Behaviour answering_the_last_connection();
/// Each answer is sent twice while more than two connections are open.
Behaviour answering_twice_beside_others();

}  // namespace jrpcheck::reference
