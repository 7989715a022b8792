// The requests of a client on one connection, as a server reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wire/http1.hpp"

namespace jrpcheck::client {

class HttpRequests {
 public:
  void feed(std::string_view bytes) { reader_.feed(bytes); }

  std::optional<wire::HttpMessage> next() {
    auto request = reader_.next();
    if (request) {
      is_waved_on_ = false;
      takes_chunks_ = !request->start_line.ends_with("HTTP/1.0");
    }
    return request;
  }

  /// When all that is complete has been taken: what is owed to who keeps a body back until it is
  /// told to go on (RFC 9110 §10.1.1).
  std::string owed() {
    const auto* head = reader_.pending_head();
    const bool waits = head != nullptr && head->field("Expect");
    return waits && !std::exchange(is_waved_on_, true) ? wire::http_response(100, {}, {})
                                                       : std::string();
  }

  /// Whether who sent the last request knows chunks (RFC 9112 §6.1).
  bool takes_chunks() const { return takes_chunks_; }

 private:
  wire::HttpReader reader_{wire::HttpReader::Role::server};
  bool is_waved_on_ = false;
  bool takes_chunks_ = true;
};

}  // namespace jrpcheck::client
