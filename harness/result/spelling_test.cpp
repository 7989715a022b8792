#include "result/spelling.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/bytes.hpp"

namespace jrpcheck::result {
namespace spelling_test {

const std::string kSecret = "hUsh+/=&\"< 42%\\x";

bool is_found(const std::string& written) {
  const SpellingFinder finder(spellings_of(kSecret));
  const std::string text = "before " + written + " behind";
  const auto found = finder.find(text, 0);
  return found && found->begin <= 7 && found->end + 7 >= text.size();
}

TEST(Spelling, IsFoundAsEachLanguageWritesIt) {
  EXPECT_TRUE(is_found(kSecret));
  EXPECT_TRUE(is_found(R"(hUsh+/=&\"< 42%\\x)")) << "JSON";
  EXPECT_TRUE(is_found(R"(hUsh\u002B\/\u003d\u0026\u0022\u003C 42%\\x)")) << "as Go and .NET do";
  EXPECT_TRUE(is_found(R"(hUsh\\u002b/=\\u0026\\\"\\u003c 42%\\\\x)")) << "JSON within JSON";
  EXPECT_TRUE(is_found(R"(\u0068\u0055\u0073\u0068\u002b\u002f=&\u0022< 42%\u005cx)"));
  EXPECT_TRUE(is_found("hUsh%2B%2F%3D%26%22%3C%2042%25%5Cx"));
  EXPECT_TRUE(is_found("hUsh%2b%2f%3d%26%22%3c+42%25%5cx")) << "as forms do";
  EXPECT_TRUE(is_found("hUsh%252B%252F%253D%2526%2522%253C%252042%2525%255Cx")) << "twice";
  EXPECT_TRUE(is_found("hUsh+/=&amp;&quot;&lt; 42%\\x"));
  EXPECT_TRUE(is_found("hUsh&#43;/&#x3D;&#38;&#34;&#x3c; 42%\\x"));
  EXPECT_TRUE(is_found("685573682b2f3d26223c203432255c78"));
  EXPECT_TRUE(is_found("685573682B2F3D26223C203432255C78"));
  EXPECT_TRUE(is_found("68:55:73:68:2b:2f:3d:26:22:3c:20:34:32:25:5c:78"));
  EXPECT_TRUE(is_found("68 55 73 68 2B 2F 3D 26  22 3C 20 34 32 25 5C 78")) << "as hexdump does";
  EXPECT_TRUE(is_found("68-55-73-68-2B-2F-3D-26-22-3C-20-34-32-25-5C-78")) << "as .NET does";
  EXPECT_TRUE(
      is_found("68, 0x55, 0x73, 0x68, 0x2b, 0x2f, 0x3d, 0x26, 0x22, 0x3c, 0x20, 0x34, 0x32,"
               " 0x25, 0x5c, 0x78"));
  EXPECT_TRUE(
      is_found("68%3A55%3A73%3A68%3A2b%3A2f%3A3d%3A26%3A22%3A3c%3A20%3A34%3A32%3A25%3A5c%3A78"));
}

// Most of what writes JSON writes ASCII alone.
TEST(Spelling, BeyondAsciiIsFoundByItsNumbers) {
  const std::string secret = "p\u00e4ss-\U0001F600-w\u00f6rd";
  const SpellingFinder finder(spellings_of(secret));
  for (const std::string& written : {secret, std::string(R"(p\u00e4ss-\ud83d\ude00-w\u00F6rd)"),
                                     std::string(R"(p\\u00e4ss-\\ud83d\\ude00-w\\u00F6rd)"),
                                     std::string("p%C3%A4ss-%F0%9F%98%80-w%c3%b6rd"),
                                     std::string("p&#228;ss-&#x1F600;-w&#xf6;rd"),
                                     std::string(R"(p\xc3\xa4ss-\xf0\x9f\x98\x80-w\303\266rd)")}) {
    const auto found = finder.find("a " + written + " b", 0);
    ASSERT_TRUE(found) << written;
    EXPECT_EQ(found->begin, 2U) << written;
    EXPECT_EQ(found->end, written.size() + 2) << written;
  }
  for (const std::string other : {R"(p\u00e5ss-\ud83d\ude00-w\u00F6rd)", R"(p\u00e4ss-\ud83d)"}) {
    EXPECT_FALSE(finder.find(other, 0)) << other;
  }
  // It may begin so, too.
  EXPECT_TRUE(SpellingFinder(spellings_of("\u00e4\u00f6\u00fc-hush"))
                  .find(R"(\u00e4\u00f6\u00fc-hush)", 0));
}

TEST(Spelling, IsFoundInBase64WhereverItLies) {
  for (const std::string before : {"", "a", "ab", "Bearer "}) {
    const SpellingFinder finder(spellings_of(kSecret));
    const std::string encoded = to_base64(before + kSecret + " and more");
    EXPECT_TRUE(finder.find(encoded, 0)) << encoded;
    std::string escaped;
    for (const char c : encoded)
      escaped += c == '+' ? "\\u002b" : c == '/' ? "\\/" : std::string(1, c);
    EXPECT_TRUE(finder.find(escaped, 0)) << escaped;
  }
}

TEST(Spelling, OfAnotherTextIsNotFound) {
  for (const std::string text :
       {"hUsh+/=&\"< 42%x", "hush", "68:55:73:68", "", "\\\\\\\\", "%", "&", "&#;", "\\u00"}) {
    EXPECT_FALSE(SpellingFinder(spellings_of(kSecret)).find(text, 0)) << text;
  }
}

TEST(Spelling, BeginsAndEndsAtCuts) {
  const SpellingFinder finder(spellings_of("hush-hush"));
  EXPECT_EQ(finder.begun_at_end("abc hush-", 4), 4U);
  EXPECT_EQ(finder.begun_at_end("abc \\u0068ush", 4), 4U);
  EXPECT_FALSE(finder.begun_at_end("abc hus", 4));
  EXPECT_EQ(finder.ended_at_begin("-hush abc", 4), 5U);
  EXPECT_EQ(finder.ended_at_begin("abc", 4), 0U);
  // A cut may go through a character that is an escape.
  EXPECT_EQ(finder.begun_at_end("abc \\u0068\\u0075\\u0073\\u0068\\u00", 4), 4U);
  EXPECT_EQ(finder.begun_at_end("abc &#104;&#117;&#115;&#104;&#", 4), 4U);
  EXPECT_FALSE(finder.begun_at_end("abc hush&more", 4));
  EXPECT_EQ(finder.ended_at_begin("75\\u0073\\u0068\\u002d\\u0068ush and", 4), 29U);
  EXPECT_EQ(finder.ended_at_begin("4;&#117;&#115;&#104; and", 3), 20U);
  EXPECT_EQ(finder.ended_at_begin("of -hush", 4), 0U);
  // Or between bytes in hexadecimal.
  EXPECT_EQ(finder.begun_at_end("abc 68:75:73:", 4), 4U);
  EXPECT_EQ(finder.begun_at_end("abc 0x68, 0x75, 0x73, 0", 4), 6U);
  EXPECT_EQ(finder.ended_at_begin("x75, 0x73, 0x68 and", 4), 15U);
  EXPECT_EQ(finder.ended_at_begin(":75:73:68 and", 4), 9U);
  EXPECT_EQ(finder.ended_at_begin("5:73:68 and", 4), 7U);
}

TEST(Spelling, TakesTimeInProportionToTheText) {
  const SpellingFinder finder(spellings_of(kSecret));
  for (const std::string part : {"\\", "%", "&", "hUsh", "%25", "+"}) {
    std::string text;
    while (text.size() < 1U << 20U) text += part;
    EXPECT_FALSE(finder.find(text, 0));
  }
}

// As a server gives cookies to one who comes two hundred times.
TEST(Spelling, OfManySecretsTakesTimeInProportionToTheTextToo) {
  std::vector<Spelling> all;
  for (int i = 0; i < 200; ++i) {
    const auto secret = std::to_string(1'000'000'007LL * (i + 1)) + "-of-a-session";
    for (auto& each : spellings_of(secret)) all.push_back(std::move(each));
  }
  const SpellingFinder finder(std::move(all));
  std::string text;
  while (text.size() < 1U << 20U) text += "\\u0041%25&amp;a=x10";
  EXPECT_FALSE(finder.find(text, 0));
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(finder.ended_at_begin(std::string_view(text).substr(i, 300), 4), 0U);
  }
  EXPECT_EQ(finder.ended_at_begin("007-of-a-session", 4), 16U);
}

// It may also say again and again what they begin with, as it is or escaped.
TEST(Spelling, OfManySecretsThatBeginAlikeTakesNoLonger) {
  std::vector<Spelling> all;
  for (int i = 0; i < 200; ++i) {
    const auto secret = std::string(16, '0') + std::to_string(1'000'000'007LL * (i + 1));
    for (auto& each : spellings_of(secret)) all.push_back(std::move(each));
  }
  const SpellingFinder finder(std::move(all));
  for (const std::string part :
       {"0000000000000000%", "\\u0030\\u0030x", "%30%30%30x", "30 30 30 x"}) {
    std::string text;
    while (text.size() < 1U << 20U) text += part;
    EXPECT_FALSE(finder.find(text, 0));
  }
}

TEST(Spelling, ABeginningThatMayBeTheEndOfTooManyIsHiddenWithAllBehindIt) {
  std::vector<Spelling> all;
  for (int i = 0; i < 200; ++i) {
    const auto secret = std::string(30, '0') + std::to_string(10 + i);
    for (auto& each : spellings_of(secret)) all.push_back(std::move(each));
  }
  const SpellingFinder finder(std::move(all));
  EXPECT_EQ(finder.ended_at_begin(std::string(300, '0') + "x", 4), 301U);
  EXPECT_EQ(finder.ended_at_begin("Nothing of them.", 4), 0U);
}

TEST(Spelling, TheOneThatCoversMoreIsFoundOfTwo) {
  const SpellingFinder finder({{"hush"}, {"hush-hush"}, {"hush-ha"}});
  const auto found = finder.find("a hush-hush", 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->which, 1U);
  EXPECT_EQ(finder.find("a hush-hu", 0)->which, 0U);
}

RC_GTEST_PROP(Spelling, MixedInAnyWayIsFound, ()) {
  // Whoever writes one character of a URL in another way writes its percent signs so too.
  const auto secret = *rc::gen::container<std::string>(
      12, rc::gen::elementOf(std::string("abcXYZ0123456789/+=\"'<>-_.")));
  std::string written;
  for (const char c : secret) {
    char hex[8];
    const auto code = static_cast<unsigned>(static_cast<unsigned char>(c));
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        written += c;
        break;
      case 1:
        std::snprintf(hex, sizeof hex, "\\u%04x", code);
        written += hex;
        break;
      case 2:
        std::snprintf(hex, sizeof hex, "%%%02X", code);
        written += hex;
        break;
      default:
        std::snprintf(hex, sizeof hex, "&#%u;", code);
        written += hex;
    }
  }
  const auto found = SpellingFinder(spellings_of(secret)).find(written, 0);
  RC_ASSERT(found.has_value());
}

}  // namespace spelling_test
}  // namespace jrpcheck::result
