#include "reference-impl/oversized_numbers.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace jrpcheck::reference {
namespace oversized_numbers_test {

TEST(OversizedNumbers, AreReplacedAndTheirTokensKeptByPlace) {
  const auto shortened = shorten_oversized_numbers(R"({"a":[1,1e400],"1e500":-2e+999,"b":3})");
  EXPECT_EQ(shortened.text, R"({"a":[1,1e40],"1e500":-2e+99,"b":3})");
  EXPECT_EQ(shortened.oversized, (OversizedNumbers{{1, "1e400"}, {2, "-2e+999"}}));
}

TEST(OversizedNumbers, WithManyDigitsAreFoundToo) {
  const std::string digits(400, '9');
  const auto shortened = shorten_oversized_numbers("[" + digits + ".5," + digits + "]");
  EXPECT_EQ(shortened.text, "[99.5,99]");
  EXPECT_EQ(shortened.oversized, (OversizedNumbers{{0, digits + ".5"}, {1, digits}}));
}

TEST(OversizedNumbers, NumbersThatFitStayAsTheyAre) {
  const std::string text =
      "[0,-0,1e308,-1.5e-400,18446744073709551616," + std::string(300, '1') + "]";
  const auto shortened = shorten_oversized_numbers(text);
  EXPECT_EQ(shortened.text, text);
  EXPECT_TRUE(shortened.oversized.empty());
}

TEST(OversizedNumbers, StringsAreNoNumbers) {
  for (const std::string text :
       {R"("1e400")", R"("\"1e400")", R"("\\")", R"({"1e400":"1e400"})", R"("1e400)", R"("\)"}) {
    EXPECT_EQ(shorten_oversized_numbers(text).text, text);
  }
}

/// RFC 8259 §6, read here once more so that the code under test does not judge itself.
bool is_number_token(std::string_view rest) {
  const auto take = [&rest](std::string_view any_of) {
    const bool found = !rest.empty() && any_of.find(rest.front()) != any_of.npos;
    if (found) rest.remove_prefix(1);
    return found;
  };
  const auto take_digits = [&take] {
    if (!take("0123456789")) return false;
    while (take("0123456789")) {
    }
    return true;
  };
  take("-");
  if (!take("0") && !take_digits()) return false;
  if (take(".") && !take_digits()) return false;
  if (take("eE")) {
    take("+-");
    if (!take_digits()) return false;
  }
  return rest.empty();
}

rc::Gen<std::string> digits(int from, int to) {
  return rc::gen::mapcat(rc::gen::inRange(from, to), [](int count) {
    return rc::gen::container<std::string>(count, rc::gen::inRange<char>('0', '9' + 1));
  });
}

RC_GTEST_PROP(OversizedNumbers, ShorteningKeepsTheGrammarOfATokenRightOrWrong, ()) {
  const std::string token = *rc::gen::element<std::string>("", "-", "1", "0") + *digits(0, 6) +
                            *rc::gen::element<std::string>("", ".", ".5") + *digits(0, 4) +
                            *rc::gen::element<std::string>("", "e", "E+", "e-", "ee") +
                            *digits(0, 5);
  const auto shortened = shorten_oversized_numbers(token);
  RC_CLASSIFY(!shortened.oversized.empty(), "oversized");
  RC_ASSERT(is_number_token(shortened.text) == is_number_token(token));
  RC_ASSERT(nlohmann::json::accept(shortened.text) == is_number_token(token));
}

}  // namespace oversized_numbers_test
}  // namespace jrpcheck::reference
