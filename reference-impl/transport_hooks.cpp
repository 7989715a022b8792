#include "reference-impl/transport_hooks.hpp"

#include "reference-impl/descriptor.hpp"
#include "reference-impl/http_answer.hpp"

namespace jrpcheck::reference {

ByteHooks::ByteHooks() : read(read_some), write(write_all) {}

std::vector<std::string> proper_replies(const Handler& handler, std::string_view message) {
  auto reply = handler.handle(message);
  if (!reply) return {};
  return {*std::move(reply)};
}

HttpAnswer proper_http_answer(const Handler& handler, const wire::HttpMessage& request) {
  return {answer(handler, request), request.keep_alive};
}

}  // namespace jrpcheck::reference
