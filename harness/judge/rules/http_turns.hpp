// What passed over HTTP, as requests and what answered each: for rules about more than messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/transcript.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::judge {

/// One block of an event stream.
struct StreamBlock {
  wire::ServerSentEvent event;
  dialogue::Message message;  ///< its data
  std::size_t step = 0;
};

/// In place of the request for a stream that was opened before the first event.
inline constexpr std::string_view kStandingStream = "GET";

/// One request, and what came back for it.
struct HttpTurn {
  std::string request;  ///< head and body
  std::size_t step = 0;
  std::optional<dialogue::HttpHead> response = {};
  std::string response_head = {};
  dialogue::Message body = {};  ///< of a response that is no stream
  std::vector<StreamBlock> blocks = {};
  std::string end =
      {};  ///< how the stream ended, in the words of the transcript; empty: it is none
  std::string unfinished = {};  ///< what had come of a block that was not ended then

  std::string_view method() const { return std::string_view(request).substr(0, request.find(' ')); }
  dialogue::Message sent() const;
  bool is_standing_stream() const { return request == kStandingStream; }
  std::size_t status() const { return response ? response->status : 0; }
  bool is_stream() const { return response && response->stream.has_value(); }
  /// The media type, without parameters.
  std::string type() const;
};

/// The value of the first field of that name in a head.
std::optional<std::string> field_in(std::string_view head, std::string_view name);
/// The elements of all fields of that name, which are one list (RFC 9110 §5.3).
std::vector<std::string> list_in(std::string_view head, std::string_view name);

std::vector<HttpTurn> turns_in(const std::vector<dialogue::Event>& events);

}  // namespace jrpcheck::judge
