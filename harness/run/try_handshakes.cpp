#include "run/try_handshakes.hpp"

namespace jrpcheck::run {

TriedHandshakes try_handshakes(const std::vector<std::string>& handshakes, const Options& options,
                               const std::function<std::string(const Options&)>& attempt) {
  std::string refusals;
  for (const auto& handshake : handshakes) {
    Options with_handshake = options;
    adopt_opening(handshake, with_handshake);
    const std::string refusal = attempt(with_handshake);
    if (refusal.empty()) {
      return {.note =
                  "The server wants a handshake before it serves, and was given that of "
                  "--opening " +
                  handshake + "."};
    }
    refusals.append(refusals.empty() ? "that of --opening " : "; nor that of --opening ")
        .append(handshake)
        .append(": ")
        .append(refusal);
  }
  return {.hint = "The server asks for a handshake, and does not take " + refusals +
                  ". Name a file with the messages of its own: --opening FILE."};
}

}  // namespace jrpcheck::run
