// What the tests of taps share: a tap whose traffic is told shortly.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "traffic/tap.hpp"

namespace jrpcheck::traffic {

/// Tells "client {...}", "server violation", "server closed".
class TapForTesting {
 public:
  TapSink sink() {
    TapSink made;
    made.traffic = [this](dialogue::TrafficEvent event) {
      if (event.kind == dialogue::TrafficEvent::Kind::upgraded) {
        handshake = event.note + event.message.text();
        return;
      }
      std::string line(name_of(event.side));
      if (event.kind != dialogue::TrafficEvent::Kind::message) {
        line += " " + std::string(name_of(event.kind));
      } else {
        line += " " + event.message.text();
      }
      if (event.http_status != 0) line += " " + std::to_string(event.http_status);
      if (event.http_status != 0 && !event.note.empty()) line += ": " + event.note;
      if (event.stream != dialogue::EventStream::none) {
        line += " on " + std::string(name_of(event.stream));
      }
      told.push_back(line);
    };
    made.framing = [this](const wire::Binding& binding, std::size_t) { framing = binding.name; };
    made.secret = [this](const result::Secret& secret) { secrets.push_back(secret.value); };
    return made;
  }

  std::vector<std::string> told;
  std::vector<std::string> secrets;
  std::string framing;
  std::string handshake;  ///< both heads of the last one
};

}  // namespace jrpcheck::traffic
