#include "run/stranger.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace jrpcheck::run {
namespace stranger_test {

constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"x","id":4800001})";

HttpAnswer answer(int status, const std::string& body) {
  HttpAnswer answer;
  answer.sent = kCall;
  answer.heard = "HTTP/1.1";
  answer.status = status;
  answer.body = body;
  return answer;
}

std::string what_is(const std::vector<HttpAnswer>& answers, const Asking& asking = {}) {
  const auto stranger = recognise(answers, asking);
  return stranger ? stranger->what : "to be judged";
}

bool is_meant_for_response(const std::string& text) {
  return is_response_to(*json::parse(text).value, kCall);
}

TEST(IsResponseTo, WhatHasAnyPartOfOne) {
  EXPECT_TRUE(is_meant_for_response(R"({"jsonrpc":"2.0","outcome":1})"));
  EXPECT_TRUE(is_meant_for_response(R"({"id":4800001})"));
  EXPECT_TRUE(is_meant_for_response(R"({"id":"4800001","answer":1})"));
  EXPECT_TRUE(is_meant_for_response(R"({"Result":1})"));
  EXPECT_TRUE(is_meant_for_response(R"({"error":{"code":-32601}})"));
  EXPECT_TRUE(is_meant_for_response(R"([{"jsonrpc":"2.0","error":{},"id":null}])"));
  EXPECT_FALSE(is_meant_for_response(kCall)) << "a call is no answer to itself";
  EXPECT_FALSE(is_meant_for_response(R"({"id":7,"status":"ok"})"));
  EXPECT_FALSE(is_meant_for_response("[]"));
  EXPECT_FALSE(is_meant_for_response("null"));
}

TEST(IsResponseTo, AnErrorOfAnotherApiIsNone) {
  const std::string error = R"({"error":{"code":404,"message":"Not Found"}})";
  EXPECT_FALSE(is_response_to(*json::parse(error).value, kCall, false));
  EXPECT_FALSE(is_response(answer(404, error)));
  EXPECT_TRUE(is_response(answer(404, R"({"error":{"code":-32601},"id":4800001})")));
  EXPECT_TRUE(is_response(answer(404, R"({"error":{"code":-32601,"message":"No"}})")));
  const std::string of_trpc = R"({"error":{"message":"No procedure","code":-32004,"data":{}}})";
  EXPECT_FALSE(is_response(answer(404, of_trpc)));
  EXPECT_EQ(what_is({answer(404, of_trpc)}), "there is no such path (HTTP 404)");
  EXPECT_EQ(what_is({answer(500, of_trpc)}), "to be judged");
}

TEST(IsOfNoJsonRpc, TextAndObjectsOfOtherApis) {
  EXPECT_TRUE(is_of_no_json_rpc(R"(0{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":[]})"));
  EXPECT_TRUE(is_of_no_json_rpc("Hello"));
  EXPECT_TRUE(is_of_no_json_rpc(R"({"type":"welcome"})"));
  EXPECT_TRUE(is_of_no_json_rpc(R"({"success":true,"code":"OK","message":"hello"})"));
  EXPECT_FALSE(is_of_no_json_rpc(R"({"code":-32601,"message":"No"})")) << "an error alone";
  EXPECT_FALSE(is_of_no_json_rpc(R"({"method":"hello"})")) << "a Notification of its own";
  EXPECT_FALSE(is_of_no_json_rpc(R"({"hello":)")) << "nobody can tell what it was to be";
  EXPECT_FALSE(is_of_no_json_rpc(R"(!{"jsonrpc":"2.0","result":1,"id":1})"));
}

// RFC 9110 §8.4: without the coding undone nobody can read what is said.
TEST(Recognise, AnAnswerThatComesCodedIsNamedAsThat) {
  auto coded = answer(200, "\x1f\x8b\x08");
  coded.coding = "gzip";
  EXPECT_EQ(what_is({coded}),
            "its answers come coded (HTTP 200, Content-Encoding: gzip), and no coding is asked for "
            "(Accept-Encoding: identity)");
  coded.body = R"({"jsonrpc":"2.0","result":1,"id":2})";
  EXPECT_EQ(what_is({coded}), "to be judged") << "coded in name alone";
}

// Whatever a server with faults may say is left to the judge.
TEST(Recognise, WhatMayBeAServerWithFaultsIsNoStranger) {
  const std::string bodies[] = {"{}",
                                "[]",
                                "null",
                                "7",
                                R"("x")",
                                R"({"jsonrpc":"2.0"})",
                                R"({"code":5})",
                                R"({"jsonrpc":"2.0","result":)",
                                R"(data: {"jsonrpc":"2.0"})",
                                "{'result': 1}"};
  for (const auto& body : bodies) {
    EXPECT_EQ(what_is({answer(200, body)}), "to be judged") << body;
  }
  for (const int status : {400, 408, 413, 429, 500, 503}) {
    EXPECT_EQ(what_is({answer(status, "No")}), "to be judged") << status;
  }
}

// Of whom nothing ever comes nobody knows that JSON-RPC is spoken.
TEST(Recognise, WhoAnswersEveryCallWithNothingIsNoEndpoint) {
  for (const int status : {200, 202, 204}) {
    EXPECT_EQ(what_is({answer(status, ""), answer(status, " \n")}),
              "it answers every call with nothing (HTTP " + std::to_string(status) + ")");
  }
  EXPECT_EQ(what_is({answer(204, ""), answer(200, R"({"jsonrpc":"2.0","result":1,"id":2})")}),
            "to be judged")
      << "deaf to some";
  EXPECT_EQ(what_is({answer(204, ""), answer(500, "")}), "to be judged");
  auto stream = answer(200, "");
  stream.content_type = "text/event-stream";
  EXPECT_EQ(what_is({stream}), "to be judged");
}

// Where no call gets past it there is nothing to judge.
TEST(Recognise, WhoWantsAHeaderThatIsNotThereRefusesEveryCall) {
  for (const int status : {409, 412, 428}) {
    EXPECT_EQ(what_is({answer(status, "<h1>Conflict</h1>")}),
              "it refuses every call (HTTP " + std::to_string(status) + ": <h1>Conflict</h1>)");
  }
  const auto stranger = recognise({answer(409, "No session")}, {});
  ASSERT_TRUE(stranger);
  EXPECT_EQ(stranger->advice,
            std::vector<std::string>{"where it wants a header: --header 'NAME: VALUE'"});
}

TEST(Recognise, APageOfAServerThatHasTooMuchToDoIsNoStranger) {
  for (const int status : {429, 500, 503}) {
    EXPECT_EQ(what_is({answer(status, "<html>Later</html>")}), "to be judged") << status;
  }
}

TEST(Recognise, OneAnswerThatMayBeOfAServerSavesTheOthers) {
  EXPECT_EQ(what_is({answer(404, "No"), answer(200, R"({"jsonrpc":"2.0","result":1,"id":2})")}),
            "to be judged");
  EXPECT_EQ(what_is({answer(404, "No"), answer(500, "")}), "to be judged");
  EXPECT_EQ(what_is({answer(404, "No"), answer(405, "No")}), "there is no such path (HTTP 404)");
}

TEST(Recognise, BrokenHttpIsJudged) {
  HttpAnswer broken;
  broken.heard = "HTTP/1.1 2OO\r\n";
  EXPECT_EQ(what_is({broken}), "to be judged");
  broken.heard = R"({"jsonrpc":"2.0","error":{"code":-32700},"id":null})";
  EXPECT_EQ(what_is({broken}), "to be judged") << "JSON-RPC without HTTP";
  broken.heard = "SSH-2.0-x\r\n";
  EXPECT_EQ(what_is({broken}), R"(it is an SSH server, and says SSH-2.0-x\r\n)");
}

TEST(Recognise, SilenceIsToldFromTheEndOfAServerThatWasStarted) {
  HttpAnswer silent;
  EXPECT_EQ(what_is({silent}), "it accepts connections and says nothing");
  HttpAnswer closed;
  closed.closed = true;
  EXPECT_EQ(what_is({closed}, {false, true}), "it closes every connection without an answer");
  EXPECT_EQ(what_is({closed}, {false, false}), "to be judged") << "the call may have ended it";
  EXPECT_EQ(what_is({closed, silent}), "to be judged");
  EXPECT_EQ(what_is({}), "to be judged") << "nobody could be asked";
}

TEST(Recognise, AGatewayIsNobody) {
  const auto stranger = recognise({answer(502, "<html>Bad Gateway</html>")}, {});
  ASSERT_TRUE(stranger);
  EXPECT_TRUE(stranger->is_nobody);
}

}  // namespace stranger_test
}  // namespace jrpcheck::run
