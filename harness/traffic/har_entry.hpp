// An entry of a HAR by the text it stands in: what is asked for is read, and no more. A file of
// strangers chooses how much that is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.hpp"
#include "traffic/framed_side.hpp"
#include "traffic/tap.hpp"

namespace jrpcheck::traffic {

/// The String or Number that stands there; null where there is none, or a longer one.
json::Value read_scalar(std::string_view text, std::size_t longest);
/// The same of a String; empty where there is none.
std::string read_text(std::string_view text, std::size_t longest);

/// So much is read of one part of an entry that is no body: its headers, its URL.
inline constexpr std::size_t kMostInAHarHead = 1U << 20;
/// And of a body, or a frame of WebSocket, as it is escaped in the file.
inline constexpr std::size_t kMostInAHarBody = kTapLimits.max_message_bytes;

class HarEntry {
 public:
  /// `text` is known to be JSON; what is no Object has nothing to be read.
  explicit HarEntry(std::string_view text);

  std::optional<microseconds> start() const;
  microseconds duration() const;
  /// The frames of WebSocket, an Array; where there are none it is an exchange.
  bool has_frames() const { return frames_.starts_with('['); }
  std::string_view frames() const { return frames_; }

  std::string method() const;
  std::size_t status() const;  ///< 0: there was no response
  HttpHead head(dialogue::Side side) const;
  bool names_session() const;  ///< of MCP

  /// Whether more was said in it than is read of one message.
  bool is_too_long(dialogue::Side side) const;
  std::string request_body() const;
  /// For a body that is too long: whether it begins as a message of JSON-RPC does.
  bool request_begins_like_json() const;
  /// Nothing where there was one, and it was not kept, or cannot be read.
  std::optional<std::string> response_body() const;
  std::string content_type() const;  ///< of the response

 private:
  bool came_without_body() const;

  std::string_view start_;
  std::string_view duration_;
  std::string_view frames_;
  std::string_view method_;
  std::string_view url_;
  std::string_view request_headers_;
  std::string_view request_body_;
  std::string_view status_;
  std::string_view response_headers_;
  std::string_view response_body_;
  std::string_view response_body_size_;  // decoded
  std::string_view received_size_;       // as it came
  std::string_view content_type_;
  std::string_view encoding_;
};

}  // namespace jrpcheck::traffic
