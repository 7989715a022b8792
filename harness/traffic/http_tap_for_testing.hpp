// What the tests of HTTP as it passes share: requests, responses, and a tap between both sides.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "traffic/tap_for_testing.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::traffic::http_tap_for_testing {

using dialogue::Side;
using Texts = std::vector<std::string>;
inline constexpr microseconds kNow{1};
inline constexpr const char* kCallInHttp = R"({"jsonrpc":"2.0","method":"a","id":1})";
inline constexpr const char* kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

inline std::string request(const std::string& body, const wire::HttpFields& more = {},
                           const std::string& method = "POST", const std::string& path = "/") {
  wire::HttpFields fields = {{"Host", "a"}, {"Content-Length", std::to_string(body.size())}};
  fields.insert(fields.end(), more.begin(), more.end());
  return wire::http_request(method, path, fields, body);
}

inline std::string response(int status, const std::string& body,
                            const std::string& type = "application/json",
                            const wire::HttpFields& more = {}) {
  wire::HttpFields fields = {{"Content-Length", std::to_string(body.size())},
                             {"Content-Type", type}};
  fields.insert(fields.end(), more.begin(), more.end());
  return wire::http_response(status, fields, body);
}

class HttpTapTest : public ::testing::Test {
 protected:
  TapForTesting recorder_;
  std::unique_ptr<Tap> tap_ = make_http_tap(1, recorder_.sink());

  void client(const std::string& bytes) { feed(Side::client, bytes); }
  void server(const std::string& bytes) { feed(Side::server, bytes); }
  void feed(Side side, const std::string& bytes) {
    for (std::size_t i = 0; i < bytes.size(); i += 7) {
      tap_->feed(side, std::string_view(bytes).substr(i, 7), kNow);
    }
  }
};

}  // namespace jrpcheck::traffic::http_tap_for_testing
