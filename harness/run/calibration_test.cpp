#include "run/calibration.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace calibration_test {

using result::Verdict;

const corpus::Corpus& real_corpus() { return corpus::corpus_for_testing(corpus::kDefaultProfile); }

Traits traits_of(FakeServer server, const std::string& transport = "lines",
                 const std::string& opening = "") {
  Options options;
  for (const auto& profile : corpus::embedded_profiles()) {
    if (profile.name == opening) adopt(profile, options);
  }
  FakeEndpoint endpoint(transport);
  CaseRunner runner(real_corpus(), endpoint, 0);
  FakeConversation conversation(std::move(server));
  session::Patience patience(milliseconds(50));
  return calibrate(real_corpus(), options, endpoint, runner, conversation, patience);
}

const result::CaseResult& result_of(const Traits& traits, const std::string& id) {
  static const result::CaseResult kNone;
  for (const auto& [ordinal, result] : traits.results) {
    if (result.id == id) return result;
  }
  ADD_FAILURE() << id << " did not run";
  return kNone;
}

std::set<std::string> charged(const result::CaseResult& result) {
  std::set<std::string> ids;
  for (const auto& finding : result.findings) ids.insert(finding.requirement);
  return ids;
}

// A server that treats batches in its own way, and the rest rightly.
FakeServer with_batches(std::optional<std::string> reply) {
  return [reply](const std::string& message) {
    return message.front() == '[' ? reply : server_without_methods()(message);
  };
}

// A server whose every reply is edited.
FakeServer edited(FakeServer server, const std::string& from, const std::string& to) {
  return [=](const std::string& message) {
    auto reply = server(message);
    for (std::size_t at = 0; reply && (at = reply->find(from, at)) != std::string::npos;) {
      reply->replace(at, from.size(), to);
      at += to.size();
    }
    return reply;
  };
}

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

// --- calls without params ---

// Serves calls with these params as `server` does; what has none is met with `otherwise`.
FakeServer wanting_params(const std::string& kind, std::optional<std::string> otherwise) {
  return [=](const std::string& message) {
    const bool has = message.find("\"params\":" + kind) != std::string::npos;
    return has || message.front() == '[' ? server_without_methods()(message) : otherwise;
  };
}

TEST(OmittedParams, ThatAreIgnoredAreSentEmpty) {
  const auto traits = traits_of(wanting_params("[", std::nullopt));
  EXPECT_EQ(traits.unjudgeable, "");
  EXPECT_EQ(traits.omitted_params, "[]");
  EXPECT_EQ(result_of(traits, "calibration/number-id").verdict, Verdict::pass);
  EXPECT_EQ(traits_of(wanting_params("{", std::nullopt)).omitted_params, "{}");
}

TEST(OmittedParams, ThatAreRefusedAreSentEmpty) {
  const auto server = [](const std::string& message) {
    if (message.find("params") != std::string::npos) return server_without_methods()(message);
    return answering([](const json::Value&) { return error_member(-32602); })(message);
  };
  const auto traits = traits_of(server);
  EXPECT_EQ(traits.omitted_params, "[]");
  EXPECT_EQ(result_of(traits, "calibration/string-id").verdict, Verdict::pass);
}

// What comes first is met with this, its id in place of "@", and all that follows answered rightly.
FakeServer beginning_with(std::optional<std::string> first) {
  return [first, is_first = true](const std::string& message) mutable {
    if (!std::exchange(is_first, false)) return server_without_methods()(message);
    auto reply = first;
    const auto place = reply ? reply->find('@') : std::string::npos;
    if (place != std::string::npos) reply->replace(place, 1, id_text(*json::parse(message).value));
    return reply;
  };
}

TEST(OmittedParams, StayOmittedWhereOnlyTheFirstAnswerWasWrong) {
  for (const auto& [first, requirement] :
       {std::pair{R"({"jsonrpc":"2.0","result":null,"id":@})", "err-code-method"},
        {R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"starts"},"id":@})",
         "err-code-method"},
        {R"([{"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":@}])", "res-object"},
        {R"({"jsonrpc":"2.0","error":{"code":-32601,)", "res-json"}}) {
    const auto traits = traits_of(beginning_with(first));
    EXPECT_EQ(traits.omitted_params, "") << first;
    EXPECT_EQ(traits.unjudgeable, "") << first;
    EXPECT_EQ(charged(result_of(traits, "calibration/number-id")),
              std::set<std::string>{requirement})
        << first;
    EXPECT_TRUE(traits.systematic.empty()) << first;
  }
}

TEST(OmittedParams, StayOmittedWhereTheFirstCallAloneWasLeftOut) {
  const auto traits = traits_of(beginning_with(std::nullopt));
  EXPECT_EQ(traits.omitted_params, "");
  EXPECT_EQ(charged(result_of(traits, "calibration/number-id")),
            std::set<std::string>{"res-always"});
}

TEST(OmittedParams, StayOmittedWhereThatMakesNoDifference) {
  EXPECT_EQ(traits_of(server_without_methods()).omitted_params, "");
  const auto refuses_all = answering([](const json::Value&) { return error_member(-32600); });
  EXPECT_EQ(traits_of(refuses_all).omitted_params, "");
  EXPECT_EQ(traits_of([](const std::string&) { return std::nullopt; }).omitted_params, "");
}

TEST(OmittedParams, ThatAServerMayEndAtDoNotAskWhetherItServes) {
  int asked_by_them = 0;
  const auto server = [&](const std::string& message) -> std::optional<std::string> {
    const bool has_them = message.find("\"params\":[]") != std::string::npos;
    if (!has_them)
      return answering([](const json::Value&) { return error_member(-32001); })(message);
    asked_by_them += static_cast<int>(message.find(unknown_control_call().method) != message.npos);
    return std::nullopt;
  };
  EXPECT_EQ(traits_of(server).omitted_params, "");
  EXPECT_EQ(asked_by_them, 0);
}

TEST(OmittedParams, AreSentEmptyByEveryCaseButThoseAboutThem) {
  corpus::Bindings bindings;
  bindings.omitted_params = "[]";
  const auto sent = [&](const char* id) {
    return corpus::bind(*real_corpus().find(id), bindings)->steps.front().messages.front();
  };
  EXPECT_EQ(sent("calibration/number-id"), R"({"jsonrpc":"2.0","method":"","id":1,"params":[]})");
  EXPECT_EQ(sent("calibration/notification"), R"({"jsonrpc":"2.0","method":"","params":[]})");
  EXPECT_EQ(sent("calibration/batch"), R"([{"jsonrpc":"2.0","method":"","id":1,"params":[]},)"
                                       R"({"jsonrpc":"2.0","method":"2","id":2,"params":[]}])");
  EXPECT_EQ(sent("stdio/line-ends-in-carriage-return").text(),
            "{\"jsonrpc\":\"2.0\",\"method\":\"\",\"id\":1,\"params\":[]}\r\n");
  EXPECT_EQ(sent("request/params-omitted-unknown-method"),
            R"({"jsonrpc":"2.0","method":"","id":1})");
}

// --- ids that are used twice ---

TEST(UsedIds, MayBeRefused) {
  std::set<std::string> seen;
  const auto traits = traits_of([&seen](const std::string& message) {
    const auto parsed = json::parse(message);
    const bool is_call = parsed && parsed.value->find("id") != nullptr;
    const bool is_used = is_call && !seen.insert(json::write(*parsed.value->find("id"))).second;
    return is_used ? answering([](const json::Value&) { return error_member(-32600); })(message)
                   : server_without_methods()(message);
  });
  EXPECT_TRUE(traits.refuses_used_ids);
  EXPECT_FALSE(traits_of(server_without_methods()).refuses_used_ids);
}

// --- batches ---

TEST(Batches, DeclaredUnsupportedAreAWarning) {
  const auto traits = traits_of(
      with_batches(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"},"id":null})"));
  EXPECT_EQ(traits.no_batches, "batches are declared unsupported (calibration/batch)");
  EXPECT_EQ(result_of(traits, "calibration/batch").verdict, Verdict::warn);
}

// What is wrong with the error is charged as that.
TEST(Batches, AreDeclaredUnsupportedAlsoByAnErrorWithoutAnId) {
  const auto traits =
      traits_of(with_batches(R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"No"}})"));
  EXPECT_EQ(traits.no_batches, "batches are declared unsupported (calibration/batch)");
  std::vector<std::string> charged;
  for (const auto& each : result_of(traits, "calibration/batch").findings) {
    charged.push_back(each.requirement);
  }
  EXPECT_EQ(charged, (std::vector<std::string>{"res-id-present", "bat-supported"}));
}

// Which id stands there in place of null is a fault of its own.
TEST(Batches, AreDeclaredUnsupportedAlsoByAnErrorUnderAnotherId) {
  const auto traits = traits_of(
      with_batches(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"},"id":-1})"));
  EXPECT_EQ(traits.no_batches, "batches are declared unsupported (calibration/batch)");
  std::vector<std::string> charged;
  for (const auto& each : result_of(traits, "calibration/batch").findings) {
    charged.push_back(each.requirement);
  }
  EXPECT_EQ(charged, (std::vector<std::string>{"bat-supported", "id-null-undetectable"}));
}

TEST(Batches, MetWithSilenceAreAFailure) {
  const auto traits = traits_of(with_batches(std::nullopt));
  EXPECT_EQ(traits.no_batches, "batches are met with silence (calibration/batch)");
  EXPECT_EQ(result_of(traits, "calibration/batch").verdict, Verdict::fail);
}

// Else no further case would show what is wrong with them.
TEST(Batches, ThatAreServedWronglyAreServed) {
  for (const std::string reply :
       {R"([{"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":"other"}])",
        R"([{"error":{"code":-32601,"message":"No"}}])", R"([{"result":null,"id":1}])"}) {
    const auto traits = traits_of(with_batches(reply));
    EXPECT_EQ(traits.no_batches, "") << reply;
    EXPECT_EQ(result_of(traits, "calibration/batch").verdict, Verdict::fail) << reply;
  }
}

TEST(Batches, AnExtraMemberSaysNothingAboutThem) {
  const auto server = edited(server_without_methods(), R"("jsonrpc")", R"("time":1,"jsonrpc")");
  EXPECT_EQ(traits_of(server).no_batches, "");
  const auto traits = traits_of(with_batches(
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"},"id":null,"time":1})"));
  EXPECT_EQ(traits.no_batches, "batches are declared unsupported (calibration/batch)");
}

TEST(Batches, AreNothingToChargeWhereTheProtocolHasNone) {
  const std::string refusal =
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"},"id":null})";
  for (const auto& [transport, opening] :
       {std::pair{"content-length", ""}, {"lines", "mcp"}, {"lines", "lsp"}}) {
    const auto traits = traits_of(with_batches(refusal), transport, opening);
    const auto& result = result_of(traits, "calibration/batch");
    EXPECT_EQ(result.verdict, Verdict::not_exercised) << transport << opening;
    EXPECT_TRUE(result.findings.empty());
    EXPECT_TRUE(result.exercised.empty());
    EXPECT_EQ(result.reason,
              "this protocol has no batches; the server leaves them declared unsupported");
  }
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
