// The rules of a protocol on top for its clients: lifecycle, ids, what was declared, and what its
// heads say. They need no cause: for what passes, and for a client that is tried.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "json/value.hpp"
#include "judge/clients/law.hpp"
#include "judge/judgement.hpp"
#include "wire/http_fields.hpp"

namespace jrpcheck::judge {

/// Takes in one session, in its order, within a memory that is bounded.
class ClientRules {
 public:
  explicit ClientRules(ClientLaw law);
  ClientRules(ClientRules&&) noexcept;
  ~ClientRules();

  /// Whether there are rules for the clients of that protocol.
  static bool knows(std::string_view family);

  /// A message of the client; the fields of the request in which it came, where there was one.
  void hear(const json::Value& message, const wire::HttpFields* fields = nullptr);
  /// Whether the message is of a version that has no sessions, by what it says itself.
  static bool needs_no_session(const json::Value& message, const wire::HttpFields* fields);
  /// What the client sent in no framing of the protocol.
  void hear_unframed(const std::string& bytes, const std::string& note);
  /// A message of the server.
  void tell(const json::Value& message);
  /// Nobody but the one who tells this has told the client anything.
  void know_all_that_was_told();
  /// Over HTTP: the id that the server has given.
  void begin_session(const std::string& id);
  /// The session is gone (HTTP 404): what follows is another.
  void forget_session();

  /// Whether its version has HTTP 404 end a session.
  bool ends_by_404() const;
  /// A request in a session of which its client has long been told that it is gone; nothing else
  /// is known of it.
  void hear_in_gone_session(const json::Value& message);

  /// The head of a GET or a DELETE in the session, which has no message.
  void hear_bare_head(std::string_view method, const wire::HttpFields& fields);
  /// A request without a session where one is needed; nothing else is known of its client.
  void hear_without_session(const json::Value& message);

  /// What was found since this was asked last.
  Judgement take();

  /// About how many bytes it takes, where not all is known that was told.
  std::size_t kept() const;

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace jrpcheck::judge
