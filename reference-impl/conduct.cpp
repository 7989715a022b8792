#include "reference-impl/conduct.hpp"

#include "reference-impl/descriptor.hpp"
#include "reference-impl/http_answer.hpp"

namespace jrpcheck::reference {

std::unique_ptr<wire::Framing> Conduct::framing(wire::FramingKind kind) const {
  return wire::make_framing(kind);
}

void Conduct::begin_stream(int) const {}

void Conduct::end_stream() const {}

HttpAnswer Conduct::answer(const Handler& handler, const wire::HttpMessage& request) const {
  return {reference::answer(handler, request), request.keep_alive};
}

std::size_t Conduct::read(int descriptor, std::span<char> buffer) const {
  return read_some(descriptor, buffer);
}

bool Conduct::write(int descriptor, std::string_view bytes) const {
  return write_all(descriptor, bytes);
}

const Conduct& proper_conduct() {
  static const Conduct proper;
  return proper;
}

}  // namespace jrpcheck::reference
