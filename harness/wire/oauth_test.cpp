#include "wire/oauth.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::wire {
namespace oauth_test {

TEST(OAuthParameters, AreReadAsFormsWriteThem) {
  const auto all = read_parameters("a=1+2&b=%2Fx%3d&&c&a=2");
  const Parameters expected = {{"a", "1 2"}, {"b", "/x="}, {"c", ""}, {"a", "2"}};
  EXPECT_EQ(all, expected);
  EXPECT_EQ(parameter(all, "a"), "1 2");
  EXPECT_EQ(parameter(all, "d"), std::nullopt);
}

TEST(OAuthParameters, AreReadBackAsTheyWereWritten) {
  const Parameters all = {{"resource", "http://127.0.0.1:1/mcp"}, {"odd &=+", "\xc3\xa9%"}};
  EXPECT_EQ(read_parameters(write_parameters(all)), all);
}

// FIPS 180-4 has the digest of "abc".
TEST(PkceChallenge, IsTheDigestWithoutPaddingAndSafeInUrls) {
  EXPECT_EQ(pkce_challenge("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
}

}  // namespace oauth_test
}  // namespace jrpcheck::wire
