#include "judge/on_the_wire.hpp"

#include <gtest/gtest.h>

#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace on_the_wire_test {

constexpr const char* kCallFails = R"({"response": {"error": {"code": -32601}, "id": 1}})";
constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"m","id":1})";
constexpr const char* kFailure =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":1})";

Judgement judged_as(const dialogue::Exchange& exchange, const char* binding) {
  Context context;
  context.binding = wire::binding_named(binding);
  return judged(case_accepting(kCallFails), exchange, {}, context);
}

TEST(OnTheWire, AMessageOnSeveralLinesIsOneFaultAndIsReadAllTheSame) {
  auto exchange = replied({kFailure});
  exchange.replies[0].in_several_lines = true;
  EXPECT_EQ(charges(judged_as(exchange, "lines")), Charges{"std-one-line: fail"});
}

TEST(OnTheWire, ALengthThatIsTooSmallLeavesTheRestBehind) {
  const std::string whole = kFailure;
  auto exchange = replied({whole.substr(0, whole.size() - 2)});
  exchange.unfinished = "1}";
  EXPECT_EQ(charges(judged_as(exchange, "content-length")), Charges{"lsp-length: fail"});
  exchange.unfinished.clear();
  exchange.noise.push_back({"1}", "bytes that are no header block"});
  EXPECT_EQ(charges(judged_as(exchange, "content-length")), Charges{"lsp-length: fail"});
}

TEST(OnTheWire, ALengthThatIsTooLargeTakesTheNextHeaderAlong) {
  EXPECT_EQ(charges(judged_as(replied({std::string(kFailure) + "Co"}), "content-length")),
            Charges{"lsp-length: fail"});
}

TEST(OnTheWire, ALengthInFourBytesThatIsNotThatOfItsMessageIsOneFault) {
  const std::string zero(1, '\0');
  auto exchange = replied({kFailure + zero});
  EXPECT_EQ(charges(judged_as(exchange, "length32")), Charges{"res-json: fail"});
  exchange.noise.push_back({zero + zero + zero + "F{", std::string(wire::kWrongLength)});
  EXPECT_EQ(charges(judged_as(exchange, "length32")), Charges{"std-clean: fail"});
  exchange.replies = replied({kFailure}).replies;
  EXPECT_EQ(charges(judged_as(exchange, "length32")), Charges{"std-clean: fail"});
}

TEST(OnTheWire, WhoCannotBeReadForALengthMayStillServe) {
  auto exchange = replied({kFailure});
  exchange.noise.push_back({"\n", std::string(wire::kWrongLength)});
  Context context;
  context.binding = wire::binding_named("length32");
  const auto found = [&](dialogue::Survival survival) {
    return charges(judged(case_accepting(kCallFails), exchange, {survival, "", ""}, context));
  };
  EXPECT_EQ(found(dialogue::Survival::wedged), Charges{"std-clean: fail"});
  EXPECT_EQ(found(dialogue::Survival::dead), (Charges{"std-clean: fail", "rob-survives: fail"}));
  const std::string whole = kFailure;
  exchange = replied({whole.substr(0, whole.size() - 1)});
  exchange.unfinished = "}";
  EXPECT_EQ(found(dialogue::Survival::deaf), Charges{"std-clean: fail"});
}

TEST(OnTheWire, WhatIsBrokenOtherwiseIsBrokenJson) {
  EXPECT_EQ(charges(judged_as(replied({R"({"jsonrpc":)"}), "content-length")),
            Charges{"res-json: fail"});
  EXPECT_EQ(charges(judged_as(replied({std::string(kFailure) + "}"}), "content-length")),
            Charges{"res-json: fail"});
}

TEST(OnTheWire, AResponseOnTheLineOfWhatIsPrintedBeforeItIsNoSilence) {
  auto one = case_accepting(kCallFails);
  one.steps.front().messages = {dialogue::Message(kCall)};
  auto exchange = ended(dialogue::Ending::timed_out, "no answer in 1 s");
  const auto found = [&](const std::string& line) {
    exchange.noise = {{line, ""}};
    Context context;
    context.binding = wire::binding_named("lines");
    return charges(judged(one, exchange, {}, context));
  };
  for (const char* printed : {"...", "> ", "[1/3] "}) {
    EXPECT_EQ(found(std::string(printed) + kFailure), Charges{"std-clean: fail"}) << printed;
  }
  for (const char* other :
       {"ready", "... {", R"(got {"jsonrpc":"2.0","method":"m","id":1})",
        R"(said {"jsonrpc":"2.0","result":1,"id":7})", R"(said {"result":1,"id":null})"}) {
    EXPECT_EQ(found(other), (Charges{"res-always: fail", "std-clean: fail"})) << other;
  }
  for (const char* without_id : {"{", R"({"method":1})"}) {
    one.steps.front().messages = {dialogue::Message(without_id)};
    EXPECT_EQ(found(R"(> {"error":{"code":-32600,"message":"m"},"id":null})"),
              Charges{"std-clean: fail"})
        << without_id;
  }
}

TEST(OnTheWire, AWholeMessageThatItsFramingDoesNotEndIsNoSilence) {
  auto exchange = ended(dialogue::Ending::timed_out, "no answer in 1 s");
  exchange.unfinished = std::string(kFailure) + kFailure;
  EXPECT_EQ(charges(judged_as(exchange, "content-length")), Charges{"lsp-header-syntax: fail"});
  EXPECT_EQ(charges(judged_as(exchange, "lines")), Charges{"std-one-line: fail"});
}

TEST(OnTheWire, WhatFollowsFromTheFramingIsChargedToItAloneIn10Too) {
  const auto found = [](const dialogue::Exchange& exchange, const char* binding) {
    Context context;
    context.binding = wire::binding_named(binding);
    context.dialect = corpus::Dialect::json_rpc_1_0;
    return charges(judged(case_accepting(kCallFails), exchange, {}, context));
  };
  auto silent = ended(dialogue::Ending::timed_out, "no answer in 1 s");
  EXPECT_EQ(found(silent, "lines"), Charges{"v1-response: fail"});
  silent.unfinished = kFailure;
  EXPECT_EQ(found(silent, "lines"), Charges{"std-one-line: fail"});
  const std::string whole = kFailure;
  auto cut = replied({whole.substr(0, whole.size() - 2)});
  EXPECT_EQ(found(cut, "content-length"), Charges{"v1-response: fail"});
  cut.unfinished = "1}";
  EXPECT_EQ(found(cut, "content-length"), Charges{"lsp-length: fail"});
}

TEST(OnTheWire, HalfAMessageIsNone) {
  auto exchange = ended(dialogue::Ending::timed_out, "no answer in 1 s");
  exchange.unfinished = R"({"jsonrpc":"2.0","error":{)";
  EXPECT_EQ(charges(judged_as(exchange, "lines")), Charges{"res-always: fail"});
}

}  // namespace on_the_wire_test
}  // namespace jrpcheck::judge
