// Message: one message as it came, its bytes and the tree they are parsed into, once.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "json/parse.hpp"
#include "json/value.hpp"

namespace jrpcheck::dialogue {

/// Cheap to copy: copies share bytes and tree, which never change. It is parsed when it is first
/// asked what it holds, within the limits of `kMessageLimits`.
class Message {
 public:
  /// Implicit: a message is its text.
  Message(std::string text = {}) : content_(std::make_shared<const Content>(std::move(text))) {}
  Message(const char* text) : Message(std::string(text)) {}

  const std::string& text() const { return content_->text; }

  friend bool operator==(const Message& one, const Message& other) {
    return one.text() == other.text();
  }

  /// The JSON value; null where the text is not JSON, or beyond a limit of ours.
  const json::Value* value() const {
    const auto& value = content_->parsed().value;
    return value ? &*value : nullptr;
  }

  /// The same; of a value beyond a limit of ours the members of the message, or of the messages of
  /// a batch, and nothing of what is in them: enough for whose answer it is.
  const json::Value* outline() const {
    const auto& outline = content_->outline();
    return outline ? &*outline : value();
  }

  /// Where and why the text is not JSON; meaningful where `value` is null.
  const json::ParseError& error() const { return content_->parsed().error; }

  /// Whether nothing can be said about the text because it is beyond a limit of ours.
  bool is_beyond_limits() const { return error().beyond_limit; }

  /// About how many bytes of memory it takes.
  std::size_t memory() const { return text().size() + content_->parsed().memory; }

  /// The member of that name where the message is an Object that has one; else null.
  const json::Value* find(std::string_view name) const {
    return value() == nullptr ? nullptr : value()->find(name);
  }

 private:
  class Content {
   public:
    explicit Content(std::string bytes) : text(std::move(bytes)) {}
    const json::ParseResult& parsed() const;
    const std::optional<json::Value>& outline() const;

    const std::string text;

   private:
    // Copies are read by several threads. No std::call_once: where memory runs out, what it lets
    // through ends the program.
    mutable std::mutex mutex_;
    mutable std::atomic<bool> is_parsed_ = false;
    mutable json::ParseResult parsed_;
    mutable std::optional<json::Value> outline_;
  };
  std::shared_ptr<const Content> content_;
};

/// Whether it has what each message of JSON-RPC has, or is broken and was meant for one.
bool is_like_json_rpc(const Message& message);

/// A tree takes up to a hundred times its text: what is read of a server stays within some tens of
/// MiB, whatever it sends.
constexpr json::ParseOptions kMessageLimits{.max_depth = 120'000, .max_values = 150'000};

}  // namespace jrpcheck::dialogue
