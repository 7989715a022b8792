// What streamable HTTP leaves to a server, and how this one has it.
#pragma once

#include <cstddef>
#include <string>

namespace jrpcheck::reference {

struct McpHttpHabits {
  bool streams = true;        ///< Requests are answered by event streams, and else by JSON
  bool sessions = true;       ///< initialize begins one
  bool listens = true;        ///< GET opens a stream, and is refused else
  std::string preamble = {};  ///< stands first on each stream
  std::size_t piece = 0;      ///< bytes of a chunk; 0: one for each event
};

}  // namespace jrpcheck::reference
