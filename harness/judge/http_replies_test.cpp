// What an HTTP response is worth to a step: a reply, a refusal, or nothing.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "judge/judge.hpp"
#include "judge/protocol.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace http_replies_test {

using dialogue::Ending;
using dialogue::Survival;

const std::string kRight = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":1})";
const std::string kUnknown = R"({"response": {"error": {"code": -32601}, "id": 1}})";
const std::string kSilence = R"({"silence": true})";
const std::string kRefused = R"({"refused": true, "observe": "refused"})";
const std::string kObserves = R"("observes": "how", )";

// What was observed under the case's own name; the statuses of all exchanges are beside it.
std::vector<std::string> observed_how(const Judgement& judgement) {
  std::vector<std::string> values;
  for (const auto& each : judgement.observations) {
    if (each.name == "how") values.push_back(each.value);
  }
  return values;
}

TEST(Http, AnErrorStatusWithoutJsonIsARefusal) {
  const auto one = case_accepting(kUnknown + "," + kRefused, "", kObserves);
  for (const auto& refusal : {responded(400, ""), responded(415, "Unsupported", "text/plain"),
                              responded(500, "<html>", "text/html"), responded(404, "404", "")}) {
    const auto judgement = judged(one, refusal);
    EXPECT_EQ(charges(judgement), Charges{}) << refusal.http_status;
    EXPECT_EQ(observed_how(judgement), std::vector<std::string>{"refused"});
  }
}

// ASP.NET and others write a text as JSON for a client that takes JSON alone.
TEST(Http, AnErrorStatusWithJsonOfTheFrameworksOwnIsARefusal) {
  const auto one = case_accepting(kUnknown + "," + kRefused, "", kObserves);
  for (const std::string body : {R"("Unsupported Media Type")", R"({"status":415,"title":"?"})"}) {
    const auto judgement = judged(one, responded(415, body));
    EXPECT_EQ(charges(judgement), Charges{}) << body;
    EXPECT_EQ(observed_how(judgement), std::vector<std::string>{"refused"});
    EXPECT_EQ(charges(judged(case_accepting(kUnknown), responded(415, body))),
              Charges{"res-always: fail"});
  }
  EXPECT_EQ(charges(judged(one, responded(200, R"("OK")"))), Charges{"res-object: fail"});
}

TEST(Http, AnErrorStatusWithAResponseIsAReply) {
  const auto one = case_accepting(kUnknown + "," + kRefused, "", kObserves);
  EXPECT_TRUE(observed_how(judged(one, responded(404, kRight))).empty());
  EXPECT_EQ(charges(judged(one, responded(404, kRight))), Charges{});
  EXPECT_EQ(charges(judged(one, responded(500, R"({"oops":)"))), Charges{"res-json: fail"});
}

TEST(Http, ASuccessStatusIsNoRefusal) {
  const auto one = case_accepting(kUnknown + "," + kRefused, "", kObserves);
  EXPECT_EQ(charges(judged(one, responded(200, ""))), Charges{"res-always: fail"});
  EXPECT_EQ(charges(judged(one, responded(200, "OK", "text/plain"))), Charges{"res-json: fail"});
}

TEST(Http, ARefusalWhereAResponseIsDueIsNothing) {
  EXPECT_EQ(charges(judged(case_accepting(kUnknown), responded(503, "busy", "text/plain"))),
            Charges{"res-always: fail"});
}

TEST(Http, OfConcurrentCallsOneMayBeRefused) {
  const auto one = case_accepting(R"({"responses": [{"error": {"code": -32601}, "id": 1},
                                                    {"error": {"code": -32601}, "id": 2}]})");
  auto exchange = responded(200, kRight);
  exchange.replies.insert(exchange.replies.begin(), {"busy", 503});
  EXPECT_EQ(charges(judged(one, exchange)), Charges{"res-once: fail"});
}

TEST(Http, ABodyForANotificationIsAReplyUnlessItIsThePageOfAFailure) {
  EXPECT_EQ(charges(judged(case_accepting(kSilence), responded(204, ""))), Charges{});
  EXPECT_EQ(charges(judged(case_accepting(kSilence), responded(202, ""))), Charges{});
  EXPECT_EQ(charges(judged(case_accepting(kSilence), responded(200, "OK", "text/plain"))),
            Charges{"err-code-method: fail"});
  auto one = case_accepting(kSilence);
  const auto failing = [&](const std::string& sent) {
    one.steps.at(0).messages = {sent};
    return charges(judged(one, responded(500, "oops", "text/plain")));
  };
  EXPECT_EQ(failing(R"({"jsonrpc":"2.0","method":"a"})"), Charges{"http-notification-5xx: warn"});
  EXPECT_EQ(failing(R"([{"jsonrpc":"2.0","method":"a"}])"), Charges{"http-notification-5xx: warn"});
  for (const std::string sent :
       {R"({"method":0})", R"({"jsonrpc":"2.0","result":19,"id":1})", "1"}) {
    EXPECT_EQ(failing(sent), Charges{}) << sent << " is no Notification";
  }
  EXPECT_EQ(charges(judged(case_accepting(kSilence), responded(500, kRight))),
            Charges{"err-code-method: fail"});
}

TEST(Http, ANotificationIsOwedAResponseOfHttp) {
  Context context;
  context.binding = wire::binding_named("http");
  const auto charged = [&](const dialogue::Exchange& exchange, Survival how) {
    return charges(judged(case_accepting(kSilence), exchange, survival(how), context));
  };
  EXPECT_EQ(charged(ended(Ending::closed, "closed"), Survival::alive),
            Charges{"http-response-always: warn"});
  EXPECT_EQ(charged(ended(Ending::timed_out, "nothing"), Survival::alive),
            Charges{"http-response-always: fail"});
  EXPECT_EQ(charged(ended(Ending::closed, "closed"), Survival::dead),
            Charges{"rob-survives: fail"});
  EXPECT_EQ(charged(responded(204, ""), Survival::alive), Charges{});
}

// MCP basic/transports § Sending Messages.
TEST(Http, WhereTheProtocolLetsItAnErrorWithoutAnIdRefusesANotification) {
  auto law = std::make_shared<Law>();
  Context context;
  context.law = law;
  const auto charged = [&](int status, const std::string& body, const std::string& sent) {
    auto asked = case_accepting(kSilence);
    asked.steps.front().messages = {sent};
    return charges(judge(asked, std::array{responded(status, body)}, {}, real_ledger(), context));
  };
  const std::string notification = R"({"jsonrpc":"2.0","method":"a"})";
  const std::string error = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"?"})";
  const Charges answered{"err-code-method: fail"};
  EXPECT_EQ(charged(400, error + R"(,"id":null})", notification), answered);
  law->profile.http.refuses_notifications = true;
  EXPECT_EQ(charged(400, error + "}", notification), Charges{});
  EXPECT_EQ(charged(400, error + R"(,"id":null})", notification), Charges{});
  EXPECT_EQ(charged(400, error + R"(,"id":7})", notification), answered);
  EXPECT_EQ(charged(200, error + R"(,"id":null})", notification), answered);
  EXPECT_EQ(charged(400, R"({"jsonrpc":"2.0","result":1,"id":null})", notification),
            (Charges{"err-code-method: fail", "http-error-status-of-result: warn"}));
  EXPECT_EQ(charged(400, error + R"(,"id":null})", R"({"jsonrpc":"2.0","method":"a","id":1})"),
            answered);
}

TEST(Http, AStatusIsMatchedWhateverTheBody) {
  const auto one = case_accepting(R"({"status": [400, 499], "observe": "refused"},
      {"status": [500, 599], "verdict": "warn", "because": "It fails.", "observe": "fails"})",
                                  "", kObserves);
  for (const std::string body : {"", "<html>", "{", R"({"error":"no envelope"})"}) {
    const auto judgement = judged(one, responded(405, body));
    EXPECT_EQ(charges(judgement), Charges{}) << body;
    EXPECT_EQ(judgement.observations.at(0).value, "refused") << body;
  }
  EXPECT_EQ(charges(judged(one, responded(599, ""))), Charges{"err-code-method: warn"});
  EXPECT_EQ(charges(judged(one, responded(500, ""))), Charges{"err-code-method: warn"});
  EXPECT_EQ(charges(judged(one, responded(399, "x", "text/plain"))),
            Charges{"err-code-method: fail"});
  EXPECT_EQ(charges(judged(one, responded(600, ""))), Charges{"res-always: fail"});
}

TEST(Http, ABodyThatIsNoJsonDoesNotHideAStatusThatIsAccepted) {
  const auto one =
      case_accepting(kUnknown + R"(, {"status": [411, 411], "observe": "refused"})", "", kObserves);
  const auto judgement = judged(one, responded(411, "{broken"));
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_EQ(judgement.observations.at(0).value, "refused");
}

TEST(Http, ACaseAboutOneConnectionTellsNothingOnTwo) {
  auto one = case_accepting(kUnknown);
  add_step(one, kUnknown);
  one.steps[1].same_connection = true;
  auto second = responded(200, kRight);
  EXPECT_FALSE(
      judge(one, std::array{responded(200, kRight), second}, {}, real_ledger(), {}).unjudged);
  second.on_new_connection = true;
  const auto judgement =
      judge(one, std::array{responded(200, kRight), second}, {}, real_ledger(), {});
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_EQ(judgement.unjudged, "the server has closed the connection behind a reply");
  EXPECT_FALSE(judgement.exercised.contains("err-code-method"));
}

TEST(Http, AClosedConnectionIsAnOutcomeOfItsOwn) {
  const auto one = case_accepting(R"({"closed": true})");
  EXPECT_EQ(charges(judged(one, ended(Ending::closed, ""), survival(Survival::alive))), Charges{});
  EXPECT_EQ(charges(judged(one, ended(Ending::timed_out, ""), survival(Survival::alive))),
            Charges{"res-always: fail"});
  EXPECT_EQ(charges(judged(one, replied({kRight}), survival(Survival::alive))),
            Charges{"err-code-method: fail"});
}

}  // namespace http_replies_test
}  // namespace jrpcheck::judge
