#include "reference-impl/client/link.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::reference {
namespace link_test {

TEST(Url, IsTakenApart) {
  const auto url = parse_url("wss://localhost:8443/rpc?a=b");
  ASSERT_TRUE(url) << url.error().message;
  EXPECT_EQ(url->scheme, "ws");
  EXPECT_TRUE(url->is_secure);
  EXPECT_EQ(url->authority(), "localhost:8443");
  EXPECT_EQ(url->path, "/rpc?a=b");
  EXPECT_EQ(parse_url("tcp://[::1]:7")->host, "::1");
  EXPECT_EQ(parse_url("http://a:1")->path, "/");
}

TEST(Url, WithoutASchemeOrAPortIsRefused) {
  for (const char* text : {"", "x", "localhost:80", "http://localhost/", "http://localhost/a:1"}) {
    EXPECT_FALSE(parse_url(text)) << text;
  }
}

}  // namespace link_test
}  // namespace jrpcheck::reference
