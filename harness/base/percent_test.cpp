#include "base/percent.hpp"

#include <gtest/gtest.h>

namespace jrpcheck {
namespace percent_test {

TEST(PercentEncoded, WhatIsPlainStaysAsItIs) {
  EXPECT_EQ(percent_encoded("aZ0-._~ /\xC3\xA9"), "aZ0-._~%20%2F%C3%A9");
  EXPECT_EQ(percent_encoded("/a b", "/"), "/a%20b");
}

TEST(PercentDecoded, EachEscapeIsTheByteItStandsFor) {
  EXPECT_EQ(percent_decoded("a%20b%2Fc%2f%C3%A9"), "a b/c/\xC3\xA9");
}

TEST(PercentDecoded, WhatDoesNotDecodeStaysAsItIs) {
  for (const char* text : {"", "%", "%4", "100%", "%zz", "%4z", "a+b"}) {
    EXPECT_EQ(percent_decoded(text), text);
  }
}

}  // namespace percent_test
}  // namespace jrpcheck
