// Answer: what goes out to a client because of one message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wire/framing.hpp"

namespace jrpcheck::client {

/// The calls of a client that is tried: `echo [n]`, of which the result is this.
inline constexpr std::size_t kCalls = 3;
/// Of them the one whose answer is odd.
inline constexpr std::size_t kSubject = 2;
inline long long good_result(std::size_t n) { return static_cast<long long>(n) + 100; }

/// In a scenario, of calls that the server makes.
inline constexpr std::string_view kOwnCallId = "jrpcheck";

/// A frame of WebSocket that goes out as it is.
struct AnswerFrame {
  wire::FrameDetails details;
  std::string payload;
};

struct Answer {
  std::vector<std::string> messages = {};
  bool in_one_write = false;
  std::size_t http_status = 200;
  std::string http_type = "application/json";
  std::size_t http_chunk = 0;  ///< bytes in each chunk of the body; 0: it has a length
  std::size_t cut = 0;
  std::string then = {};

  std::vector<AnswerFrame> frames = {};  ///< in place of messages
  bool is_withheld = false;              ///< nothing goes out, not even over HTTP
  bool in_two_writes = false;            ///< the last message
  bool has_pauses = false;               ///< behind each write
};

}  // namespace jrpcheck::client
