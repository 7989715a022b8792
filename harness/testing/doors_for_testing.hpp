// The doors of the reference server: what TARGET says, and what makes the server listen there.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "testing/program_for_testing.hpp"

namespace jrpcheck::testing {

struct Door {
  std::string name;     ///< in tests
  std::string scheme;   ///< of TARGET; reports have it as the transport
  std::string option;   ///< of the server
  std::string framing;  ///< as reports have it, where the server is not told another
  bool over_tls = false;
};

/// Throws where there is none by that name.
inline Door door_named(const std::string& name) {
  const std::vector<Door> doors = {{"tcp", "tcp", "--tcp", "lines"},
                                   {"unix", "unix", "--unix", "lines"},
                                   {"tls", "tls", "--tcp", "lines", true},
                                   {"ws", "ws", "--ws", "websocket"},
                                   {"wss", "wss", "--ws", "websocket", true},
                                   {"https", "https", "--http", "http", true},
                                   {"sse", "http", "--sse", "http-event-stream"}};
  for (const auto& door : doors) {
    if (door.name == name) return door;
  }
  throw std::invalid_argument("there is no door '" + name + "'");
}

/// TARGET, and the reference server that is started behind it with `more`. A socket that is a file
/// is in that folder.
inline std::vector<std::string> reference_behind(const Door& door, const TemporaryFolder& folder,
                                                 const std::vector<std::string>& more = {}) {
  const bool is_file = door.scheme == "unix";
  const std::string place = is_file ? folder.file("socket") : std::to_string(free_port());
  std::vector<std::string> words = {door.scheme + (is_file ? ":" : "://127.0.0.1:") + place, "--",
                                    REFERENCE_PROGRAM, door.option, place};
  if (door.over_tls) {
    words.insert(words.begin(), "--insecure");
    words.emplace_back("--tls-self-signed");
  }
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace jrpcheck::testing
