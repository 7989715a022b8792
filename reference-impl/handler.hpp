// Handler: what a server asks for the reply to a message, whoever gives it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/limits.hpp"

namespace jrpcheck::reference {

class Handler {
 public:
  virtual ~Handler() = default;

  /// The reply to one message, or nothing where silence is due. Several threads may call it at
  /// once.
  virtual std::optional<std::string> handle(std::string_view message) const = 0;

  virtual const Limits& limits() const = 0;
};

}  // namespace jrpcheck::reference
