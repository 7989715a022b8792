// For tests: what a codec makes of a stream that arrives in given pieces.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/framing.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::wire::testing {

using Pieces = std::vector<std::string>;

/// `stream` in pieces of `size` bytes.
inline Pieces pieces_of(std::string_view stream, std::size_t size) {
  Pieces pieces;
  for (; !stream.empty(); stream.remove_prefix(pieces.back().size())) {
    pieces.emplace_back(stream.substr(0, size));
  }
  return pieces;
}

inline std::vector<Frame> frames_of(Framing& framing, const Pieces& pieces) {
  std::vector<Frame> frames;
  const auto take_all = [&] {
    while (auto frame = framing.next()) frames.push_back(*std::move(frame));
  };
  for (const std::string& piece : pieces) {
    framing.feed(piece);
    take_all();
  }
  framing.end_of_input();
  take_all();
  return frames;
}

inline std::vector<Frame> frames_of(MakeFraming kind, const Pieces& pieces,
                                    FrameLimits limits = {}) {
  return frames_of(*kind(limits), pieces);
}

/// The payloads, those of violations behind a "!".
inline std::vector<std::string> shown(const std::vector<Frame>& frames) {
  std::vector<std::string> texts;
  texts.reserve(frames.size());
  for (const Frame& frame : frames) {
    texts.push_back(frame.is_message() ? frame.payload : "!" + frame.payload);
  }
  return texts;
}

/// Everything in the frames.
inline std::string whole(const std::vector<Frame>& frames) {
  std::string text;
  for (const Frame& frame : frames) {
    text.append("payload <").append(frame.payload).append("> head <").append(frame.head);
    text.append("> violation <").append(frame.violation).append(frame.is_binary ? "> binary" : ">");
    if (frame.control) {
      text.append(" ").append(name_of(frame.control->kind)).append(" ");
      text.append(std::to_string(frame.control->close_code));
    }
    text += '\n';
  }
  return text;
}

/// One line of a table of behaviours of a framing.
struct FramesExample {
  const char* behaviour;
  std::string stream;
  std::vector<std::string> frames;  ///< as `shown` shows them
  FrameLimits limits = {};

  friend std::ostream& operator<<(std::ostream& out, const FramesExample& example) {
    return out << example.behaviour;
  }
};

struct HttpStream {
  HttpReader::Role role = HttpReader::Role::client;
  std::vector<std::string> answered_methods = {};
  FrameLimits limits = {};
};

inline std::vector<HttpMessage> http_messages_of(const HttpStream& stream, const Pieces& pieces) {
  HttpReader reader(stream.role, stream.limits);
  for (const std::string& method : stream.answered_methods) reader.expect_response_to(method);
  std::vector<HttpMessage> messages;
  const auto take_all = [&] {
    while (auto message = reader.next()) messages.push_back(*std::move(message));
  };
  for (const std::string& piece : pieces) {
    reader.feed(piece);
    take_all();
  }
  reader.end_of_input();
  take_all();
  return messages;
}

/// Everything in the messages.
inline std::string whole(const std::vector<HttpMessage>& messages) {
  std::string text;
  for (const HttpMessage& message : messages) {
    text += "start <" + message.start_line + "> head <" + message.head + "> method <" +
            message.method + "> target <" + message.target + "> status <" +
            std::to_string(message.status) + "> keep-alive <" + (message.keep_alive ? "1" : "0") +
            "> violation <" + message.violation + "> fields";
    for (const auto& [name, value] : message.fields)
      text.append(" <").append(name).append("|").append(value).append(">");
    text += " body <" + message.body + ">\n";
  }
  return text;
}

}  // namespace jrpcheck::wire::testing
