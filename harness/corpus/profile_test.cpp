#include "corpus/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <string>

#include "corpus/bindings.hpp"
#include "corpus/corpus.hpp"

namespace jrpcheck::corpus {
namespace profile_test {

Corpus real_corpus() {
  auto corpus = assemble(embedded_files(), {});
  if (!corpus) ADD_FAILURE() << corpus.error().message;
  return corpus ? *std::move(corpus) : Corpus();
}

std::string error_of(const std::string& text) {
  const auto profile = load_profile("p.json", text);
  return profile ? "no error" : profile.error().message;
}

TEST(Profile, IsRead) {
  const auto profile = load_profile(
      "p.json",
      R"({"name":"n","title":"T","dialect":"1.0","classes":["a","b"],"roles":{"echo":["x"]}})");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->name, "n");
  EXPECT_EQ(profile->title, "T");
  EXPECT_EQ(profile->dialect, Dialect::json_rpc_1_0);
  EXPECT_TRUE(profile->has_class("b"));
  EXPECT_FALSE(profile->has_class("c"));
  EXPECT_EQ(profile->roles.at("echo"), std::vector<std::string>{"x"});
}

TEST(Profile, MistakesNameTheirPlace) {
  EXPECT_EQ(error_of(R"({"title":"T","dialect":"2.0","classes":["a"]})"),
            "p.json:1:1: member \"name\" is missing");
  EXPECT_EQ(error_of(R"({"name":"n","title":"T","dialect":"3","classes":["a"]})"),
            "p.json:1:1: \"dialect\" is \"1.0\" or \"2.0\"");
  EXPECT_EQ(error_of(R"({"name":"n","title":"T","dialect":"2.0","classes":[]})"),
            "p.json:1:1: \"classes\" must name at least one");
  EXPECT_EQ(
      error_of(
          R"({"name":"n","title":"T","dialect":"2.0","classes":["a"],"roles":{"ecko":["x"]}})"),
      "p.json:1:73: unknown role \"ecko\"");
}

TEST(Profile, OfAProtocolSaysHowItBeginsAndTravels) {
  const auto profile = load_profile("p.json", R"({"name": "p", "title": "T", "dialect": "2.0",
    "classes": ["core"], "framing": "content-length", "batches": "optional",
    "opening": [{"method": "hello", "id": 1.0}]})");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->framing, "content-length");
  EXPECT_TRUE(profile->batches_optional);
  EXPECT_EQ(profile->opening, std::vector<std::string>{R"({"method":"hello","id":1.0})"});
}

TEST(Profile, FramingIsThatOfAStream) {
  const std::string begin = R"({"name":"n","title":"T","dialect":"2.0","classes":["a"],)";
  for (const char* framing : {"http", "smoke signals"}) {
    const auto error = error_of(begin + R"("framing":")" + framing + R"("})");
    EXPECT_NE(error.find("\"framing\" is one of lines, content-length, concatenated"),
              std::string::npos)
        << error;
  }
  EXPECT_NE(error_of(begin + R"("batches":"maybe"})").find("\"batches\" is \"optional\""),
            std::string::npos);
}

TEST(Profile, UnknownNameIsAnsweredWithTheKnownOnes) {
  const auto corpus = with_profile(real_corpus(), "jsonrpc-3.0");
  ASSERT_FALSE(corpus);
  EXPECT_EQ(
      corpus.error().message,
      "there is no profile 'jsonrpc-3.0'; there are bitcoin, bitcoin-1.1, bitcoin-2.0, ethereum, "
      "jsonrpc-1.0, jsonrpc-2.0, lsp, mcp, "
      "mcp-2025-03-26, mcp-2025-06-18, mcp-2025-11-25, mcp-2026-07-28");
}

TEST(Profile, EveryCaseBelongsToExactlyOneOfTheBuiltIn) {
  const auto all = real_corpus();
  const auto of_1_0 = with_profile(real_corpus(), "jsonrpc-1.0");
  const auto of_2_0 = with_profile(real_corpus(), std::string(kDefaultProfile));
  ASSERT_TRUE(of_1_0 && of_2_0);
  const auto is_of_protocol = [&](const Case& one) { return one.file.starts_with(kProfilesPath); };
  const auto of_protocols = std::ranges::count_if(all.cases, is_of_protocol);
  EXPECT_GT(of_protocols, 0);
  EXPECT_EQ(of_1_0->cases.size() + of_2_0->cases.size() + static_cast<std::size_t>(of_protocols),
            all.cases.size());
  EXPECT_TRUE(std::ranges::none_of(of_2_0->cases, is_of_protocol));
  for (const auto& one : of_1_0->cases) EXPECT_EQ(one.id.rfind("v1/", 0), 0U) << one.id;
  for (const auto& one : of_2_0->cases) EXPECT_EQ(one.id.find("v1/"), std::string::npos) << one.id;
}

TEST(Profile, EveryClassOfTheLedgerIsOfAProfile) {
  const auto corpus = real_corpus();
  for (const auto& requirement : corpus.ledger.requirements()) {
    bool known = false;
    for (const auto& profile : corpus.profiles) {
      known = known || profile.has_class(requirement.class_name);
    }
    EXPECT_TRUE(known) << requirement.class_name;
  }
}

// The codes that the first step of a case takes, in whatever outcome.
std::vector<long long> codes_taken(const Corpus& corpus, std::string_view id) {
  std::vector<long long> codes;
  const Case* one = corpus.find(id);
  if (one == nullptr) ADD_FAILURE() << "there is no case " << id;
  if (one == nullptr) return codes;
  const auto bound = bind(*one, {});
  if (!bound) ADD_FAILURE() << bound.error().message;
  if (!bound) return codes;
  for (const auto& outcome : bound->steps.front().accept) {
    for (const auto& response : outcome.responses) {
      if (response.error) {
        codes.insert(codes.end(), response.error->codes.begin(), response.error->codes.end());
      }
    }
  }
  return codes;
}

TEST(Profile, CommonCasesTakeTheCodesThatItAllows) {
  const auto plain = with_profile(real_corpus(), std::string(kDefaultProfile));
  const auto ethereum = with_profile(real_corpus(), "ethereum");
  ASSERT_TRUE(plain && ethereum);
  const std::vector<long long> unknown = {-32601};
  const std::vector<long long> unknown_or_unsupported = {-32601, -32004};
  EXPECT_EQ(codes_taken(*plain, "calibration/string-id"), unknown);
  EXPECT_EQ(codes_taken(*ethereum, "calibration/string-id"), unknown_or_unsupported);
  // Its own case tells the two apart.
  EXPECT_EQ(codes_taken(*ethereum, "ethereum/unknown-method"), unknown_or_unsupported);
  EXPECT_EQ(ethereum->find("ethereum/unknown-method")->steps.front().accept.back().verdict,
            Verdict::warn);
  // Where any error will do none is added, and where others are asked for neither.
  EXPECT_EQ(codes_taken(*ethereum, "request/version-wrong"),
            codes_taken(*plain, "request/version-wrong"));
}

TEST(Profile, ParamsByNameMayBeRefusedWhereTheProtocolHasNone) {
  const auto plain = with_profile(real_corpus(), std::string(kDefaultProfile));
  const auto ethereum = with_profile(real_corpus(), "ethereum");
  ASSERT_TRUE(plain && ethereum);
  const std::vector<long long> unknown = {-32601};
  EXPECT_EQ(codes_taken(*plain, "error/unknown-method-named-params"), unknown);
  const std::vector<long long> refused = {-32601, -32004, -32600, -32602};
  EXPECT_EQ(codes_taken(*ethereum, "error/unknown-method-named-params"), refused);
  const std::vector<long long> by_position = {-32601, -32004};
  EXPECT_EQ(codes_taken(*ethereum, "params/structured-on-unknown-method"), by_position);
  EXPECT_NE(
      error_of(R"({"name":"n","title":"T","dialect":"2.0","classes":["a"],"params":"by-name"})")
          .find("by-position"),
      std::string::npos);
}

TEST(Profile, OtherCodesAreIntegersWithTheirClause) {
  const std::string begin = R"({"name":"n","title":"T","dialect":"2.0","classes":["a"],)";
  const auto profile = load_profile(
      "p.json",
      begin + R"("other-codes":[{"code":-1,"allowed":[-2,-3],"clause":"C","because":"B"}]})");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(with_other_codes({-1}, profile->other_codes), (std::vector<long long>{-1, -2, -3}));
  EXPECT_EQ(with_other_codes({-2}, profile->other_codes), std::vector<long long>{-2});
  EXPECT_TRUE(with_other_codes({}, profile->other_codes).empty());
  for (const char* wrong : {R"([{"code":-1.5,"allowed":[-2],"clause":"C","because":"B"}])",
                            R"([{"code":-1,"allowed":["x"],"clause":"C","because":"B"}])",
                            R"([{"code":-1,"allowed":[-2],"because":"B"}])"}) {
    EXPECT_NE(error_of(begin + R"("other-codes":)" + wrong + "}"), "no error") << wrong;
  }
}

TEST(Profile, ErrorsWithoutAnIdMayDependOnTheStatus) {
  const std::string begin = R"({"name":"n","title":"T","dialect":"2.0","classes":["a"])";
  const auto plain = load_profile("p.json", begin + "}");
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_FALSE(plain->errors_without_id);
  const auto profile = load_profile(
      "p.json", begin + R"(,"errors-without-id":{"from-status":400,"recorded-as":"a-b"}})");
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_TRUE(profile->errors_without_id);
  EXPECT_EQ(profile->errors_without_id->from_status, 400);
  EXPECT_EQ(profile->errors_without_id->recorded_as, "a-b");
}

TEST(Profile, CaseOfAClassThatNoProfileKnowsBelongsToAll) {
  const CorpusFile ledger{"ledger.json", R"({"requirements": [
    {"id": "my-rule", "clause": "-", "level": "must", "class": "mine", "text": "Mine."}]})"};
  const CorpusFile profile{"profiles/p.json",
                           R"({"name":"p","title":"T","dialect":"2.0","classes":["core"]})"};
  const CorpusFile cases{"a.json",
                         R"({"cases": [{"id": "a/a", "title": "T", "requirements": ["my-rule"],
      "steps": [{"send": {"text": "1"}, "accept": [{"silence": true}]}]}]})"};
  auto corpus = assemble({ledger, profile, cases}, {});
  ASSERT_TRUE(corpus) << corpus.error().message;
  const auto mine = with_profile(*std::move(corpus), "p");
  ASSERT_TRUE(mine) << mine.error().message;
  EXPECT_EQ(mine->cases.size(), 1U);
}

}  // namespace profile_test
}  // namespace jrpcheck::corpus
