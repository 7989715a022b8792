#include "fuzz/company.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "json/parse.hpp"
#include "wire/binding.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::fuzz {
namespace company_test {

TEST(Company, APlainCallHasTheLengthThatIsAskedForWhereItCan) {
  const std::string shortest = plain_call(0, 1);
  for (const std::size_t bytes : {shortest.size(), shortest.size() + 1, std::size_t{2000}}) {
    EXPECT_EQ(plain_call(bytes, 1).size(), bytes);
    EXPECT_TRUE(json::parse(plain_call(bytes, 1))) << plain_call(bytes, 1);
  }
  EXPECT_EQ(plain_call(3, 1), shortest);
  EXPECT_NE(plain_call(0, 1), plain_call(0, 2));
}

TEST(Company, PlainCallsTakeTheirPlacesWithoutMovingWhatStandsBehind) {
  const Company company{{std::string(200, 'x')}, {std::string(90, 'y')}, Cut{1, 3}};
  const Company plain = with_plain_calls(company);
  EXPECT_EQ(plain.ahead.front().size(), 200U);
  EXPECT_EQ(plain.behind.front().size(), 90U);
  EXPECT_NE(plain.ahead.front(), company.ahead.front());
  ASSERT_TRUE(plain.cut);
  EXPECT_EQ(plain.cut->message, 1U);
}

TEST(Company, ACutIsCountedInTheBytesOfTheFraming) {
  const Company company{{"12345"}, {"z"}, Cut{1, 2}};
  EXPECT_EQ(cuts_of("abcd", company, wire::known_binding("lines")), std::vector<std::size_t>{8});
  // "Content-Length: 5" and an empty line are 21 bytes.
  EXPECT_EQ(cuts_of("abcd", company, wire::known_binding("content-length")),
            std::vector<std::size_t>{21 + 5 + 21 + 2});
  // A frame that is masked has a head of six bytes.
  EXPECT_EQ(cuts_of("abcd", company, wire::known_binding("websocket")),
            std::vector<std::size_t>{6 + 5 + 6 + 2});
  EXPECT_TRUE(cuts_of("abcd", company, wire::known_binding("http")).empty());
  const Company in_record{{"12345"}, {"z"}, Cut{1, 1, CutInto::records, 2}};
  EXPECT_EQ(cuts_of("abcd", in_record, wire::known_binding("lines")),
            (std::vector<std::size_t>{7, 9}));
  const Company first{{}, {"z"}, Cut{0, 0, CutInto::records, 1}};
  EXPECT_EQ(cuts_of("abcd", first, wire::known_binding("lines")), std::vector<std::size_t>{1});
  const Company in_fragments{{"12345"}, {}, Cut{1, 1, CutInto::fragments}};
  EXPECT_EQ(cuts_of("abcd", in_fragments, wire::known_binding("websocket")),
            std::vector<std::size_t>{6 + 5});
  EXPECT_TRUE(cuts_of("abcd", {{"12345"}, {}}, wire::known_binding("lines")).empty());
}

TEST(Company, ACutStaysInItsMessageWhenOthersLeave) {
  const Company company{{"a", "b"}, {"c"}, Cut{2, 1}};
  EXPECT_EQ(company.with_ahead({}).cut->message, 0U);
  EXPECT_EQ(company.with_ahead({"x", "y", "z"}).cut->message, 3U);
  EXPECT_EQ(company.with_behind({}).cut->message, 2U);
  EXPECT_FALSE((Company{{"a", "b"}, {}, Cut{1, 1}}.with_ahead({"b"}).cut));
  EXPECT_FALSE((Company{{}, {"c"}, Cut{1, 1}}.with_behind({}).cut));
}

TEST(Company, TheRestBehindACutLeavesWhenThoseBeforeItAreAnswered) {
  const Company company{{plain_call(0, 2), plain_call(0, 3)}, {}, Cut{2, 4}};
  EXPECT_EQ(step_in_company(plain_call(0, 1), company, {}).write_after_replies, 2U);
  EXPECT_EQ(step_in_company(plain_call(0, 1), company.with_ahead({}), {}).write_after_replies, 0U);
}

TEST(Company, AMessageInFragmentsIsOneMessageInTwoFrames) {
  const Company company{{plain_call(0, 2)}, {plain_call(0, 3)}, Cut{1, 5, CutInto::fragments}};
  const auto step = step_in_company(plain_call(0, 1), company, {});
  ASSERT_EQ(step.messages.size(), 4U);
  EXPECT_EQ(step.messages[1].text() + step.messages[2].text(), plain_call(0, 1));
  EXPECT_EQ(step.messages[1].text().size(), 5U);
  ASSERT_EQ(step.frames.size(), 2U);
  EXPECT_FALSE(step.frames.at(1).fin);
  EXPECT_EQ(step.frames.at(2).opcode, wire::kContinuation);
  EXPECT_EQ(step.write_after_replies, 1U);
  ASSERT_EQ(step.whole_messages().size(), 3U);
  EXPECT_EQ(step.whole_messages()[1].text(), plain_call(0, 1));
}

TEST(Company, AllThatIsWrittenIsWaitedFor) {
  const std::string notification = R"({"jsonrpc":"2.0","method":"jrpcheckX"})";
  const auto step = step_in_company(plain_call(0, 1), {{plain_call(0, 2)}, {notification}}, {});
  ASSERT_EQ(step.messages.size(), 3U);
  EXPECT_EQ(step.messages.back().text(), notification);
  ASSERT_EQ(step.accept.size(), 1U);
  EXPECT_EQ(step.accept.front().responses.size(), 2U);
}

}  // namespace company_test
}  // namespace jrpcheck::fuzz
