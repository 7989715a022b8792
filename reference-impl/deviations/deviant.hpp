// The proper server with a Behaviour around it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reference-impl/conduct.hpp"
#include "reference-impl/deviations/behaviour.hpp"
#include "reference-impl/handler.hpp"

namespace jrpcheck::reference {

class DeviantHandler final : public Handler {
 public:
  /// `proper` must outlive this.
  DeviantHandler(const Handler& proper, const Behaviour& behaviour)
      : proper_(proper), behaviour_(behaviour) {}

  std::optional<std::string> handle(std::string_view message) const override;
  const Limits& limits() const override { return proper_.limits(); }

 private:
  const Handler& proper_;
  const Behaviour& behaviour_;
};

class DeviantConduct final : public Conduct {
 public:
  explicit DeviantConduct(const Behaviour& behaviour) : behaviour_(behaviour) {}

  std::unique_ptr<wire::Framing> framing(wire::FramingKind kind) const override;
  void begin_stream(int output) const override;
  void end_stream() const override;
  HttpAnswer answer(const Handler& handler, const wire::HttpMessage& request) const override;
  std::size_t read(int descriptor, std::span<char> buffer) const override;
  bool write(int descriptor, std::string_view bytes) const override;

 private:
  const Behaviour& behaviour_;
};

/// Lets a catastrophe happen to this process.
[[noreturn]] void suffer(Catastrophe::Manner manner);

}  // namespace jrpcheck::reference
