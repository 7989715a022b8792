#include "dialogue/traffic.hpp"

#include "base/names.hpp"

namespace jrpcheck::dialogue {

std::string_view name_of(Side side) { return name_at({"client", "server"}, side); }

std::string_view name_of(TrafficEvent::Kind kind) {
  return name_at({"message", "violation", "noise", "closed", "lost", "given-up", "upgraded"}, kind);
}

std::string_view name_of(EventStream stream) {
  return name_at({"none", "answer", "broken-off", "open", "resumed"}, stream);
}

}  // namespace jrpcheck::dialogue
