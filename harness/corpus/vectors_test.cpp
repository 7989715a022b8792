#include "corpus/vectors.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus.hpp"

namespace jrpcheck::corpus {
namespace {

constexpr const char* kSum =
    "// the sum of two\n"
    ">> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"add\",\"params\":[1,2]}\n"
    "<< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":3}\n";

std::string complaint_about(const std::string& text) {
  const auto loaded = load_vectors("a/b.io", text);
  return loaded ? "none" : loaded.error().message;
}

TEST(Vectors, AreACaseWithAStepForEachRequest) {
  const auto loaded = load_vectors("eth_call/Two calls.io", std::string(kSum) + "\n" + kSum);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->id, "vectors/eth-call-two-calls");
  EXPECT_EQ(loaded->line, 2U);
  ASSERT_EQ(loaded->steps.size(), 2U);
  const auto& outcome = loaded->steps.front().accept.front();
  EXPECT_EQ(outcome.shape, Outcome::Shape::response);
  EXPECT_EQ(outcome.responses.front().result->equals->text(), "3");
}

TEST(Vectors, OfGoEthereumHaveOtherArrows) {
  const auto loaded =
      load_vectors("notification.js",
                   "// nothing comes back\n--> {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n"
                   "--> [1]\n<-- [{\"id\":null,\"error\":{\"code\":-32600}}]\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->steps[0].accept.front().shape, Outcome::Shape::silence);
  EXPECT_EQ(loaded->steps[1].accept.front().shape, Outcome::Shape::batch);
  EXPECT_EQ(loaded->steps[1].accept.front().responses.front().error->codes.front(), -32600);
}

TEST(Vectors, ThatAreSpeconlyLetAnyValueDo) {
  const auto loaded = load_vectors("a.io", "// speconly: it differs\n" + std::string(kSum));
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(loaded->steps.front().accept.front().responses.front().result->equals);
}

TEST(Vectors, ThatAreWrongAreNamedByFileAndLine) {
  EXPECT_EQ(complaint_about(""), "a/b.io:1: no line begins with >>");
  EXPECT_EQ(complaint_about("// x\nhello\n"),
            "a/b.io:2: a line begins with >> (sent), << (due) or // (a comment)");
  EXPECT_EQ(complaint_about("<< {}\n"), "a/b.io:1: << answers nothing: no >> stands before it");
  EXPECT_EQ(complaint_about(">> {}\n<< {bad\n").substr(0, 18), "a/b.io:2: not JSON");
  EXPECT_EQ(complaint_about(">> {}\n<< {\"id\":1}\n").substr(0, 21), "a/b.io:2: no Response");
}

TEST(Vectors, AreKnownByTheirLinesWhereTheNameSaysNothing) {
  EXPECT_TRUE(holds_vectors("a.js", "// x\n\n--> {}\n"));
  EXPECT_FALSE(holds_vectors("a.js", "// x\nconst a = 1;\n"));
  EXPECT_FALSE(holds_vectors("a.json", kSum));
}

TEST(Vectors, BelongToEveryProfileAndBringTheirRequirement) {
  auto corpus = assemble(embedded_files(), {{"sum.io", kSum}});
  ASSERT_TRUE(corpus) << corpus.error().message;
  corpus = with_profile(*std::move(corpus), "ethereum");
  ASSERT_TRUE(corpus);
  EXPECT_NE(corpus->find("vectors/sum"), nullptr);
  EXPECT_NE(corpus->ledger.find(kVectorRequirement), nullptr);
  EXPECT_EQ(assemble(embedded_files(), {})->ledger.find(kVectorRequirement), nullptr);
}

}  // namespace
}  // namespace jrpcheck::corpus
