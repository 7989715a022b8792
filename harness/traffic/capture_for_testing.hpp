// What the tests of captures share: a capture whose traffic is told shortly.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "traffic/capture.hpp"

namespace jrpcheck::traffic::capture_for_testing {

using dialogue::TrafficEvent;
using Texts = std::vector<std::string>;

struct Heard {
  Capture capture;
  Texts told;
  std::string error;
  std::vector<TrafficEvent> events;
  std::vector<HttpHead> heads;
  Texts order;  // of all that is told, and of heads
  Texts framings;
};

inline Heard hear(const std::string& text) {
  Heard heard;
  std::istringstream file(text);
  auto capture = read_capture(
      file, "test", [](const Capture&) {},
      [&](TrafficEvent event) {
        std::string line(name_of(event.side));
        line += event.kind == TrafficEvent::Kind::message ? " " + event.message.text()
                                                          : " " + std::string(name_of(event.kind));
        heard.told.push_back(line);
        heard.order.push_back(line);
        heard.events.push_back(std::move(event));
      },
      [&](const HttpHead& head) {
        heard.heads.push_back(head);
        heard.order.push_back("head " + head.method + std::to_string(head.status));
      },
      [&](const wire::Binding& binding, std::size_t connection) {
        heard.framings.push_back(std::to_string(connection) + " " + std::string(binding.name));
      });
  if (capture) {
    heard.capture = *std::move(capture);
  } else {
    heard.error = capture.error().message;
  }
  return heard;
}

}  // namespace jrpcheck::traffic::capture_for_testing
