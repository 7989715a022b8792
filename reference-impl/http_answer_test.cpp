#include "reference-impl/http_answer.hpp"

#include <gtest/gtest.h>

#include "reference-impl/methods.hpp"

namespace jrpcheck::reference {
namespace http_answer_test {

constexpr std::string_view kCall = R"({"jsonrpc":"2.0","method":"subtract","params":[3,2],"id":1})";
constexpr std::string_view kReply = R"({"jsonrpc":"2.0","result":1,"id":1})";
constexpr std::string_view kNotification = R"({"jsonrpc":"2.0","method":"update"})";

wire::HttpMessage post(std::string_view body, wire::HttpFields fields = {{"Host", "localhost"}}) {
  wire::HttpMessage request;
  request.start_line = "POST / HTTP/1.1";
  request.method = "POST";
  request.target = "/";
  request.fields = std::move(fields);
  request.body = body;
  return request;
}

std::string answer_to(const wire::HttpMessage& request) {
  return proper_http_answer(make_reference_dispatcher(), request).bytes;
}

int status_of(const wire::HttpMessage& request) {
  return std::stoi(answer_to(request).substr(std::string_view("HTTP/1.1 ").size(), 3));
}

TEST(HttpAnswer, CarriesTheReplyAsJson) {
  EXPECT_EQ(answer_to(post(kCall)),
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                std::to_string(kReply.size()) + "\r\nConnection: keep-alive\r\n\r\n" +
                std::string(kReply));
}

TEST(HttpAnswer, IsNoContentWhereSilenceIsDue) {
  EXPECT_EQ(answer_to(post(kNotification)),
            "HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n");
}

TEST(HttpAnswer, HasOneStatusForEveryErrorOfJsonRpc) {
  EXPECT_EQ(status_of(post("")), 200);
  EXPECT_EQ(status_of(post("{")), 200);
  EXPECT_EQ(status_of(post("[]")), 200);
  EXPECT_EQ(status_of(post(R"({"jsonrpc":"2.0","method":"unknown","id":1})")), 200);
}

TEST(HttpAnswer, SaysWhetherTheConnectionGoesOn) {
  wire::HttpMessage request = post(kNotification);
  request.keep_alive = false;
  EXPECT_EQ(answer_to(request), "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
}

TEST(HttpAnswer, RefusesOtherMethodsAndNamesTheOneAllowed) {
  for (const char* method : {"GET", "HEAD", "PUT", "OPTIONS", "post"}) {
    wire::HttpMessage request = post("");
    request.method = method;
    EXPECT_EQ(answer_to(request),
              "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n"
              "Connection: keep-alive\r\n\r\n");
  }
}

TEST(HttpAnswer, TakesJsonTypesInAnyCaseAndWithParameters) {
  for (const char* type :
       {"application/json", "Application/JSON; charset=UTF-8", "application/json ;charset=utf-8",
        "application/json-rpc", "application/jsonrequest"}) {
    EXPECT_EQ(status_of(post(kCall, {{"Host", "a"}, {"content-type", type}})), 200) << type;
  }
}

TEST(HttpAnswer, RefusesForeignTypes) {
  for (const char* type : {"text/plain", "application/xml", "application/jsonx", "", "json"}) {
    EXPECT_EQ(status_of(post(kCall, {{"Host", "a"}, {"Content-Type", type}})), 415) << type;
  }
}

TEST(HttpAnswer, RefusesWhatIsNotHttp) {
  wire::HttpMessage request = post(kCall);
  request.violation = "broken";
  EXPECT_EQ(status_of(request), 400);
}

TEST(HttpAnswer, DemandsOneHostOfHttp11) {
  EXPECT_EQ(status_of(post(kCall, {})), 400);
  EXPECT_EQ(status_of(post(kCall, {{"Host", "a"}, {"host", "b"}})), 400);

  wire::HttpMessage old_request = post(kCall, {});
  old_request.start_line = "POST / HTTP/1.0";
  EXPECT_EQ(status_of(old_request), 200);
}

TEST(HttpAnswer, RefusesABodyThatIsAnnouncedTooLong) {
  const std::size_t limit = Limits{}.max_bytes;
  const auto announcing = [](std::size_t size) {
    return post("", {{"Host", "a"}, {"Content-Length", std::to_string(size)}});
  };
  EXPECT_EQ(refusal_of(announcing(limit + 1), Limits{}), 413);
  EXPECT_EQ(refusal_of(announcing(limit), Limits{}), std::nullopt);
}

}  // namespace http_answer_test
}  // namespace jrpcheck::reference
