#include <jrpcheck/judge.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/contains.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mutated_server.hpp"

namespace jrpcheck::embed {
namespace judge_test {

std::optional<std::string> reference_handler(std::string_view message) {
  static const auto kDispatcher = reference::make_reference_dispatcher();
  return kDispatcher.handle(message);
}

// The reference server with one text of every reply replaced.
Handler replacing(std::string text, std::string by) {
  return [text, by](std::string_view message) {
    auto reply = reference_handler(message);
    for (std::size_t at = 0; reply && (at = reply->find(text, at)) != std::string::npos;) {
      reply->replace(at, text.size(), by);
      at += by.size();
    }
    return reply;
  };
}

using Names = std::set<std::string>;

Names charged(const std::vector<CaseReport>& reports) {
  Names requirements;
  for (const auto& report : reports) {
    for (const auto& finding : report.findings) requirements.insert(finding.requirement);
  }
  return requirements;
}

Names failed_cases(const std::vector<CaseReport>& reports) {
  Names ids;
  for (const auto& report : reports) {
    if (report.verdict == Verdict::fail) ids.insert(report.id);
  }
  return ids;
}

std::size_t count(const std::vector<CaseReport>& reports, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      reports, [&](const CaseReport& report) { return report.verdict == verdict; }));
}

TEST(EmbeddedJudge, TheReferenceServerPassesWhateverIsPutToIt) {
  const auto reports = Judge(&reference_handler).judge_all();
  EXPECT_GT(reports.size(), 350U);
  EXPECT_EQ(charged(reports), Names{});
  // It refuses params before a method can fail of them.
  const Names about_failures = {"notification/known-method-that-fails-of-a-name",
                                "notification/known-method-that-fails-of-a-position",
                                "notification/known-method-that-fails-of-texts",
                                "notification/known-method-that-fails-without-params"};
  for (const auto& report : reports) {
    const bool is_asked = !contains(about_failures, report.id);
    EXPECT_EQ(report.verdict, is_asked ? Verdict::pass : Verdict::not_exercised) << report.text();
  }
}

TEST(EmbeddedJudge, AWrongVersionIsChargedOnceAndWhereItBelongs) {
  const auto reports = Judge(replacing(R"("jsonrpc":"2.0")", R"("jsonrpc":"2.1")")).judge_all();
  EXPECT_EQ(charged(reports), Names{"res-version"});
  EXPECT_GT(count(reports, Verdict::pass), 300U);
}

// The same as what `jrpcheck run` charges over a transport.
TEST(EmbeddedJudge, AFaultIsChargedWhereItBelongs) {
  const std::vector<std::pair<std::string, Names>> table = {
      {"unknown-method-invalid-params", {"err-code-method"}},
      {"id-zero-is-absent", {"id-zero-and-empty"}},
      {"notification-answered", {"ntf-silent", "bat-all-notifications", "ntf-silent-in-batch"}},
      {"batch-lost-with-notification", {"res-always", "bat-invalid-member", "bat-large"}},
  };
  const auto proper = reference::make_reference_dispatcher();
  const auto faults = reference::faults();
  for (const auto& [name, requirements] : table) {
    const auto* fault = reference::find(faults, name);
    ASSERT_NE(fault, nullptr) << name;
    const auto behaviour = fault->behaviour();
    const reference::MutatedHandler mutated(proper, behaviour);
    Judge judge([&](std::string_view message) { return mutated.handle(message); });
    EXPECT_EQ(charged(judge.judge_all()), requirements) << name;
  }
}

TEST(EmbeddedJudge, OneCaseIsReportedAsAmongAll) {
  const auto handler = replacing("null", "0");
  Names verdicts;
  for (const auto& report : Judge(handler).judge_all()) {
    if (!report.id.starts_with("batch/n")) continue;
    EXPECT_EQ(Judge(handler).judge(report.id).text(), report.text());
    verdicts.insert(std::string(name_of(report.verdict)));
  }
  EXPECT_GT(verdicts.size(), 1U);
}

TEST(EmbeddedJudge, AReportNamesAllThatIsNeededToUnderstandIt) {
  Judge judge([](std::string_view message) -> std::optional<std::string> {
    if (message == "[]") return "[]";
    return reference_handler(message);
  });
  const auto report = judge.judge("batch/empty");
  EXPECT_EQ(report.verdict, Verdict::fail);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].requirement, "bat-empty");
  EXPECT_EQ(report.findings[0].clause, "JSON-RPC 2.0 §6, 7");
  const auto text = report.text();
  for (const auto& part :
       {"batch/empty: fail\n", "bat-empty (JSON-RPC 2.0 §6, 7)\n", "  sent         []\n",
        "  received     []\n", "  expected     ", "  case         "}) {
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  }
}

TEST(EmbeddedJudge, WhatIsThrownIsAFinding) {
  Judge judge([](std::string_view message) -> std::optional<std::string> {
    if (message.find('{') == std::string_view::npos) throw std::runtime_error("no Object here");
    return reference_handler(message);
  });
  const auto reports = judge.judge_all();
  EXPECT_EQ(charged(reports), Names{"rob-survives"});
  const auto report = judge.judge("batch/empty");
  EXPECT_EQ(report.verdict, Verdict::fail);
  EXPECT_TRUE(contains(report.text(), "the handler threw an exception: no Object here"))
      << report.text();
  Judge odd([](std::string_view) -> std::optional<std::string> { throw 7; });
  EXPECT_FALSE(failed_cases(odd.judge_all()).empty());
}

TEST(EmbeddedJudge, AHandlerThatNeverAnswersWithSenseFailsAndPassesNothing) {
  for (const auto* reply :
       {"", "garbage", "\xff\xfe", "{}", "[]", "null", R"({"jsonrpc":"2.0"})"}) {
    const std::string text = reply;
    Judge judge([text](std::string_view) { return std::optional<std::string>(text); });
    const auto reports = judge.judge_all();
    EXPECT_FALSE(failed_cases(reports).empty()) << text;
    EXPECT_EQ(count(reports, Verdict::pass), 0U) << text;
  }
}

TEST(EmbeddedJudge, ARoleThatNoMethodPlaysIsNamedWhereNoOtherTellsAsMuch) {
  Judge judge([](std::string_view message) -> std::optional<std::string> {
    std::string text(message);
    const auto at = text.find("\"subtract\"");
    if (at != std::string::npos) text.replace(at, 10, "\"not-there\"");
    return reference_handler(text);
  });
  EXPECT_EQ(judge.judge("examples/positional-params").verdict, Verdict::pass) << "by echo";
  const auto report = judge.judge("params/too-few");
  EXPECT_EQ(report.verdict, Verdict::not_exercised);
  EXPECT_TRUE(contains(report.reason, "'subtract'")) << report.reason;
}

TEST(EmbeddedJudge, WhatDoesNotExistIsRefused) {
  EXPECT_THROW(Judge(&reference_handler).judge("no/such-case"), std::invalid_argument);
  EXPECT_THROW(Judge(&reference_handler, {.profile = "jsonrpc-3.0"}), std::invalid_argument);
}

}  // namespace judge_test
}  // namespace jrpcheck::embed
