#include "run/calibration.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "run/calibration_for_testing.hpp"

namespace jrpcheck::run {
namespace calibration_test {

using result::Verdict;

TEST(Calibration, OfARightServerFindsNothing) {
  const auto traits = traits_of(server_without_methods());
  EXPECT_EQ(traits.unjudgeable, "");
  EXPECT_EQ(traits.no_batches, "");
  EXPECT_EQ(traits.no_http_1_1, "");
  EXPECT_TRUE(traits.systematic.empty());
  EXPECT_GE(traits.results.size(), 4U);
  for (const auto& [ordinal, result] : traits.results) {
    EXPECT_EQ(result.verdict, Verdict::pass) << result.id;
    EXPECT_TRUE(real_corpus().cases[ordinal].calibration) << result.id;
  }
}

TEST(Calibration, WhatEveryReplyViolatesIsSystematic) {
  const auto traits = traits_of(edited(server_without_methods(), R"("jsonrpc":"2.0",)", ""));
  EXPECT_EQ(traits.systematic, std::set<std::string>{"res-version"});
  EXPECT_EQ(result_of(traits, "calibration/number-id").verdict, Verdict::fail);
}

TEST(Calibration, AnswersToNotificationsHideNothingThatEveryReplyViolates) {
  const auto server = [](const std::string& message) -> std::optional<std::string> {
    const bool is_notification = message.front() == '{' && message.find("\"id\"") == message.npos;
    if (is_notification) return R"({"error":{"code":-32601,"message":"No"},"id":null})";
    return edited(server_without_methods(), R"("jsonrpc":"2.0",)", "")(message);
  };
  const auto traits = traits_of(server);
  EXPECT_EQ(traits.systematic, std::set<std::string>{"res-version"});
  EXPECT_EQ(charged(result_of(traits, "calibration/notification")),
            std::set<std::string>{"ntf-silent-unknown-method"});
}

TEST(Calibration, WhatOneReplyViolatesIsNotSystematic) {
  const auto server = [](const std::string& message) {
    const bool string_id = message.find(R"("id":"jrpcheck)") != std::string::npos;
    return string_id ? edited(server_without_methods(), R"("jsonrpc":"2.0",)", "")(message)
                     : server_without_methods()(message);
  };
  const auto traits = traits_of(server);
  EXPECT_TRUE(traits.systematic.empty());
  EXPECT_EQ(charged(result_of(traits, "calibration/string-id")),
            std::set<std::string>{"res-version"});
}

TEST(Calibration, ThatHearsNeitherVersionNorIdTellsThatItMayBeAnotherProtocol) {
  Traits traits;
  traits.systematic = {"res-version"};
  EXPECT_EQ(note_of_other_protocol(traits), "");
  traits.systematic = {"res-id-present", "res-version"};
  EXPECT_NE(note_of_other_protocol(traits).find("may be another protocol"), std::string::npos);
}

TEST(Calibration, ViolationsOfOtherThanTheEnvelopeAreNotSystematic) {
  const auto traits = traits_of(answering([](const json::Value&) { return R"("result":null)"; }));
  EXPECT_TRUE(traits.systematic.empty());
  EXPECT_EQ(charged(result_of(traits, "calibration/number-id")),
            std::set<std::string>{"err-code-method"});
}

// It may take all that it reads on a connection for one message: `"` and the control call behind it
// are a String then, and its error another than that of `"`.
TEST(Calibration, KeepsMessagesApartForAServerThatServesOneCallAConnection) {
  class OneCall : public FakeEndpoint {
   public:
    bool serves_one_call() override { return true; }
  };
  const auto between = [](FakeEndpoint&& endpoint) {
    CaseRunner runner(real_corpus(), endpoint, 0);
    FakeConversation conversation(server_without_methods());
    session::Patience patience(milliseconds(50));
    calibrate(real_corpus(), {}, endpoint, runner, conversation, patience);
    return patience.between_messages();
  };
  EXPECT_GT(between(OneCall()), microseconds(0));
  EXPECT_EQ(between(FakeEndpoint()), microseconds(0));
}

// Flow's language server takes the handshake at once, and connects for seconds to what serves it.
Traits traits_of_who_starts(int calls) {
  Options options;
  options.start_timeout = milliseconds(500);
  FakeEndpoint endpoint;
  CaseRunner runner(real_corpus(), endpoint, 0);
  FakeConversation conversation(answering([calls](const json::Value&) mutable {
    return calls-- > 0 ? R"("error":{"code":-32800,"message":"Server not connected"})"
                       : error_member(-32601);
  }));
  session::Patience patience(milliseconds(50));
  return calibrate(real_corpus(), options, endpoint, runner, conversation, patience);
}

TEST(Calibration, AServerThatSaysThatItStartsIsJudgedByWhatItSaysOnceItHas) {
  EXPECT_TRUE(charged(result_of(traits_of_who_starts(3), "calibration/number-id")).empty());
  EXPECT_EQ(charged(result_of(traits_of_who_starts(1'000'000), "calibration/number-id")),
            std::set<std::string>{"err-code-method"})
      << "who says so for good has come up";
}

// A call of an unknown method comes to nothing, and `ping` is answered.
std::string told_of_unknown_methods(dialogue::Ending ending, bool is_followed = false) {
  FakeEndpoint endpoint;
  CaseRunner runner(real_corpus(), endpoint, 0);
  FakeConversation conversation([](const std::string& message) -> std::optional<std::string> {
    if (message.find(R"("method":"ping")") == std::string::npos) return std::nullopt;
    return answering([](const json::Value&) { return R"("result":"pong")"; })(message);
  });
  conversation.ending = ending;
  conversation.answers_next_only = is_followed;
  session::Patience patience(milliseconds(50));
  const auto traits = calibrate(real_corpus(), {}, endpoint, runner, conversation, patience);
  EXPECT_EQ(traits.unjudgeable, "");
  EXPECT_EQ(result_of(traits, "calibration/number-id").verdict, Verdict::fail);
  EXPECT_EQ(result_of(traits, "calibration/string-id").reason, traits.no_unknown_methods);
  return traits.no_unknown_methods;
}

TEST(Calibration, TellsWhatBecomesOfACallOfAnUnknownMethodThatIsNotAnswered) {
  using dialogue::Ending;
  const auto told = [](const std::string& what) {
    return "calls an unknown method, " + what + " (calibration/number-id)";
  };
  EXPECT_EQ(told_of_unknown_methods(Ending::exited), told("of which this server dies"));
  EXPECT_EQ(told_of_unknown_methods(Ending::timed_out), told("which this server leaves waiting"));
  EXPECT_EQ(told_of_unknown_methods(Ending::closed),
            told("at which this server closes the connection"));
  EXPECT_EQ(told_of_unknown_methods(Ending::timed_out, true),
            told("which this server does not answer"));
}

// --- what cannot be judged ---

TEST(Unjudgeable, IsNotSaidOfAServerThatHasNeverAnswered) {
  const auto traits = traits_of([](const std::string&) { return std::nullopt; });
  EXPECT_EQ(traits.silent.substr(0, 30), "the server has never answered:");
  EXPECT_TRUE(traits.results.empty());
}

TEST(Unjudgeable, IsAServerWhoseAnswersAreTooLongForUsWhichIsNoFailureOfIts) {
  class TooMuch : public FakeConversation {
   public:
    using FakeConversation::FakeConversation;
    dialogue::Exchange exchange(const corpus::Step& step,
                                dialogue::Transcript& transcript) override {
      auto exchange = FakeConversation::exchange(step, transcript);
      exchange.ending = dialogue::Ending::timed_out;
      exchange.beyond_limit = "the line is longer than 4194304 bytes";
      return exchange;
    }
  };
  FakeEndpoint endpoint;
  CaseRunner runner(real_corpus(), endpoint, 0);
  TooMuch conversation([](const std::string&) { return std::nullopt; });
  session::Patience patience(milliseconds(50));
  const auto traits = calibrate(real_corpus(), {}, endpoint, runner, conversation, patience);
  EXPECT_EQ(traits.silent,
            "No answer of the server can be judged: to a call of a method more came than jrpcheck "
            "reads: the line is longer than 4194304 bytes.");
  EXPECT_EQ(traits.answered, "it answers, and with more than jrpcheck reads");
  EXPECT_TRUE(traits.results.empty());
}

TEST(Unjudgeable, IsAServerThatSpeaksSomethingElse) {
  const auto traits = traits_of([](const std::string&) { return "{}"; });
  EXPECT_EQ(traits.unjudgeable.substr(0, 34), "The server speaks no JSON-RPC 2.0:");
  EXPECT_EQ(result_of(traits, "calibration/number-id").verdict, Verdict::fail);
  EXPECT_EQ(result_of(traits, "calibration/batch").verdict, Verdict::not_exercised);
}

TEST(Unjudgeable, IsAServerThatLosesTheId) {
  const auto traits = traits_of([](const std::string&) {
    return R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":null})";
  });
  EXPECT_EQ(traits.unjudgeable.substr(0, 60),
            "The server answers, but its replies do not carry the id of t");
  EXPECT_EQ(charged(result_of(traits, "calibration/number-id")), std::set<std::string>{"id-echo"});
}

TEST(ControlCall, IsAHarmlessMethodWhereUnknownOnesAreNotAnswered) {
  const auto server = [](const std::string& message) -> std::optional<std::string> {
    if (message.find(R"("method":"ping")") == std::string::npos) return std::nullopt;
    return answering([](const json::Value&) { return R"("result":"pong")"; })(message);
  };
  Options options;
  FakeEndpoint endpoint;
  CaseRunner runner(real_corpus(), endpoint, 0);
  FakeConversation conversation(server);
  session::Patience patience(milliseconds(50));
  const auto traits = calibrate(real_corpus(), options, endpoint, runner, conversation, patience);
  EXPECT_EQ(traits.unjudgeable, "");
  EXPECT_EQ(endpoint.control.method, "ping");
  EXPECT_EQ(conversation.control_call().method, "ping");
}

TEST(ControlCall, IsTheMethodThatTheUserNamesWhereNoOtherIsAnswered) {
  const auto server = [](const std::string& message) -> std::optional<std::string> {
    const auto sent = json::parse(message);
    const json::Value* method = sent.value->find("method");
    if (method == nullptr || method->text() != "minus" || sent.value->find("params") == nullptr) {
      return std::nullopt;
    }
    return answering([](const json::Value&) { return R"("result":19)"; })(message);
  };
  Options options;
  options.roles = {{"subtract", "minus"}};
  FakeEndpoint endpoint;
  CaseRunner runner(real_corpus(), endpoint, 0);
  FakeConversation conversation(server);
  session::Patience patience(milliseconds(50));
  const auto traits = calibrate(real_corpus(), options, endpoint, runner, conversation, patience);
  EXPECT_EQ(traits.unjudgeable, "");
  EXPECT_EQ(endpoint.control.method, "minus");
  EXPECT_EQ(endpoint.control.params, "[42,23]");
}

/// Is of no use once a control call was not answered by its id, as a program is that is ended then.
class GivenUpOnce : public FakeConversation {
 public:
  using FakeConversation::FakeConversation;
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    auto check = FakeConversation::check_survival(transcript);
    if (check.survival != dialogue::Survival::alive) is_usable = false;
    return check;
  }
};

TEST(ControlCall, IsNotThatOfTheProtocolWhereItsAnswerHasAnotherId) {
  const auto& corpus = corpus::corpus_for_testing("mcp-2025-11-25");
  for (const char* id : {R"("id":1,)", R"("id":null,)", ""}) {
    const auto server = [id](const std::string& message) -> std::optional<std::string> {
      if (message.find(R"("method":"ping")") == std::string::npos) {
        return server_without_methods()(message);
      }
      return std::string("{") + id + R"("jsonrpc":"2.0","result":{}})";
    };
    FakeEndpoint endpoint;
    CaseRunner runner(corpus, endpoint, 0);
    GivenUpOnce conversation(server);
    session::Patience patience(milliseconds(50));
    const auto traits = calibrate(corpus, Options(), endpoint, runner, conversation, patience);
    EXPECT_EQ(traits.unjudgeable, "") << id;
    EXPECT_NE(endpoint.control.method, "ping") << id;
  }
}

TEST(ControlCall, StaysTheUnknownMethodWhereThatIsAnswered) {
  Options options;
  FakeEndpoint endpoint;
  CaseRunner runner(real_corpus(), endpoint, 0);
  FakeConversation conversation(server_without_methods());
  session::Patience patience(milliseconds(50));
  calibrate(real_corpus(), options, endpoint, runner, conversation, patience);
  EXPECT_EQ(endpoint.control.method, unknown_control_call().method);
}

}  // namespace calibration_test
}  // namespace jrpcheck::run
