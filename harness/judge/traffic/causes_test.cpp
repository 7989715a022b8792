// What is wrong once is charged once, and as what it is.
#include <gtest/gtest.h>

#include "judge/traffic/traffic_for_testing.hpp"
#include "wire/http1.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::judge {
namespace traffic_causes_test {

using namespace traffic_for_testing;

constexpr const char* kOther = R"({"jsonrpc":"2.0","method":"b","id":2})";
constexpr const char* kResultOfOther = R"({"jsonrpc":"2.0","result":2,"id":2})";
constexpr const char* kResultOfNobody = R"({"jsonrpc":"2.0","result":1,"id":77})";

std::string array_of(const Texts& elements) {
  std::string text;
  for (const auto& each : elements) text += (text.empty() ? "[" : ",") + each;
  return text + "]";
}

const std::string kBatch = array_of({kCall, kOther});

TrafficEvent broken_by_server(const std::string& bytes, const std::string& note) {
  TrafficEvent event{note.empty() ? Kind::noise : Kind::violation, Side::server};
  event.message = bytes;
  event.note = note;
  return event;
}

TEST(CausesInTraffic, CallThatMayHaveHadTheAnswerUnderAWrongIdIsNotUnansweredBesides) {
  EXPECT_EQ(Conversation().client(kCall).server(kResultOfNobody).closed(Side::server).found(),
            Texts{"server id-echo"});
  Conversation two;
  two.client(kCall).client(kOther).server(kResultOfNobody).closed(Side::server);
  EXPECT_EQ(two.found(), (Texts{"server res-once", "server res-always"})) << "one had none";
  Conversation later;
  later.client(kCall).server(kResultOfNobody).server(kResult).client(kOther).closed(Side::server);
  EXPECT_EQ(later.found(), (Texts{"server res-once", "server res-always"})) << "it came before";
  Conversation nulls;
  nulls.client(kCall).client(kOther).server(kErrorOfNobody).closed(Side::server);
  EXPECT_EQ(nulls.found(), (Texts{"server id-echo", "server res-always"}));
  Conversation waits;
  waits.client(kCall).server(kResultOfNobody).client(kOther).server(kResultOfOther);
  waits.after(milliseconds(6000)).closed(Side::client).closed(Side::server);
  EXPECT_EQ(waits.found(), Texts{"server id-echo"});
  EXPECT_EQ(Conversation().client(kBatch).server(array_of({kResult, kResultOfNobody})).found(),
            Texts{"server res-once"});
}

TEST(CausesInTraffic, CallIsNotUnansweredBesidesWhatCannotBeRead) {
  for (const auto* broken : {"{\"jsonrpc\":", "null", "[1]", "[]"}) {
    for (const std::string& asked : {std::string(kCall), kBatch}) {
      Conversation talk;
      talk.client(asked).server(broken).closed(Side::server);
      EXPECT_EQ(talk.found().size(), 1U) << asked << broken;
      EXPECT_EQ(Conversation("http").post(asked, 200, broken).found().size(), 1U)
          << asked << broken;
    }
  }
}

TEST(CausesInTraffic, LastLineWithoutItsEndIsChargedAsThatAlone) {
  constexpr const char* kNoEnd = "the last line is not ended by a line feed";
  const auto ends_with = [&](const std::string& bytes, const Texts& calls) {
    Conversation talk;
    for (const auto& each : calls) talk.client(each);
    return talk.take(broken_by_server(bytes, kNoEnd)).closed(Side::server).found();
  };
  EXPECT_EQ(ends_with(kResult, {kCall}), Texts{"server std-one-line"});
  EXPECT_EQ(ends_with(kResult, {kCall, kOther}),
            (Texts{"server std-one-line", "server res-always"}));
  EXPECT_EQ(ends_with(R"({"jsonrpc":"2.0","resu)", {kCall}), Texts{"server std-clean"});
}

TEST(CausesInTraffic, AnswerBehindWhatIsPrintedHasCome) {
  const auto printed = broken_by_server("done" + std::string(kResult), "");
  EXPECT_EQ(Conversation().client(kCall).take(printed).closed(Side::server).found(),
            Texts{"server std-clean"});
  Conversation both;
  both.client(kCall).take(printed).server(kResult).closed(Side::server);
  EXPECT_EQ(both.found(), Texts{"server std-clean"}) << "what is printed may be no answer";
  EXPECT_EQ(Conversation()
                .client(kCall)
                .take(broken_by_server("at {0}", ""))
                .closed(Side::server)
                .found(),
            (Texts{"server std-clean", "server res-always"}));
}

TEST(CausesInTraffic, BatchThatIsAnsweredByAnObjectIsChargedForThatAlone) {
  EXPECT_EQ(Conversation().client(kBatch).server(kResult).closed(Side::server).found(),
            Texts{"server bat-array"});
  EXPECT_EQ(Conversation("http").post(kBatch, 200, kResult).found(), Texts{"server bat-array"});
  EXPECT_EQ(Conversation("http").post(kBatch, 200, kResultOfNobody).found(),
            Texts{"server res-once"});
  constexpr const char* kRefused =
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})";
  EXPECT_EQ(Conversation().client(kBatch).server(kRefused).closed(Side::server).found(), Texts())
      << "it may be refused as a whole";
  Conversation served;
  served.client("{").client(kBatch).server(kRefused).server(array_of({kResult}));
  EXPECT_EQ(served.found(), (Texts{"client cl-req-json", "server bat-each"})) << "it was not";
}

// JSON-RPC 2.0 §5, §6: each call of a batch has its answer under its own id.
TEST(CausesInTraffic, BatchThatIsAnsweredWithoutItsIdsIsChargedOnceForEachOfThem) {
  const std::string null_result = R"({"jsonrpc":"2.0","result":1,"id":null})";
  const std::string null_error =
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})";
  const Texts twice = {"server id-echo", "server id-echo"};
  for (const auto& each : {null_result, null_error}) {
    const std::string both = array_of({each, each});
    EXPECT_EQ(Conversation().client(kBatch).server(both).closed(Side::server).found(), twice);
    EXPECT_EQ(Conversation("http").post(kBatch, 200, both).found(), twice);
    const std::string second = array_of({kResult, each});
    EXPECT_EQ(Conversation().client(kBatch).server(second).found(), Texts{"server id-echo"});
    Conversation broken;
    broken.client("{").client(kBatch).server(both);
    EXPECT_EQ(broken.found(), Texts{"client cl-req-json"}) << "it may have been a batch";
    EXPECT_EQ(Conversation().client("[1,2]").server(array_of({null_error, null_error})).found(),
              (Texts{"client cl-bat-flat", "client cl-bat-flat"}));
  }
  EXPECT_EQ(Conversation().client(kBatch).server(array_of({null_result})).found(),
            (Texts{"server id-echo", "server bat-each"}));
  EXPECT_EQ(Conversation().client(kBatch).server(array_of({null_error})).found(), Texts())
      << "it may be refused for being one";
  Conversation after;
  after.client("[]").server(null_error).client(kBatch).server(array_of({null_error, null_error}));
  EXPECT_EQ(after.found(), (Texts{"client cl-bat-not-empty", "server id-echo", "server id-echo"}));
}

TEST(CausesInTraffic, BatchThatIsAnsweredUnderIdsOfAnotherTypeIsAnsweredByItsArray) {
  const auto as_text = [](int id) {
    return R"({"jsonrpc":"2.0","result":1,"id":")" + std::to_string(id) + "\"}";
  };
  const std::string array = array_of({as_text(1), as_text(2)});
  const Texts twice = {"server id-echo", "server id-echo"};
  EXPECT_EQ(Conversation().client(kBatch).server(array).closed(Side::server).found(), twice);
  EXPECT_EQ(Conversation("http").post(kBatch, 200, array).found(), twice);
  EXPECT_EQ(Conversation("http").post(array_of({kCall}), 200, array_of({kResultOfNobody})).found(),
            Texts{"server id-echo"});
  EXPECT_EQ(Conversation().client(kBatch).server(array_of({as_text(1)})).found(),
            (Texts{"server id-echo", "server bat-each"}));
  EXPECT_EQ(Conversation().client(kCall).server(array_of({as_text(1)})).found(),
            (Texts{"server id-echo", "server res-object"}))
      << "it came alone";
}

TEST(CausesInTraffic, ArrayThatAnswersSeveralBatchesIsOneFault) {
  const auto text_of = [](int id, const std::string& rest) {
    return R"({"jsonrpc":"2.0",)" + rest + R"(,"id":)" + std::to_string(id) + "}";
  };
  const auto result = [&](int id) { return text_of(id, R"("result":1)"); };
  const auto asked = [&] {
    Conversation talk;
    const auto call = [&](int id) { return text_of(id, R"("method":"a")"); };
    talk.client(array_of({call(1), call(2)})).client(array_of({call(3), call(4)}));
    return talk;
  };
  const Texts once = {"server bat-array"};
  EXPECT_EQ(asked().server(array_of({result(1), result(2), result(3), result(4)})).found(), once);
  Conversation crossed = asked();
  crossed.server(array_of({result(1), result(3)})).server(array_of({result(2), result(4)}));
  EXPECT_EQ(crossed.closed(Side::server).found(), once);
  Conversation partial = asked();
  partial.server(array_of({result(1), result(3)})).server(array_of({result(2)}));
  EXPECT_EQ(partial.closed(Side::server).found(), (Texts{"server bat-array", "server res-always"}));
  EXPECT_EQ(asked().server(array_of({result(3), result(4)})).server(array_of({result(1)})).found(),
            Texts{"server bat-each"});
}

TEST(CausesInTraffic, ArrayThatAnswersACallThatCameAloneIsNoObject) {
  const std::string third = R"({"jsonrpc":"2.0","result":3,"id":3})";
  const auto asked = [] {
    Conversation talk;
    talk.client(kBatch).client(R"({"jsonrpc":"2.0","method":"c","id":3})");
    return talk;
  };
  EXPECT_EQ(asked().server(array_of({kResult, kResultOfOther, third})).found(),
            Texts{"server res-object"});
  EXPECT_EQ(asked().server(array_of({third, kResult, kResultOfOther})).found(),
            Texts{"server res-object"});
  EXPECT_EQ(asked().server(array_of({kResult, kResultOfOther})).server(third).found(), Texts());
  EXPECT_EQ(Conversation().client(kCall).server("[]").found(), Texts{"server res-object"});
  EXPECT_EQ(Conversation("http").post(kCall, 200, "[]").found(), Texts{"server res-object"});
  EXPECT_EQ(Conversation().client(kBatch).server("[]").found(), Texts{"server bat-array"});
}

TEST(CausesInTraffic, ResponseToThePostOfANotificationAnswersThat) {
  EXPECT_EQ(Conversation("http").post(kNotification, 200, kResultOfNobody).found(),
            Texts{"server ntf-silent"});
  EXPECT_EQ(Conversation().client(kNotification).server(kResultOfNobody).found(),
            Texts{"server res-once"})
      << "elsewhere it may be of any call";
}

TEST(CausesInTraffic, WhateverAnswersANotificationIsOneFault) {
  for (const auto* reply : {"{}", "null", "[]", "[{}]", "42", "ok", R"({"result":1})",
                            R"({"jsonrpc":"2.0","result":1,"id":null})"}) {
    EXPECT_EQ(Conversation("http").post(kNotification, 200, reply, "text/plain").found().back(),
              "server ntf-silent")
        << reply;
    EXPECT_EQ(Conversation("websocket").client(kNotification).server(reply).found(),
              Texts{"server ntf-silent"})
        << reply;
  }
  EXPECT_EQ(Conversation("http").post(kNotification, 200, "{}").found(),
            Texts{"server ntf-silent"});
  EXPECT_EQ(Conversation("http").post(array_of({kNotification}), 200, "null").found(),
            Texts{"server bat-all-notifications"});
}

TEST(CausesInTraffic, WhatMayAnswerSomethingElseIsChargedAsWhatItLooksLike) {
  EXPECT_EQ(Conversation().client(kNotification).client(kCall).server("null").found(),
            Texts{"server res-object"});
  EXPECT_EQ(Conversation().client(kNotification).server("null").server("null").found(),
            (Texts{"server ntf-silent", "server res-object"}))
      << "one Notification has one reply";
  EXPECT_EQ(Conversation().client("{").client(kNotification).server("null").found(),
            (Texts{"client cl-req-json", "server res-object"}));
  EXPECT_EQ(Conversation().client(kNotification).server(kNotification).found(), Texts());
  EXPECT_EQ(Conversation().lost().client(kNotification).server("null").found(),
            Texts{"server res-object"});
  EXPECT_EQ(Conversation("http").post(kNotification, 202, "Accepted", "text/plain").found(),
            Texts());
  EXPECT_EQ(Conversation("http").post(kNotification, 404, "<html>", "text/html").found(), Texts());
}

// JSON-RPC 2.0 §4, the id: nobody knows to which of two calls a Response is.
TEST(CausesInTraffic, WhatIsNoResponseAndAnswersNothingIsOneFault) {
  for (const auto* said :
       {"{}", R"({"a":1})", R"({"jsonrpc":"2.0"})", R"({"id":null})", R"({"id":1})", R"({"id":7})",
        "[]", "[1]", "[{}]", "[1,{}]", "[null,null]", "null", "5", "true"}) {
    Conversation talk;
    talk.client(kCall).server(kResult).server(said).client(kOther).server(kResultOfOther);
    const Texts once = {said[0] == '{' || said[0] == '[' ? "server res-once" : "server res-object"};
    EXPECT_EQ(talk.found(), once) << said;
    Conversation lossy;
    lossy.lost().server(said);
    EXPECT_FALSE(lossy.found().empty()) << said << ": whatever it answers, it is no Response";
  }
}

TEST(CausesInTraffic, BatchThatIsAnsweredByTwoArraysIsChargedForWhatTheFirstLacks) {
  Conversation arrays;
  arrays.client(kBatch).server(array_of({kResult})).server(array_of({kResultOfOther}));
  EXPECT_EQ(arrays.found(), Texts{"server bat-each"});
  Conversation object;
  object.client(kBatch).server(array_of({kResult})).server(kResultOfOther);
  EXPECT_EQ(object.found(), Texts{"server bat-each"});
  EXPECT_EQ(object.server(kResultOfOther).found().back(), "server res-once") << "for once";
}

TEST(CausesInTraffic, WhatAClientSaysThatIsNoObjectIsOneFault) {
  for (const auto* said : {"null", "5", "true", R"("a")"}) {
    EXPECT_EQ(Conversation().client(said).found(), Texts{"client cl-req-method"}) << said;
  }
}

TEST(CausesInTraffic, IdThatIsInTwoMessagesAtOnceChargesItsClientAlone) {
  constexpr const char* kThird = R"({"jsonrpc":"2.0","method":"c","id":3})";
  constexpr const char* kResultOfThird = R"({"jsonrpc":"2.0","result":3,"id":3})";
  const std::string second = array_of({kCall, kThird});
  const std::string answer = array_of({kResult, kResultOfOther});
  const std::string answer_of_second = array_of({kResult, kResultOfThird});
  const auto found = [](const Texts& asked, const Texts& answers) {
    Conversation talk;
    for (const auto& each : asked) talk.client(each);
    for (const auto& each : answers) talk.server(each);
    return talk.closed(Side::server).found();
  };
  const Texts client_alone = {"client cl-id-unique"};
  EXPECT_EQ(found({kBatch, second}, {answer, answer_of_second}), client_alone);
  EXPECT_EQ(found({kBatch, second}, {answer_of_second, answer}), client_alone);
  EXPECT_EQ(found({kCall, kBatch}, {answer, kResult}), client_alone);
  EXPECT_EQ(found({kCall, kBatch}, {kResult, answer}), client_alone);
  EXPECT_EQ(found({kBatch, kCall}, {kResult, answer}), client_alone);
  EXPECT_EQ(found({kCall, array_of({kCall})}, {array_of({kResult}), kResult}), client_alone);
  EXPECT_EQ(found({kBatch, second}, {answer}),
            (Texts{"client cl-id-unique", "server res-always", "server res-always"}))
      << "two had none";
}

TEST(CausesInTraffic, IdThatIsFreeAgainLeavesRoomForLateAnswers) {
  Conversation talk;
  talk.client(kBatch).client(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  talk.client(array_of({kCall, R"({"jsonrpc":"2.0","method":"c","id":3})"}));
  talk.server(array_of({kResult, kResultOfOther}));
  talk.server(array_of({kResult, R"({"jsonrpc":"2.0","result":3,"id":3})"}));
  EXPECT_EQ(talk.closed(Side::server).found(), Texts());
}

Texts agreed(const wire::HttpFields& offer, const wire::HttpFields& answer) {
  const std::string key = wire::websocket_key(1);
  wire::HttpFields asked = {{"Sec-WebSocket-Key", key}};
  asked.insert(asked.end(), offer.begin(), offer.end());
  wire::HttpFields told = {{"Sec-WebSocket-Accept", wire::websocket_accept(key)}};
  for (const auto& [name, value] : answer) wire::set_field(told, name, value);
  TrafficEvent event{Kind::upgraded, Side::server};
  event.note = wire::http_request("GET", "/", asked, "");
  event.message = wire::http_response(101, told, "");
  Conversation talk("websocket");
  talk.take(event);
  EXPECT_EQ(talk.judge().exercised(Side::server).count("ws-accept"), 1U);
  return talk.found();
}

TEST(CausesInTraffic, HandshakeOfAServerIsJudged) {
  constexpr const char* kExtensions = "Sec-WebSocket-Extensions";
  constexpr const char* kProtocol = "Sec-WebSocket-Protocol";
  EXPECT_EQ(agreed({}, {}), Texts());
  EXPECT_EQ(agreed({{kProtocol, "a, b"}}, {{kProtocol, "b"}}), Texts());
  EXPECT_EQ(agreed({{kExtensions, "permessage-deflate"}}, {{kExtensions, "permessage-deflate"}}),
            Texts());
  EXPECT_EQ(agreed({}, {{"Sec-WebSocket-Accept", "x"}}), Texts{"server ws-accept"});
  EXPECT_EQ(agreed({}, {{kProtocol, "b"}}), Texts{"server ws-subprotocol"});
  EXPECT_EQ(agreed({}, {{kExtensions, "permessage-deflate"}}), Texts{"server ws-extension"});
  Conversation keyless;
  TrafficEvent event{Kind::upgraded, Side::server};
  event.note = "GET / HTTP/1.1\r\nSec-WebSocket-Protocol: a\r\n\r\n";
  event.message = std::string("HTTP/1.1 101 \r\nSec-WebSocket-Protocol: a\r\n\r\n");
  EXPECT_EQ(keyless.take(event).found(), Texts());
  EXPECT_EQ(keyless.judge().exercised(Side::server), std::set<std::string>{"ws-subprotocol"})
      << "of what is not there nothing is shown";
}

}  // namespace traffic_causes_test
}  // namespace jrpcheck::judge
