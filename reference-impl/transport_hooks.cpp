#include "reference-impl/transport_hooks.hpp"

#include "reference-impl/descriptor.hpp"

namespace jrpcheck::reference {

ByteHooks::ByteHooks() : read(read_some), write(write_all) {}

std::vector<std::string> proper_replies(const Handler& handler, std::string_view message) {
  auto reply = handler.handle(message);
  if (!reply) return {};
  return {*std::move(reply)};
}

}  // namespace jrpcheck::reference
