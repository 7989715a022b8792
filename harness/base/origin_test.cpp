#include "base/origin.hpp"

#include <gtest/gtest.h>

namespace jrpcheck {
namespace origin_test {

TEST(OriginOf, IsTheSameHoweverItIsSpelled) {
  const Origin plain{"http", "example.org", "80"};
  for (const char* uri : {"http://example.org", "HTTP://Example.ORG/a?b#c", "http://example.org:80",
                          "http://example.org:/", "http://user:pass@example.org:080/",
                          "http://example.org?x=http://else.org/"}) {
    EXPECT_EQ(origin_of(uri), plain) << uri;
  }
  EXPECT_EQ(origin_of("https://example.org"), (Origin{"https", "example.org", "443"}));
  EXPECT_EQ(origin_of("http://[::1]:8080/x"), (Origin{"http", "[::1]", "8080"}));
  EXPECT_EQ(origin_of("http://[::1]/x"), (Origin{"http", "[::1]", "80"}));
}

TEST(OriginOf, DiffersInSchemeHostAndPort) {
  const auto plain = origin_of("http://example.org");
  for (const char* other : {"https://example.org", "http://example.org:8080", "http://example.com",
                            "http://example.org.evil.net", "http://example.org@evil.net"}) {
    EXPECT_NE(origin_of(other), plain) << other;
  }
}

TEST(OriginOf, IsNoneOfWhatNamesNoServer) {
  for (const char* uri : {"", "/a", "a/b", "?http://a", "mailto:a@b", "http:", "http:///a", ":x"}) {
    EXPECT_FALSE(origin_of(uri)) << uri;
  }
}

TEST(OriginOf, AReferenceIsReadFromWhereItWasFound) {
  const Origin here{"https", "example.org", "443"};
  for (const char* same :
       {"/messages?a=b://c", "messages", "?a=1", "//EXAMPLE.org/m", "https://example.org:443/m"}) {
    EXPECT_EQ(origin_of(same, here), here) << same;
  }
  for (const char* other : {"//example.com/m", "http://example.org/m", "javascript:x", "http:m"}) {
    EXPECT_NE(origin_of(other, here), here) << other;
  }
}

}  // namespace origin_test
}  // namespace jrpcheck
