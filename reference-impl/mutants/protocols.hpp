// The protocols on top of JSON-RPC that the reference server speaks, and the mutants of each.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/handler.hpp"
#include "reference-impl/mutants/mutant.hpp"
#include "reference-impl/transport_hooks.hpp"

namespace jrpcheck::reference {

/// What a conversation goes through.
struct Door {
  /// Ends it: with the program that has no other, and with this exit code.
  std::function<void(int code)> leave;
  bool can_tell = false;  ///< the server may say something unasked
};

struct ProtocolOnTop {
  std::string name;                   ///< "mcp": what the server's option for it is called
  std::string about;                  ///< one line for --help
  std::vector<std::string> versions;  ///< which of them is to be said; empty: there are none
  std::function<std::shared_ptr<const Handler>(const std::string& version, const Limits& limits,
                                               const Door& door)>
      make;  ///< for one conversation
  std::function<std::vector<Mutant>(std::string_view version)> faults;
  std::function<std::vector<Mutant>(std::string_view version)> variants;
  /// Its own rules of HTTP, behaving like this; none: each request is one exchange. The behaviour
  /// must outlive them.
  std::function<HttpHooks(const std::string& version, const Limits& limits,
                          const Behaviour& behaviour)>
      over_http = {};
  std::string framing = "lines";  ///< on a stream, where nobody asks for another
  bool has_client = false;        ///< the reference client speaks it too
};

const std::vector<ProtocolOnTop>& protocols_on_top();

}  // namespace jrpcheck::reference
