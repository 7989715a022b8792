#include "judge/http_step.hpp"

#include <gtest/gtest.h>
#include <array>

#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace http_step_test {

constexpr const char* kCallFails = R"({"response": {"error": {"code": -32601}, "id": 1}})";
constexpr const char* kFailure =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":1})";

Charges charges_of_type(const std::string& content_type) {
  return charges(judged(case_accepting(kCallFails), responded(200, kFailure, content_type)));
}

TEST(HttpStep, EveryTypeOfJsonWillDo) {
  for (const char* type :
       {"application/json", "Application/JSON; Charset=UTF-8", "application/json-rpc",
        "application/jsonrequest", "text/json", "application/vnd.example+json"}) {
    EXPECT_EQ(charges_of_type(type), Charges{}) << type;
  }
}

TEST(HttpStep, AHeadThatStrictClientsRefuseWarns) {
  const auto charged = [](const std::string& head) {
    auto exchange = responded(200, kFailure);
    exchange.http_head = head;
    return charges(judged(case_accepting(kCallFails), exchange));
  };
  EXPECT_EQ(charged("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), Charges{});
  EXPECT_EQ(charged("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), Charges{});
  EXPECT_EQ(charged("HTTP/1.1 204 No Content\r\n\r\n"), Charges{});
  EXPECT_EQ(charged("HTTP/1.1 200 OK\r\nX-Content-Type: a\r\nContent-Type: b\r\n\r\n"), Charges{});
  EXPECT_EQ(charged(""), Charges{});  // a recording may leave it out
  EXPECT_EQ(charged("HTTP/1.1 200 OK\nContent-Length: 9\n\n"), Charges{"http-response-head: warn"});
  EXPECT_EQ(charged("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTRANSFER-ENCODING: chunked\r\n\r\n"),
            Charges{"http-response-head: warn"});
  for (const std::string field :
       {"204 No Content\r\nContent-Length: 0", "204 No Content\r\nTransfer-Encoding: chunked",
        "200 OK\r\nContent-Type: text/json\r\nContent-Length: 9\r\ncontent-type: text/json",
        "200 OK\r\nServer: a\r\n b\r\nContent-Length: 9"}) {
    EXPECT_EQ(charged("HTTP/1.1 " + field + "\r\n\r\n"), Charges{"http-response-head: warn"})
        << field;
  }
}

TEST(HttpStep, AnotherTypeOrNoneWarns) {
  for (const char* type : {"text/plain", "text/html; charset=json", ""}) {
    EXPECT_EQ(charges_of_type(type), Charges{"http-response-type: warn"}) << type;
  }
}

TEST(HttpStep, APageForPeopleNeedsNoTypeOfJson) {
  const auto one = case_accepting(R"({"refused": true})");
  EXPECT_EQ(charges(judged(one, responded(500, "<html></html>", "text/html"))), Charges{});
}

TEST(HttpStep, TheSameErrorHasTheSameStatus) {
  const auto load = [&](const dialogue::Exchange& second) {
    auto one = case_accepting(kCallFails);
    add_step(one, kCallFails);
    one.steps[1].same_status = true;
    return charges(judge(one, std::array{responded(200, kFailure), second}, {}, real_ledger(), {}));
  };
  EXPECT_EQ(load(responded(200, kFailure)), Charges{});
  EXPECT_EQ(load(responded(404, kFailure)), Charges{"http-status-stable: warn"});
  EXPECT_EQ(load(responded(503, kFailure)), Charges{"http-status-stable: warn"});
  EXPECT_EQ(load(responded(429, kFailure)), Charges{});
}

TEST(HttpStep, AFailureThatTellsOfTextThatIsNoJsonIsNoneOfANotification) {
  const auto told = [](const std::string& body) {
    Judgement judgement;
    Charger charger(real_ledger(), judgement);
    judge_http_exchange(responded(500, body), true, charger);
    return charges(judgement);
  };
  EXPECT_EQ(told("Oh"), Charges{"http-notification-5xx: warn"});
  EXPECT_EQ(told(R"({"result":null,"error":{"code":-32603,"message":"m"},"id":null})"),
            Charges{"http-notification-5xx: warn"});
  EXPECT_EQ(told(R"({"result":null,"error":{"code":-32700,"message":"m"},"id":null})"), Charges{});
}

Judgement judged_on_new_connection(const std::string& why) {
  auto one = case_accepting(kCallFails);
  add_step(one, kCallFails);
  one.steps[1].same_connection = true;
  auto second = responded(200, kFailure);
  second.on_new_connection = true;
  second.lost_connection = why;
  return judge(one, std::array{responded(200, kFailure), second}, {}, real_ledger(), {});
}

TEST(HttpStep, AConnectionMayBeClosedWithNotice) {
  const auto judgement = judged_on_new_connection("");
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_TRUE(judgement.unjudged);
}

TEST(HttpStep, AConnectionClosedWithoutNoticeWarns) {
  EXPECT_EQ(charges(judged_on_new_connection("the connection was closed")),
            Charges{"http-keep-alive: warn"});
}

}  // namespace http_step_test
}  // namespace jrpcheck::judge
