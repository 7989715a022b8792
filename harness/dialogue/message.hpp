// Message: one message as it came, its bytes and the tree they are parsed into, once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "json/value.hpp"

namespace jrpcheck::dialogue {

/// Cheap to copy: copies share bytes and tree, which never change.
class Message {
 public:
  /// Parses `text`, within the limits of `kMessageLimits`. Implicit: a message is its text.
  Message(std::string text = {});
  Message(const char* text) : Message(std::string(text)) {}

  const std::string& text() const { return content_->text; }

  /// The JSON value; null where the text is not JSON, or beyond a limit of ours.
  const json::Value* value() const {
    return content_->parsed.value ? &*content_->parsed.value : nullptr;
  }

  /// The same; of a value beyond a limit of ours the members of the message, or of the messages of
  /// a batch, and nothing of what is in them: enough for whose answer it is.
  const json::Value* outline() const { return content_->outline ? &*content_->outline : value(); }

  /// Where and why the text is not JSON; meaningful where `value` is null.
  const json::ParseError& error() const { return content_->parsed.error; }

  /// Whether nothing can be said about the text because it is beyond a limit of ours.
  bool is_beyond_limits() const { return error().beyond_limit; }

  /// About how many bytes of memory it takes.
  std::size_t memory() const { return text().size() + content_->parsed.memory; }

  /// The member of that name where the message is an Object that has one; else null.
  const json::Value* find(std::string_view name) const {
    return value() == nullptr ? nullptr : value()->find(name);
  }

 private:
  struct Content {
    std::string text;
    json::ParseResult parsed;
    std::optional<json::Value> outline = {};
  };
  std::shared_ptr<const Content> content_;
};

/// A tree takes up to a hundred times its text: what is read of a server stays within some tens of
/// MiB, whatever it sends.
constexpr json::ParseOptions kMessageLimits{.max_depth = 120'000, .max_values = 150'000};

}  // namespace jrpcheck::dialogue
