// An event stream within a response of HTTP (WHATWG HTML §9.2): events become traffic as they come.
#pragma once

#include <cstddef>
#include <string_view>

#include "dialogue/traffic.hpp"
#include "traffic/framed_side.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::traffic {

class EventStreamSide {
 public:
  /// `is_of_json_rpc`: it is spoken at that path. Elsewhere the first message shows it.
  EventStreamSide(dialogue::EventStream kind, bool is_of_json_rpc, std::size_t connection,
                  std::size_t exchange)
      : kind_(kind),
        is_of_json_rpc_(is_of_json_rpc),
        connection_(connection),
        exchange_(exchange) {}

  void feed(std::string_view body, microseconds at, const Sink& sink);
  /// `is_whole`: it was ended, and not cut off.
  void end(std::size_t http_status, bool is_whole, microseconds at, const Sink& sink);

 private:
  bool is_message(const wire::ServerSentEvent& block, const dialogue::Message& message);
  dialogue::TrafficEvent event(microseconds at) const;

  dialogue::EventStream kind_;
  bool is_of_json_rpc_;
  std::size_t connection_;
  std::size_t exchange_;
  wire::SseReader reader_{kTapLimits};
  bool may_go_on_ = false;  // somebody may ask for what follows an event with an id
};

}  // namespace jrpcheck::traffic
