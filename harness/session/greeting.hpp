// What a server says to each new connection: texts that answer nothing, and are no messages.
#pragma once

#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace jrpcheck::session {

/// Those of one server; several threads may use it.
class Greeting {
 public:
  /// Whether that may be one although something was sent: what begins as JSON is a broken message.
  static bool may_be(std::string_view text);

  /// Whether this is known to be one.
  bool is(const std::string& text) const;
  std::size_t count() const;

  /// It came on a connection on which nothing had been sent.
  void note_before_anything(const std::string& text);
  /// It came before the first answer on a connection. It is one once it has come so again.
  void note_before_answer(const std::string& text);

 private:
  mutable std::mutex mutex_;
  std::set<std::string> known_;
  std::set<std::string> came_once_;
};

}  // namespace jrpcheck::session
