// Endpoints: at which paths of a port JSON-RPC is spoken. Much else is posted there as well: forms
// of a login, tokens (RFC 6749 §3.2), files.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "dialogue/message.hpp"

namespace jrpcheck::traffic {

/// Whether a text is a Request or a Notification of JSON-RPC, or an Array that has one. What asks
/// for something else is none by it, and neither is a Request without "jsonrpc".
bool is_json_rpc(const dialogue::Message& message);

/// The same, or a Response.
bool is_of_json_rpc(const dialogue::Message& message);

class Endpoints {
 public:
  /// `target`: where JSON-RPC is served, with or without a query.
  explicit Endpoints(std::string_view target);

  /// Whether what is posted there is to be judged: all that goes to the target, and elsewhere what
  /// is JSON-RPC. Where that was posted all of it is judged from then on.
  bool take(std::string_view target, const dialogue::Message& body);

  /// Whether JSON-RPC is known to be spoken there.
  bool has(std::string_view target) const;
  /// By a Request in `message`.
  void learn(std::string_view target, const dialogue::Message& message);

  /// What was posted and is none.
  std::size_t others() const { return others_; }

 private:
  std::set<std::string, std::less<>> paths_;
  std::size_t others_ = 0;
};

}  // namespace jrpcheck::traffic
