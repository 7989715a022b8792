// Conduct: how a server treats its transport. The rules of this class are the right ones; a
// deviation (deviations/) puts others in their place, so that the servers need not know of it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "reference-impl/handler.hpp"
#include "wire/framing.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

/// What goes back for one HTTP request.
struct HttpAnswer {
  std::string bytes;
  bool keep_alive = true;  ///< whether the connection takes another request
};

class Conduct {
 public:
  virtual ~Conduct() = default;

  /// How the messages of a stream are told apart and written.
  virtual std::unique_ptr<wire::Framing> framing(wire::FramingKind kind) const;

  /// A stream has been opened, or its input has ended.
  virtual void begin_stream(int output) const;
  virtual void end_stream() const;

  virtual HttpAnswer answer(const Handler& handler, const wire::HttpMessage& request) const;

  /// Bytes of a peer, and bytes for it: as read_some and write_all of descriptor.hpp.
  virtual std::size_t read(int descriptor, std::span<char> buffer) const;
  virtual bool write(int descriptor, std::string_view bytes) const;
};

/// The conduct of a server that nobody told to deviate.
const Conduct& proper_conduct();

}  // namespace jrpcheck::reference
