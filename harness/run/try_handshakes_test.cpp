#include "run/try_handshakes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jrpcheck::run {
namespace try_handshakes_test {

std::string opening_of(const std::string& profile) {
  Options options;
  EXPECT_TRUE(adopt_opening(profile, options)) << profile;
  return options.opening.messages.empty() ? "" : options.opening.messages.front();
}

class Handshakes : public ::testing::Test {
 protected:
  TriedHandshakes try_on_one_that_takes(const std::string& opening) {
    return try_handshakes({"mcp", "lsp"}, Options(), [&, opening](const Options& with) {
      tried_.push_back(with.opening.messages.front());
      return tried_.back() == opening ? std::string() : "no " + std::to_string(tried_.size());
    });
  }

  std::vector<std::string> tried_;
};

TEST_F(Handshakes, AreTriedUntilOneIsTaken) {
  const auto first = try_on_one_that_takes(opening_of("mcp"));
  EXPECT_TRUE(first.was_taken());
  EXPECT_EQ(tried_, std::vector<std::string>{opening_of("mcp")});
  EXPECT_NE(first.note.find("was given that of --opening mcp."), std::string::npos) << first.note;
  tried_.clear();
  const auto second = try_on_one_that_takes(opening_of("lsp"));
  EXPECT_EQ(tried_.size(), 2U);
  EXPECT_NE(second.note.find("--opening lsp"), std::string::npos) << second.note;
  EXPECT_EQ(second.hint, "");
}

TEST_F(Handshakes, AreNamedWithTheirRefusalsWhereNoneIsTaken) {
  const auto none = try_on_one_that_takes("");
  EXPECT_FALSE(none.was_taken());
  EXPECT_NE(none.hint.find("that of --opening mcp: no 1; nor that of --opening lsp: no 2. "),
            std::string::npos)
      << none.hint;
  EXPECT_NE(none.hint.find("--opening FILE"), std::string::npos);
}

}  // namespace try_handshakes_test
}  // namespace jrpcheck::run
