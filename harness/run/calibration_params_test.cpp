// What calibration learns of calls without params, and of ids that are used twice.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "run/calibration_for_testing.hpp"

namespace jrpcheck::run {
namespace calibration_params_test {

using result::Verdict;

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
}  // namespace calibration_params_test
}  // namespace jrpcheck::run
