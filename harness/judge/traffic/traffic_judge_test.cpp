#include "judge/traffic/traffic_judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "judge/traffic/traffic_for_testing.hpp"

namespace jrpcheck::judge {
namespace traffic_test {

using namespace traffic_for_testing;

TEST(Traffic, WhatIsRightIsNotCharged) {
  Conversation talk;
  talk.client(kCall).server(kResult).client(kNotification);
  talk.client(R"([{"jsonrpc":"2.0","method":"a","id":"x"},{"jsonrpc":"2.0","method":"b"}])");
  talk.server(R"([{"jsonrpc":"2.0","result":1,"id":"x"}])");
  talk.server(R"({"jsonrpc":"2.0","method":"ask","id":1})");
  talk.client(R"({"jsonrpc":"2.0","result":null,"id":1})");
  talk.client(kCall).server(kResult);  // an id may be used again once it is answered
  talk.closed(Side::client).closed(Side::server);
  EXPECT_EQ(talk.found(), Texts());
  EXPECT_EQ(talk.answered(), (Texts{"echo", "a", "ask", "echo"}));
  EXPECT_EQ(talk.judge().counts(Side::client).calls, 3U);
  EXPECT_EQ(talk.judge().counts(Side::client).notifications, 2U);
  EXPECT_EQ(talk.judge().counts(Side::client).batches, 1U);
}

TEST(Traffic, EnvelopesOfBothSidesAreJudged) {
  EXPECT_EQ(Conversation().client(R"({"method":"a","id":1})").found(),
            Texts{"client cl-req-version"});
  EXPECT_EQ(Conversation().client(kCall).server(R"({"result":1,"id":1})").found(),
            Texts{"server res-version"});
  EXPECT_EQ(Conversation().client(kCall).server("nonsense").found(), Texts{"server res-json"});
  EXPECT_EQ(Conversation().client("{").found(), Texts{"client cl-req-json"});
}

TEST(Traffic, AnswerInOnePointZeroToACallInOnePointZeroIsRight) {
  for (const auto* call : {R"({"method":"a","params":[],"id":1})",
                           R"({"jsonrpc":"1.0","method":"a","params":[],"id":1})"}) {
    Conversation talk;
    talk.client(call).server(R"({"result":1,"error":null,"id":1})");
    EXPECT_EQ(talk.found(), Texts{"client cl-req-version"});
  }
}

TEST(Traffic, ResponsesOfAClientAreChargedToTheClient) {
  Conversation talk;
  talk.server(R"({"jsonrpc":"2.0","method":"ask","id":1})").client(R"({"result":1,"id":1})");
  EXPECT_EQ(talk.found(), Texts{"client cl-response"});
}

TEST(Traffic, ShowsWhatDeparturesFromEachFramingAreChargedTo) {
  const auto& shown = shown_by_traffic(Side::server);
  for (const wire::Binding& row : wire::bindings()) {
    for (const auto* binding : {&row, &wire::on_sockets(row)}) {
      for (const auto id : wire::charges_of(*binding)) {
        EXPECT_EQ(shown.count(std::string(id)), 1U) << id;
      }
    }
  }
  EXPECT_EQ(shown.count("lsp-header-syntax"), 1U);
  EXPECT_EQ(shown.count("tcp-length-prefix"), 1U);
}

TEST(Traffic, AnswersThatAreLetGoAreCounted) {
  const auto let_go = [](Conversation& talk) { return talk.judge().counts(Side::client).let_go; };
  Conversation talk;
  talk.server("nonsense").server(kNotification).client(kErrorOfNobody);
  EXPECT_EQ(talk.found(), Texts{"server res-json"});
  EXPECT_EQ(let_go(talk), 1U);
  talk.client(kErrorOfNobody);
  EXPECT_EQ(talk.found().back(), "client cl-response") << "one excuse is for one answer";
  EXPECT_EQ(let_go(talk), 1U);
  Conversation with_an_id;
  with_an_id.server("nonsense").client(R"({"jsonrpc":"2.0","result":1,"id":7})");
  EXPECT_EQ(let_go(with_an_id), 1U);
  Conversation lossy;
  lossy.lost().client(kErrorOfNobody).client(R"({"jsonrpc":"2.0","result":1,"id":7})");
  EXPECT_EQ(let_go(lossy), 2U);
}

TEST(Traffic, ResponseIsNotAnswered) {
  constexpr const char* kThanks = R"({"jsonrpc":"2.0","result":"thanks","id":7})";
  constexpr const char* kRefusal =
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})";
  for (const auto* answer : {kThanks, kRefusal}) {
    EXPECT_EQ(Conversation().client(kCall).server(kResult).client(answer).found(),
              Texts{"client cl-no-answer-to-answer"});
    EXPECT_EQ(Conversation().client(answer).found(), Texts{"client cl-response"}) << "to nothing";
  }
  // What else has come may be what is answered.
  Conversation told;
  told.client(kCall).server(kResult).server(R"({"jsonrpc":"2.0","method":"told"})");
  EXPECT_EQ(told.client(kThanks).found(), Texts{"client cl-response"});
}

TEST(Traffic, CallsInFlightHaveDistinctIds) {
  EXPECT_EQ(Conversation().client(kCall).client(kCall).found(), Texts{"client cl-id-unique"});
  EXPECT_EQ(Conversation().client(kCall).server(kResult).client(kCall).found(), Texts());
}

TEST(Traffic, SecondAnswerIsToldFromAnAnswerToNobody) {
  Conversation twice;
  EXPECT_EQ(twice.client(kCall).server(kResult).server(kResult).found(), Texts{"server res-once"});
  EXPECT_EQ(Conversation().client(kNotification).server(kResult).found(), Texts{"server res-once"});
}

TEST(Traffic, IdOfAnotherTypeIsAWrongId) {
  Conversation talk;
  talk.client(kCall).server(R"({"jsonrpc":"2.0","result":[1],"id":"1"})");
  EXPECT_EQ(talk.found(), Texts{"server id-echo"});
  EXPECT_EQ(talk.answered(), Texts{"echo"});
}

TEST(Traffic, SuccessOfANotificationHasNotFailedByAnErrorThatIsNull) {
  const auto found = Conversation()
                         .client(kNotification)
                         .server(R"({"jsonrpc":"2.0","error":null,"result":1,"id":null})")
                         .found();
  EXPECT_EQ(std::ranges::count(found, "server ntf-silent"), 1);
}

TEST(Traffic, AnsweredNotificationIsFoundOnceNoCallCanBeMeant) {
  EXPECT_EQ(Conversation().client(kNotification).server(kErrorOfNobody).found(),
            Texts{"server ntf-silent-unknown-method"});
  Conversation talk;
  talk.client(kCall).client(kNotification).server(kErrorOfNobody);
  EXPECT_EQ(talk.found(), Texts());
  EXPECT_EQ(talk.server(kResult).found(), Texts{"server ntf-silent-unknown-method"});
}

// JSON-RPC 2.0 §5: whichever of the two was answered, it was wrong.
TEST(Traffic, AnswerWithNullIdBehindANotificationIsChargedHoweverItEnds) {
  constexpr const char* kNull = R"({"jsonrpc":"2.0","result":1,"id":null})";
  constexpr const char* kOther = R"({"jsonrpc":"2.0","method":"b","id":2})";
  const auto talk = [&] {
    Conversation said;
    said.client(kNotification).client(kCall).server(kNull);
    return said;
  };
  EXPECT_EQ(talk().found(), Texts()) << "it may yet be told which";
  EXPECT_EQ(talk().closed(Side::client).closed(Side::server).found(), Texts{"server id-echo"});
  EXPECT_EQ(talk().closed(Side::client).server(kResult).closed(Side::server).found(),
            Texts{"server ntf-silent"});
  Conversation stands = talk();
  EXPECT_EQ(stands.judge().end().findings.size(), 1U);
  EXPECT_EQ(talk().client(kOther).server(kNull).found(), Texts{"server id-echo"})
      << "one Notification has one answer";
  EXPECT_EQ(talk().server(kResult).server(kNull).found(),
            (Texts{"server ntf-silent", "server res-once"}));
  Conversation broken;
  broken.client("{").client(kNotification).client(kCall).server(kNull).closed(Side::client);
  EXPECT_EQ(broken.closed(Side::server).found(), Texts{"client cl-req-json"});
}

TEST(Traffic, ErrorWithNullIdMayAnswerWhatIsWrong) {
  EXPECT_EQ(Conversation().client(kNotification).client("{").server(kErrorOfNobody).found(),
            Texts{"client cl-req-json"});
  EXPECT_EQ(Conversation().client(kNotification).client("[]").server(kErrorOfNobody).found(),
            Texts{"client cl-bat-not-empty"});
}

TEST(Traffic, EmptyLineIsNoFaultAndMayHaveItsError) {
  const auto empty_line = [](Side side, const char* blanks) {
    TrafficEvent event{Kind::noise, side};
    event.message = blanks;
    return event;
  };
  for (const auto* blanks : {"\n", "\r\n", " \t\n", " "}) {
    Conversation talk;
    talk.take(empty_line(Side::client, blanks)).client(kCall).server(kErrorOfNobody);
    EXPECT_EQ(talk.server(kResult).found(), Texts());
    EXPECT_EQ(talk.client(kCall).server(kErrorOfNobody).found(), Texts{"server id-echo"})
        << "one line has one error";
    Conversation skipped;
    skipped.take(empty_line(Side::client, blanks)).client(kCall).server(kResult);
    EXPECT_EQ(skipped.closed(Side::client).found(), Texts());
  }
  EXPECT_EQ(Conversation().client("").found(), Texts{"client cl-req-json"})
      << "where it is a message, as in the body of a POST";
}

TEST(Traffic, WhatParsersMayReadOtherwiseMayBeAnsweredOtherwise) {
  const char* refused = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"?"},"id":null})";
  const char* surrogate = R"({"jsonrpc":"2.0","method":"a","id":"\ud800"})";
  EXPECT_EQ(Conversation("http").post(surrogate, 200, refused).found(), Texts());
  const std::string with_mark = "\xEF\xBB\xBF" + std::string(kCall);
  EXPECT_EQ(Conversation("http").post(with_mark, 200, kResult).found(),
            Texts{"client cl-req-json"});
}

// RFC 8259 §8.1, §9: parsers may take what is no JSON, and let a byte order mark pass.
TEST(Traffic, LenientServerMayAnswerWhatIsNoMessage) {
  TrafficEvent with_mark{Kind::noise, Side::client};
  with_mark.message = "\xEF\xBB\xBF" + std::string(kCall);
  EXPECT_EQ(Conversation().take(with_mark).server(kResult).found(), Texts{"client cl-req-json"});
  EXPECT_EQ(Conversation().take(with_mark).server(kResult).server(kResult).found(),
            (Texts{"client cl-req-json", "server res-once"}));
  TrafficEvent words{Kind::noise, Side::client};
  words.message = "hello";
  EXPECT_EQ(Conversation().take(words).server(kResult).found(),
            (Texts{"client cl-req-json", "server res-once"}));
  TrafficEvent framed{Kind::violation, Side::client};
  framed.message = "Content-Length : 40";
  EXPECT_EQ(Conversation("content-length").take(framed).server(kResult).found(),
            Texts{"client cl-req-json"});
}

TEST(Traffic, WhatIsNoJsonMayHaveAnIdThatWasAnswered) {
  const std::string lax = R"({"jsonrpc":"2.0","method":"a","params":[NaN],"id":1})";
  const char* refused = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"?"},"id":null})";
  EXPECT_EQ(Conversation().client(kCall).server(kResult).client(lax).server(kResult).found(),
            Texts{"client cl-req-json"});
  Conversation talk;
  talk.client(kCall).server(kResult).client(lax).server(refused).server(kResult);
  EXPECT_EQ(talk.found(), (Texts{"client cl-req-json", "server res-once"}))
      << "it has had its answer";
}

TEST(Traffic, LenientServerMayAnswerABatchThatIsNoJsonAtOnce) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b","id":2,}])";
  const std::string answers =
      "[" + std::string(kResult) + R"(,{"jsonrpc":"2.0","result":2,"id":2}])";
  EXPECT_EQ(Conversation().client(batch).server(answers).found(), Texts{"client cl-req-json"});
  EXPECT_EQ(Conversation().client(batch).server(answers).server(kResult).found(),
            (Texts{"client cl-req-json", "server res-once"}))
      << "once";
}

TEST(Traffic, CallAnsweredWithNullIdHasAWrongId) {
  EXPECT_EQ(Conversation().client(kCall).server(kErrorOfNobody).found(), Texts{"server id-echo"});
}

TEST(Traffic, ResponseWithoutIdIsChargedWithThatAlone) {
  constexpr const char* kWithoutId = R"({"jsonrpc":"2.0","result":[1]})";
  Conversation talk;
  talk.client(kCall).server(kWithoutId).closed(Side::server);
  EXPECT_EQ(talk.found(), Texts{"server res-id-present"}) << "the call has had its answer";
  EXPECT_EQ(talk.judge().exercised(Side::server).count("id-echo"), 0U);
  Conversation stray;
  stray.client(kCall).client(kNotification).server(kWithoutId).closed(Side::server);
  EXPECT_EQ(stray.found(), (Texts{"server res-id-present", "server res-always"}));
  EXPECT_EQ(Conversation("http").post(kCall, 200, kWithoutId).found(),
            Texts{"server res-id-present"});
}

TEST(Traffic, CallThatHadAnAnswerWithoutItsIdMayYetHaveItsOwn) {
  for (const auto* before : {"{}", R"({"jsonrpc":"2.0","result":9})", kErrorOfNobody}) {
    Conversation talk;
    talk.client(kCall).server(before);
    const Texts of_that = talk.found();
    talk.server(kResult);
    EXPECT_EQ(talk.found(), of_that) << before;
    EXPECT_EQ(talk.answered(), Texts{"echo"}) << before;
    talk.server(kResult);
    EXPECT_EQ(talk.found().size(), of_that.size() + 1) << "a second one: " << before;
    EXPECT_EQ(talk.found().back(), "server res-once");
    Conversation silent;
    silent.client(kCall).server(before).closed(Side::server);
    EXPECT_EQ(silent.found(), of_that) << "it may have been the answer: " << before;
  }
}

// As MCP has it from 2025-11-25 on, and before that under an HTTP error.
TEST(Traffic, ErrorMayLackItsIdWhereTheProtocolLetsItAndTheIdMayNotHaveBeenRead) {
  constexpr const char* kNameless = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"}})";
  constexpr const char* kBadId = R"({"jsonrpc":"2.0","method":"a","id":[]})";
  const corpus::ErrorsWithoutId anywhere;
  const auto letting = [](const corpus::ErrorsWithoutId& how, const char* binding = "lines") {
    return Conversation(binding, true, OldCalls::wrong, &how);
  };
  const Texts of_the_client = Conversation().client(kBadId).found();
  EXPECT_EQ(letting(anywhere).client(kBadId).server(kNameless).found(), of_the_client);
  EXPECT_EQ(letting(anywhere).client(kCall).server(kNameless).found(),
            Texts{"server res-id-present"});
  const corpus::ErrorsWithoutId under_http_errors{400};
  EXPECT_EQ(letting(under_http_errors, "http").post(kBadId, 400, kNameless).found(), of_the_client);
  EXPECT_NE(letting(under_http_errors, "http").post(kBadId, 200, kNameless).found(), of_the_client);
}

TEST(Traffic, StraysThatRepeatThemselvesAreNotKeptWithoutEnd) {
  Conversation many;
  for (int i = 0; i < 1000; ++i) many.client(kNotification);
  many.client(kCall);
  for (int i = 0; i < 1000; ++i) many.server(kErrorOfNobody);
  EXPECT_EQ(many.server(kResult).found().size(), 20U);
}

TEST(Traffic, OldestConnectionIsForgottenWhereCallsInFlightTakeTooMuch) {
  Conversation many;
  TrafficEvent call{Kind::message, Side::client};
  const std::string begin =
      R"({"jsonrpc":"2.0","method":"a","params":[")" + std::string(400, 'x') + R"("],"id":)";
  for (std::size_t id = 0; id < 60'000; ++id) {
    call.connection = 1 + id / 400;
    call.message = begin + std::to_string(id) + "}";
    many.take(call);
  }
  TrafficEvent closed{Kind::closed, Side::server};
  closed.connection = 1;
  EXPECT_EQ(many.take(closed).found(), Texts()) << "nobody knows any more what was in flight";
  closed.connection = 150;
  EXPECT_EQ(many.take(closed).found(), Texts(400, "server res-always"));
}

TEST(Traffic, NothingIsSaidOfAnswersWhereAPartIsLost) {
  EXPECT_EQ(Conversation().lost().server(kResult).server(kErrorOfNobody).found(), Texts());
  EXPECT_EQ(Conversation().client(kCall).lost().closed(Side::server).found(), Texts());
  EXPECT_EQ(Conversation("lines", false).server(kResult).found(), Texts());
}

// JSON-RPC 2.0 §6: an Array holds the Responses to the calls of one batch.
TEST(Traffic, OneArrayAnswersOneBatch) {
  const std::string other = R"([{"jsonrpc":"2.0","method":"b","id":2}])";
  const std::string answer = R"({"jsonrpc":"2.0","result":2,"id":2})";
  Conversation merged;
  merged.client("[" + std::string(kCall) + "]").client(other);
  EXPECT_EQ(merged.server("[" + std::string(kResult) + "," + answer + "]").found(),
            Texts{"server bat-array"});
  Conversation apart;
  apart.client("[" + std::string(kCall) + "]").client(other);
  EXPECT_EQ(apart.server("[" + answer + "]").server("[" + std::string(kResult) + "]").found(),
            Texts());
}

TEST(Traffic, BatchIsAnsweredByOneArrayThatHasEachOfItsCalls) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b","id":2}])";
  EXPECT_EQ(Conversation().client(batch).server("[" + std::string(kResult) + "]").found(),
            Texts{"server bat-each"});
  EXPECT_EQ(Conversation().client(batch).server(kResult).found(), Texts{"server bat-array"});
  EXPECT_EQ(Conversation()
                .client(batch)
                .server("[" + std::string(kResult) + R"(,{"jsonrpc":"2.0","result":2,"id":2},)" +
                        kErrorOfNobody + "]")
                .found(),
            Texts{"server bat-each"});
  EXPECT_EQ(Conversation().client(kCall).server("[" + std::string(kResult) + "]").found(),
            Texts{"server res-object"});
}

TEST(Traffic, ElementThatIsNoRequestMayHaveItsError) {
  Conversation talk;
  talk.client("[1," + std::string(kCall) + "]");
  talk.server("[" + std::string(kErrorOfNobody) + "," + kResult + "]");
  EXPECT_EQ(talk.found(), Texts{"client cl-bat-flat"});
}

TEST(Traffic, ResponseAmongRequestsOfABatchTakesNothingFromTheCalls) {
  const std::string mixed = R"([{"jsonrpc":"2.0","method":"echo","params":[1],"id":1},)"
                            R"({"jsonrpc":"2.0","result":19,"id":2}])";
  const Texts wrong = {"client cl-response"};
  const std::string invalid = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"no"},"id":)";
  const std::string result = kResult;
  for (const std::string& answer : {"[" + result + "]", "[" + result + "," + invalid + "2}]",
                                    "[" + invalid + "null}," + result + "]", invalid + "null}"}) {
    EXPECT_EQ(Conversation().client(mixed).server(answer).found(), wrong) << answer;
  }
  EXPECT_EQ(
      Conversation().client(kCall).server(kResult).client(mixed).server("[" + result + "]").found(),
      (Texts{"client cl-no-answer-to-answer"}));
  EXPECT_EQ(Conversation().client(mixed).server("[" + invalid + "2}]").found(),
            (Texts{"client cl-response", "server bat-each"}));
}

TEST(Traffic, InvalidCallOfABatchMayHaveItsErrorWithNullId) {
  Conversation talk;
  talk.client(R"([{"jsonrpc":"2.1","method":"a","id":7},)" + std::string(kCall) + "]");
  talk.server("[" + std::string(kErrorOfNobody) + "," + kResult + "]");
  EXPECT_EQ(talk.found(), Texts{"client cl-req-version"});
}

TEST(Traffic, BatchOfNotificationsIsNotAnswered) {
  const std::string batch = "[" + std::string(kNotification) + "]";
  EXPECT_EQ(Conversation().client(batch).server("[]").found(),
            Texts{"server bat-all-notifications"});
}

TEST(Traffic, EmptyBatchIsOwedOneErrorAndNoArray) {
  const std::string notifications = "[" + std::string(kNotification) + "]";
  EXPECT_EQ(Conversation().client("[]").server("[]").found(),
            (Texts{"client cl-bat-not-empty", "server bat-empty"}));
  EXPECT_EQ(Conversation().client("[]").client(notifications).server("[]").server("[]").found(),
            (Texts{"client cl-bat-not-empty", "server bat-empty", "server bat-all-notifications"}));
  EXPECT_EQ(
      Conversation().client("[]").server(kErrorOfNobody).client(notifications).server("[]").found(),
      (Texts{"client cl-bat-not-empty", "server bat-all-notifications"}));
}

TEST(Traffic, AnArrayIsNoResponseOfABatch) {
  const std::string nested = "[[" + std::string(kCall) + "]]";
  const std::string answer = "[[" + std::string(kResult) + "]]";
  const Texts both = {"client cl-bat-flat", "server bat-array"};
  EXPECT_EQ(Conversation().client("[[]]").server("[[]]").found(), both);
  EXPECT_EQ(Conversation().client(nested).server(answer).found(), both);
  EXPECT_EQ(Conversation("http").post(nested, 200, answer).found(), both);
  EXPECT_EQ(Conversation("http").post("[" + std::string(kCall) + "]", 200, answer).found(),
            Texts{"server bat-array"});
}

TEST(Traffic, BatchOfNothingButInvalidElementsHasErrors) {
  Conversation talk;
  talk.client("[" + std::string(kNotification) + "]").client("[1]");
  talk.server("[" + std::string(kErrorOfNobody) + "]");
  EXPECT_EQ(talk.found(), Texts{"client cl-bat-flat"});
}

TEST(Traffic, AnArrayThatAnswersNoBatchIsWhatItsElementsAreAlone) {
  const std::string error = kErrorOfNobody;
  const std::string two = "[" + error + "," + error + "]";
  EXPECT_EQ(Conversation().client(kNotification).server("[" + error + "]").found(),
            Texts{"server ntf-silent-unknown-method"});
  EXPECT_EQ(Conversation().client(kCall).server(kResult).client(two).found(),
            (Texts{"client cl-no-answer-to-answer", "client cl-no-answer-to-answer"}));
  Conversation talk;
  talk.client(kCall).client(kNotification).server("[" + error + "]");
  EXPECT_EQ(talk.found(), Texts());
  EXPECT_EQ(talk.server(kResult).found(), Texts{"server ntf-silent-unknown-method"});
}

TEST(Traffic, AnArrayOfErrorsMayAnswerWhatIsWrongAndABatch) {
  const std::string array = "[" + std::string(kErrorOfNobody) + "]";
  EXPECT_EQ(Conversation().client(kNotification).client("[{").server(array).found(),
            Texts{"client cl-req-json"});
  EXPECT_EQ(Conversation().client("[" + std::string(kCall) + "]").server(array).found(), Texts());
}

}  // namespace traffic_test
}  // namespace jrpcheck::judge
