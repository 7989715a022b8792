#include "base/base64.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/bytes.hpp"

namespace jrpcheck {
namespace base64_test {

TEST(FromBase64, TakesWhatToBase64Makes) {
  for (const std::string bytes : {"", "f", "fo", "foo", "foob", "\xff\xfe\x01", "a\xff"}) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
  EXPECT_EQ(from_base64(to_base64(std::string("\0\0", 2))), std::string("\0\0", 2));
}

TEST(FromBase64, RefusesEverythingElse) {
  for (const char* text : {"Zg", "Zg=", "Z===", "====", "Zg=a", "Zm9$", "Zm 9"}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace base64_test
}  // namespace jrpcheck
