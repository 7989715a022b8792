#include "json/number.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>

namespace jrpcheck::json {
namespace number_test {

const std::string kHugeExponent = "1e" + std::string(27, '9');

TEST(NumbersEqual, WhateverTheSpelling) {
  const std::pair<std::string, std::string> kEqual[] = {
      {"1", "1.0"},
      {"1", "10e-1"},
      {"1", "0.1E+1"},
      {"1", "1e0"},
      {"1", "1e-0"},
      {"1", "1E+000000000000000000000000000000"},
      {"0", "-0"},
      {"0", "0.000"},
      {"0", "0e99999"},
      {"0", "-0.0e-99999999999999999999999999999"},
      {"100", "1e2"},
      {"-1500", "-1.5e3"},
      {"-1500", "-15000.00e-1"},
      {"0.001", "1e-3"},
      {"0.00120", "12e-4"},
      {"1e400", "10e399"},
      {"1e400", "0.001e403"},
      {kHugeExponent, "10e" + std::string(26, '9') + "8"},
      {kHugeExponent, "0.1e1" + std::string(27, '0')},
      {"1e-1" + std::string(27, '0'), "10e-1" + std::string(26, '0') + "1"},
      {"1e-1" + std::string(27, '0'), "0.1e-" + std::string(27, '9')},
      {"1e999999999999999999", "0.1e1000000000000000000"},
      {"1e9223372036854775807", "0.1e9223372036854775808"},
      {"9007199254740993", "9007199254740993.0"},
  };
  for (const auto& [a, b] : kEqual) {
    EXPECT_TRUE(numbers_equal(a, b)) << a << " " << b;
    EXPECT_TRUE(numbers_equal(b, a)) << b << " " << a;
  }
}

TEST(NumbersEqual, NotWhenTheValuesDifferHoweverLittle) {
  const std::pair<std::string, std::string> kDifferent[] = {
      {"1", "-1"},
      {"1", "0"},
      {"1", "10"},
      {"1", "1e1"},
      {"9007199254740992", "9007199254740993"},
      {"0.1", "0.1000000000000000055511151231257827"},
      {"1e400", "1e401"},
      {"1e400", "2e400"},
      {"0", "1e-400"},
      {"0", "1e-" + std::string(27, '9')},
      {kHugeExponent, "1e-" + std::string(27, '9')},
      {kHugeExponent, "1e" + std::string(26, '9') + "8"},
      {kHugeExponent, "10e" + std::string(27, '9')},
      {"1e18446744073709551616", "1"},  // 2^64
      {"1e18446744073709551617", "1e1"},
      {"1e4294967296", "1e0"},
      {"12", "1.2"},
      {"101", "11"},
      {"1.01", "1.1"},
  };
  for (const auto& [a, b] : kDifferent) {
    EXPECT_FALSE(numbers_equal(a, b)) << a << " " << b;
    EXPECT_FALSE(numbers_equal(b, a)) << b << " " << a;
  }
}

TEST(NumbersEqual, TokensOfAMillionDigits) {
  const std::string zeros(1'000'000, '0');
  const std::string nines(1'000'000, '9');
  EXPECT_TRUE(numbers_equal("1" + zeros, "1e1000000"));
  EXPECT_TRUE(numbers_equal("0." + zeros + "1", "1e-1000001"));
  EXPECT_FALSE(numbers_equal("1" + zeros, "1e1000001"));
  EXPECT_TRUE(numbers_equal(nines, nines + ".0"));
  EXPECT_FALSE(numbers_equal(nines, nines + ".1"));
  EXPECT_TRUE(numbers_equal("1e1" + zeros, "10e" + nines));
  EXPECT_TRUE(numbers_equal("1e-" + nines, "10e-1" + zeros));
  EXPECT_FALSE(numbers_equal("1e" + nines, "1e-" + nines));
}

RC_GTEST_PROP(NumbersEqual, ShiftingThePointIsMadeUpForByTheExponent, (std::int32_t mantissa)) {
  const auto exponent = *rc::gen::inRange<std::int64_t>(-1'000'000'000'000, 1'000'000'000'000);
  const auto shift = *rc::gen::inRange(0, 60);
  const std::string digits = std::to_string(mantissa);
  const std::string plain = digits + "e" + std::to_string(exponent);
  const std::string longer =
      digits + std::string(shift, '0') + "e" + std::to_string(exponent - shift);
  RC_ASSERT(numbers_equal(plain, longer));
  RC_ASSERT(numbers_equal(plain, longer + "0") == (mantissa == 0 || exponent == shift));
}

RC_GTEST_PROP(NumbersEqual, AgreesWithIntegerArithmetic, (std::int16_t a, std::int16_t b)) {
  const std::string left = std::to_string(a) + "00e-2";
  RC_ASSERT(numbers_equal(left, std::to_string(b)) == (a == b));
  RC_ASSERT(numbers_equal(left, std::to_string(a) + ".000"));
}

TEST(CanonicalNumber, HasNoZerosAtTheEnds) {
  EXPECT_EQ(canonical_number("1500"), "15e2");
  EXPECT_EQ(canonical_number("-0.0150"), "-15e-3");
  EXPECT_EQ(canonical_number("-0e5"), "0");
  EXPECT_EQ(canonical_number("10e99999999999999999999"), "1e100000000000000000000");
  EXPECT_EQ(canonical_number("0.1e100000000000000000000"), "1e99999999999999999999");
}

TEST(IsInteger, ByValueAndNotBySpelling) {
  for (const char* token : {"0", "-0", "0.0", "0e-5", "1", "-17", "1.0", "1e3", "1.5e1", "100e-2",
                            "0.001e3", "1e99999999999999999999999", "0e-99999999999999999999999"}) {
    EXPECT_TRUE(is_integer(token)) << token;
  }
  for (const char* token : {"0.5", "1.5", "15e-1", "1e-1", "100e-3", "-0.001e2",
                            "1e-99999999999999999999999", "1.00000000000000000000000001"}) {
    EXPECT_FALSE(is_integer(token)) << token;
  }
}

TEST(IsInteroperableInteger, UpToTwoToThePowerOf53MinusOne) {
  for (const char* token : {"0", "-0.0", "0e999999999999999999999", "1", "9007199254740991",
                            "-9007199254740991", "9007199254740991.0", "9007199254740990", "9e15",
                            "9007199254740.991e3", "900719925474099100e-2"}) {
    EXPECT_TRUE(is_interoperable_integer(token)) << token;
  }
  for (const char* token : {"9007199254740992", "-9007199254740992", "9007199254740991.5", "0.5",
                            "1e16", "9.1e15", "10000000000000000", "1e400", "1e-1",
                            "1e99999999999999999999999", "1e-99999999999999999999999"}) {
    EXPECT_FALSE(is_interoperable_integer(token)) << token;
  }
}

TEST(CompareNumbers, ByTheirValue) {
  const std::pair<std::string, std::string> kLess[] = {{"1", "2"},
                                                       {"-2", "-1"},
                                                       {"-1", "0"},
                                                       {"0", "1e-400"},
                                                       {"9", "10"},
                                                       {"1.5", "1.6"},
                                                       {"0.99", "1e0"},
                                                       {"-1e3", "999"},
                                                       {"12e1", "121"},
                                                       {"9007199254740992", "9007199254740993"},
                                                       {"1e9999", kHugeExponent},
                                                       {"1e-" + std::string(27, '9'), "1e-9999"}};
  for (const auto& [a, b] : kLess) {
    EXPECT_TRUE(compare_numbers(a, b) < 0) << a << " " << b;
    EXPECT_TRUE(compare_numbers(b, a) > 0) << a << " " << b;
  }
  EXPECT_TRUE(compare_numbers("1.50", "15e-1") == 0);
  EXPECT_TRUE(compare_numbers("-0", "0.0") == 0);
  EXPECT_FALSE(compare_numbers(kHugeExponent, "2" + kHugeExponent));
}

TEST(IsMultiple, ByTheirValue) {
  for (const auto& [value, of] : {std::pair("4.35", "0.01"),
                                  {"0", "7"},
                                  {"1e3", "8"},
                                  {"-9", "3"},
                                  {"1e500", "16"},
                                  {"7.5", "2.5"}}) {
    EXPECT_EQ(is_multiple(value, of), true) << value << " " << of;
  }
  for (const auto& [value, of] :
       {std::pair("4.355", "0.01"), {"7", "2"}, {"0.1", "1"}, {"1e500", "3"}}) {
    EXPECT_EQ(is_multiple(value, of), false) << value << " " << of;
  }
  EXPECT_FALSE(is_multiple("1", "1234567890123456789"));
  EXPECT_FALSE(is_multiple("1e99999", "3"));
}

}  // namespace number_test
}  // namespace jrpcheck::json
