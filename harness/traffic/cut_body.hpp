// What a Content-Length that is too small has cut off: it stands before the next response, which
// cannot be read for it (RFC 9112 §6.3, §9.6).
#pragma once

#include <string>

#include "dialogue/traffic.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::traffic {

class CutBody {
 public:
  /// The last response of a connection, whose body is charged where it is no JSON.
  void take(const dialogue::TrafficEvent& response) {
    constexpr std::size_t kLongest = 64U << 10;
    constexpr std::size_t kOk = 200;
    const auto& body = response.message;
    const bool may_go_on = response.http_status == kOk && body.value() == nullptr;
    body_ = may_go_on && body.text().size() < kLongest ? body.text() : std::string();
  }

  /// Whether what comes behind it, and is no response, is its rest.
  bool goes_on_in(const wire::HttpMessage& broken) const {
    if (body_.empty()) return false;
    const dialogue::Message joined(body_ + broken.head.substr(0, broken.head.find("HTTP/1.")));
    return joined.value() != nullptr || joined.error().offset >= joined.text().size();
  }

 private:
  std::string body_;
};

}  // namespace jrpcheck::traffic
