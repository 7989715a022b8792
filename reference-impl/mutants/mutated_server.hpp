// The proper server with a Behaviour around it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/handler.hpp"
#include "reference-impl/mcp_http.hpp"
#include "reference-impl/mutants/behaviour.hpp"
#include "reference-impl/transport_hooks.hpp"

namespace jrpcheck::reference {

/// What a server that behaves like this replies. A catastrophe happens to this process.
Reply mutated_reply(const Behaviour& behaviour, const Handler& proper, std::string_view message);

/// A handler in one room: where a reply is several messages they stand side by side, as in the one
/// body that HTTP has for them.
class MutatedHandler final : public Handler {
 public:
  /// Both must outlive this.
  MutatedHandler(const Handler& proper, const Behaviour& behaviour)
      : proper_(proper), behaviour_(behaviour) {}

  std::optional<std::string> handle(std::string_view message) const override;
  const Limits& limits() const override { return proper_.limits(); }

 private:
  const Handler& proper_;
  const Behaviour& behaviour_;
};

/// The hooks that make a server behave like this; the handler they are given is the proper one.
/// `behaviour` must outlive them.
TransportHooks hooks_of(const Behaviour& behaviour);

/// The same of a server of the Model Context Protocol over HTTP.
HttpHooks mcp_http_hooks_of(const std::string& version, const Limits& limits,
                            const Behaviour& behaviour);

/// The same of the stand-in for a node of Bitcoin Core.
HttpHooks bitcoin_http_hooks_of(const Behaviour& behaviour);

/// Lets a catastrophe happen to this process.
[[noreturn]] void suffer(Catastrophe::Manner manner);

}  // namespace jrpcheck::reference
