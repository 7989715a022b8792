// Reply: what goes back for a message.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jrpcheck::reference {

/// Silence, one message, or several: only mutants give several.
class Reply {
 public:
  Reply() = default;
  Reply(std::nullopt_t) {}
  Reply(std::string message) { messages_.push_back(std::move(message)); }
  Reply(const char* message) : Reply(std::string(message)) {}
  Reply(std::optional<std::string> message) {
    if (message) messages_.push_back(*std::move(message));
  }
  static Reply several(std::vector<std::string> messages) {
    Reply reply;
    reply.messages_ = std::move(messages);
    return reply;
  }

  explicit operator bool() const { return !messages_.empty(); }
  /// The first message, which is there unless this is silence.
  const std::string& operator*() const { return messages_.front(); }
  const std::string* operator->() const { return &messages_.front(); }
  std::string value_or(const std::string& other) const { return *this ? **this : other; }

  const std::vector<std::string>& messages() const { return messages_; }

  friend bool operator==(const Reply&, const Reply&) = default;

 private:
  std::vector<std::string> messages_;
};

}  // namespace jrpcheck::reference
