// Event streams (WHATWG HTML §9.2, text/event-stream): bytes in, events out, and back; no I/O.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "wire/framing.hpp"

namespace jrpcheck::wire {

/// Whether a body with this Content-Type is one, whatever its parameters.
bool is_event_stream(std::string_view content_type);

/// One block of an event stream: what stands before a blank line.
struct ServerSentEvent {
  /// As it came, with the blank line. A line feed behind the carriage return that ends that line is
  /// no part of it: whoever waited for it would wait for the next event.
  std::string block = {};
  std::string type = {};  ///< field "event"; empty: a message
  /// Fields "data", with LF between them. Nothing where there is none: then nobody is told of it.
  std::optional<std::string> data = {};
  std::optional<std::string> id = {};     ///< without NUL, else it is ignored
  std::optional<std::string> retry = {};  ///< digits only, else it is ignored
  bool has_retry_garbled = false;         ///< a field "retry" was ignored
  std::string violation = {};             ///< not empty: beyond which limit it is; no more comes

  /// Whether it has nothing but comments and fields that nobody knows.
  bool is_empty() const { return !data && !id && !retry && type.empty(); }
  /// Whether it is dispatched as a message (WHATWG HTML §9.2.6). One of another type is heard by
  /// those alone who know that.
  bool is_of_messages() const { return type.empty() || type == "message"; }
};

/// Reads one stream. However the bytes are cut for `feed`, `next` gives the same events.
class SseReader {
 public:
  explicit SseReader(FrameLimits limits = {}) : limits_(limits) {}

  void feed(std::string_view bytes);

  /// The next block that has ended. One that is only blank is none.
  std::optional<ServerSentEvent> next();

  /// What has come of a block that has not ended. At the end of the stream it is discarded
  /// (§9.2.6).
  const std::string& unfinished() const { return event_.block; }

 private:
  void take(char byte);
  void give_up(std::size_t limit);
  void end_line();
  void take_field(std::string_view name, std::string_view value);
  void dispatch();

  FrameLimits limits_;
  ServerSentEvent event_;
  std::string line_;
  std::size_t mark_ = 0;          // so many bytes of a byte order mark have come
  bool is_begun_ = false;         // it is known whether there is one
  bool after_return_ = false;     // a line feed that follows belongs to the line before
  bool block_has_ended_ = false;  // with that carriage return
  bool is_over_ = false;
  std::deque<ServerSentEvent> events_;
};

/// The same event as it is written: its type, id and retry where it has them, and its data on as
/// many lines as it takes. `block` is not read.
std::string event_text(const ServerSentEvent& event);

}  // namespace jrpcheck::wire
