// What calibration learns of batches.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/calibration_for_testing.hpp"

namespace jrpcheck::run {
namespace calibration_batches_test {

using result::Verdict;

// A server that treats batches in its own way, and the rest rightly.
FakeServer with_batches(std::optional<std::string> reply) {
  return [reply](const std::string& message) {
    return message.front() == '[' ? reply : server_without_methods()(message);
  };
}

TEST(Batches, DeclaredUnsupportedAreAWarning) {
  const auto traits = traits_of(
      with_batches(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"},"id":null})"));
  EXPECT_EQ(traits.no_batches, "batches are declared unsupported (calibration/batch)");
  EXPECT_EQ(result_of(traits, "calibration/batch").verdict, Verdict::warn);
}

// -32600 says so; another answer says nothing of what one error must answer.
TEST(Batches, ThatAreRefusedAreStillAskedForWhatOneErrorAnswers) {
  corpus::Case served;
  served.needs_batches = true;
  corpus::Case answered;
  answered.needs_answers_to_batches = true;
  const auto refused = traits_of(
      with_batches(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"},"id":null})"));
  EXPECT_EQ(lacks_batches(served, refused), refused.no_batches);
  EXPECT_EQ(lacks_batches(answered, refused), "");
  for (const std::optional<std::string>& other :
       {std::optional<std::string>(),
        std::optional<std::string>(
            R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"No"},"id":null})")}) {
    const auto traits = traits_of(with_batches(other));
    EXPECT_FALSE(traits.no_batches.empty());
    EXPECT_EQ(lacks_batches(answered, traits), traits.no_batches);
  }
  const auto usual = traits_of(server_without_methods());
  EXPECT_EQ(lacks_batches(served, usual), "");
  EXPECT_EQ(lacks_batches(answered, usual), "");
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
}  // namespace calibration_batches_test
}  // namespace jrpcheck::run
