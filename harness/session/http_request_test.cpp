// The bytes of requests.
#include <gtest/gtest.h>

#include <string>

#include "session/http_conversation.hpp"
#include "session/http_fixture_for_testing.hpp"

namespace jrpcheck::session {
namespace http_request_test {

const std::string kUrl = "http://127.0.0.1:8545/rpc?x=1";

std::string request(const corpus::HttpDetails& details = {}, const wire::HttpFields& extra = {},
                    const std::string& message = "{}", const std::string& url = kUrl) {
  return http_request_for(testing::target_of(url), extra, details, message);
}

TEST(HttpRequest, IsAPlainPost) {
  EXPECT_EQ(request(),
            "POST /rpc?x=1 HTTP/1.1\r\n"
            "Host: 127.0.0.1:8545\r\n"
            "User-Agent: jrpcheck\r\n"
            "Accept: application/json\r\n"
            "Accept-Encoding: identity\r\n"
            "Content-Type: application/json\r\n"
            "Content-Length: 2\r\n\r\n{}");
}

TEST(HttpRequest, CarriesTheCredentialsOfTheUrl) {
  EXPECT_NE(request({}, {}, "{}", "http://u:p@h/").find("\r\nAuthorization: Basic dTpw\r\n"),
            std::string::npos);
}

TEST(HttpRequest, GoesToThePathOfTheStep) {
  corpus::HttpDetails details;
  details.path = "/wallet/a%20b";
  EXPECT_EQ(request(details).substr(0, 31), "POST /wallet/a%20b HTTP/1.1\r\nHo");
}

TEST(HttpRequest, FieldsOfTheStepReplaceOursWhateverTheirCaseAndNullLeavesThemOut) {
  corpus::HttpDetails details;
  details.headers = {{"content-type", "text/plain"}, {"ACCEPT", std::nullopt}, {"X-New", ""}};
  EXPECT_EQ(request(details),
            "POST /rpc?x=1 HTTP/1.1\r\n"
            "Host: 127.0.0.1:8545\r\n"
            "User-Agent: jrpcheck\r\n"
            "Accept-Encoding: identity\r\n"
            "content-type: text/plain\r\n"
            "Content-Length: 2\r\n"
            "X-New: \r\n\r\n{}");
}

TEST(HttpRequest, FieldsOfTheUserReplaceOursAndMayRepeat) {
  EXPECT_EQ(request({}, {{"HOST", "example.org"}, {"Cookie", "a=1"}, {"Cookie", "b=2"}}),
            "POST /rpc?x=1 HTTP/1.1\r\n"
            "User-Agent: jrpcheck\r\n"
            "Accept: application/json\r\n"
            "Accept-Encoding: identity\r\n"
            "Content-Type: application/json\r\n"
            "HOST: example.org\r\n"
            "Cookie: a=1\r\n"
            "Cookie: b=2\r\n"
            "Content-Length: 2\r\n\r\n{}");
}

TEST(HttpRequest, FieldOfTheStepReplacesEachOfTheUsersOfThatName) {
  corpus::HttpDetails details;
  details.headers = {{"cookie", "c=3"}};
  const std::string bytes = request(details, {{"Cookie", "a=1"}, {"Cookie", "b=2"}});
  EXPECT_EQ(bytes.find("Cookie: "), std::string::npos);
  EXPECT_NE(bytes.find("\r\ncookie: c=3\r\n"), std::string::npos);
}

TEST(HttpRequest, ChunkedBodyHasNoLengthAndSeveralChunks) {
  corpus::HttpDetails details;
  details.chunked = true;
  EXPECT_EQ(request(details, {}, "0123456789abcdefXYZ"),
            "POST /rpc?x=1 HTTP/1.1\r\n"
            "Host: 127.0.0.1:8545\r\n"
            "User-Agent: jrpcheck\r\n"
            "Accept: application/json\r\n"
            "Accept-Encoding: identity\r\n"
            "Content-Type: application/json\r\n"
            "Transfer-Encoding: chunked\r\n\r\n"
            "10\r\n0123456789abcdef\r\n3\r\nXYZ\r\n0\r\n\r\n");
}

TEST(HttpRequest, GetWithoutBodyHasNoLength) {
  corpus::HttpDetails details;
  details.method = "GET";
  EXPECT_EQ(request(details, {}, "").find("Content-Length"), std::string::npos);
  EXPECT_NE(request(details, {}, "{}").find("GET /rpc?x=1 HTTP/1.1\r\n"), std::string::npos);
  EXPECT_NE(request({}, {}, "").find("Content-Length: 0\r\n"), std::string::npos);
}

TEST(HttpRequest, IsShownWithoutCredentialsAndWithoutWhatTheUserGave) {
  const auto target = testing::target_of("http://user:secret@h/");
  const std::string shown = http_request_for(
      without_secrets(target), without_secrets(wire::HttpFields{{"X-Key", "secret"}}), {}, "{}");
  EXPECT_NE(shown.find("\r\nAuthorization: ...\r\n"), std::string::npos);
  EXPECT_NE(shown.find("\r\nX-Key: ...\r\n"), std::string::npos);
  EXPECT_EQ(shown.find("secret"), std::string::npos);
  EXPECT_EQ(without_secrets(testing::target_of("http://h/")).authorization, "");
}

}  // namespace http_request_test
}  // namespace jrpcheck::session
