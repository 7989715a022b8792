// Own calls: those that are made to a client in the name of a real server, which knows nothing of
// them, so that their answers are not for it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dialogue/message.hpp"

namespace jrpcheck::client {

/// Of one connection.
class OwnCalls {
 public:
  /// Goes out to the client: it may be such a call.
  void tell(const dialogue::Message& message);
  /// Whether one of them has no answer yet.
  bool are_open() const { return !open_.empty(); }
  /// Whether the client answers one of them. It has its answer then: what else comes with its id
  /// may be for the server.
  bool settle(const dialogue::Message& message);

 private:
  std::multiset<std::string> open_;  // ids, as keys
};

/// Lets pass what a client says but for the answers to such calls: not a byte of it is changed.
class Sieve {
 public:
  /// What a byte has completed: a message, or something that is said between messages.
  struct Completed {
    std::optional<dialogue::Message> message = {};
    bool is_within_message = false;  ///< between its pieces
  };
  /// Takes the next byte.
  using Reader = std::function<std::optional<Completed>(std::string_view byte)>;

  Sieve(Reader reader, OwnCalls& calls) : reader_(std::move(reader)), calls_(calls) {}

  /// What goes on now. Only while an answer is awaited it is held until it is whole.
  std::string pass(std::string_view bytes);
  /// The client says nothing more: what of it is held, and goes on.
  std::string rest();

 private:
  void complete(const Completed& completed, std::string& out);
  void let_go(std::string& out);

  Reader reader_;
  OwnCalls& calls_;
  std::string held_;        // of what is not complete
  bool has_begun_ = false;  // a part of it has gone on
};

}  // namespace jrpcheck::client
