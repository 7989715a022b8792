#include "base/bytes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/utf8.hpp"

namespace jrpcheck {
namespace bytes_test {

using std::string_literals::operator""s;
using std::string_view_literals::operator""sv;

// What `sh -c command` writes to standard output.
std::string output_of(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "popen failed";
  std::string output;
  std::array<char, 65536> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), count);
  }
  if (::pclose(pipe) != 0) output += "<the shell reported an error>";
  return output;
}

// Every argument that `word` becomes in a shell, each with a bar behind it.
std::string arguments_of(const std::string& word) { return output_of("printf '%s|' " + word); }

std::string all_bytes(int first) {
  std::string bytes;
  for (int byte = first; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

std::string repeated(std::string_view unit, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += unit;
  return text;
}

TEST(Base64, AgreesWithTheTestVectorsOfTheRfc) {  // RFC 4648 §10
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(to_base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, CarriesEveryByte) {
  EXPECT_EQ(to_base64("\0\0\0"sv), "AAAA");
  EXPECT_EQ(to_base64("\xFF\xFF\xFF"), "////");
  EXPECT_EQ(to_base64("\xFB\xEF\xBE"), "++++");
  EXPECT_EQ(output_of("printf %s " + to_base64(all_bytes(0)) + " | base64 -d"), all_bytes(0));
}

TEST(Visible, ControlCharactersAndBytesThatAreNotUtf8AreEscaped) {
  EXPECT_EQ(to_visible("{\"a\":\n1}\r\n\t\0\x1B\x7F"sv), R"({"a":\n1}\r\n\t\x00\x1b\x7f)");
  EXPECT_EQ(to_visible("a\xFF\xC3(\xE2\x82"), R"(a\xff\xc3(\xe2\x82)");
  EXPECT_EQ(to_visible("\xED\xA0\xBD"), R"(\xed\xa0\xbd)");
}

TEST(Visible, PlainTextAndBackslashesStayAsTheyAre) {
  EXPECT_EQ(to_visible(""), "");
  EXPECT_EQ(to_visible("na\xC3\xAFve \xF0\x9F\x98\x80 \\u0041 %s 'x'"),
            "na\xC3\xAFve \xF0\x9F\x98\x80 \\u0041 %s 'x'");
}

TEST(Visible, CharactersThatHideOrReverseTextAreEscaped) {
  EXPECT_EQ(to_visible("\xC2\x9B"
                       "31m"),
            R"(\xc2\x9b31m)");                                   // a C1 control sequence
  EXPECT_EQ(to_visible("\xEF\xBB\xBF{}"), R"(\xef\xbb\xbf{})");  // a byte order mark
  EXPECT_EQ(to_visible("a\xE2\x80\xAE"
                       "b"),
            R"(a\xe2\x80\xaeb)");  // right-to-left override
  EXPECT_EQ(to_visible("a\xE2\x80\xA8"
                       "b"),
            R"(a\xe2\x80\xa8b)");  // line separator
}

TEST(Visible, NoCharacterThatNobodySeesStays) {
  const std::string_view invisible[] = {
      "\xC2\xAD",     "\xCD\x8F",     "\xD8\x9C",         "\xE1\x85\x9F",     "\xE1\xA0\x8E",
      "\xE2\x80\x8B", "\xE2\x81\xA6", "\xE3\x85\xA4",     "\xEF\xBE\xA0",     "\xEF\xBF\xB9",
      "\xEF\xBF\xBE", "\xEF\xBF\xBF", "\xF0\x9D\x85\xB3", "\xF3\xA0\x81\x81", "\xF3\xA0\x84\x80"};
  for (const auto each : invisible) {
    const std::string text = to_visible(each);
    EXPECT_TRUE(text.starts_with("\\x")) << text;
    EXPECT_EQ(text.size(), 4 * each.size()) << text;
  }
  // Those beside them stay, and so does the selector of a picture.
  for (const std::string_view each :
       {"\xC2\xAC", "\xC2\xAE", "\xD8\x9B", "\xEF\xBF\xBD", "\xE2\x9A\xA0\xEF\xB8\x8F"}) {
    EXPECT_EQ(to_visible(each), each);
  }
}

// "é" is one character or two, and looks the same.
TEST(Visible, WhatLooksLikeAnotherTextIsEscaped) {
  EXPECT_EQ(to_visible("\xC3\xA9"), "\xC3\xA9");
  EXPECT_EQ(to_visible("e\xCC\x81"), R"(e\xcc\x81)");
  for (const std::string_view each : {"\xC2\xA0", "\xE1\x85\xA1", "\xE2\x84\xAB", "\xE3\x80\x80",
                                      "\xEF\xA4\x80", "\xF0\xAF\xA0\x80"}) {
    EXPECT_EQ(to_visible(each).size(), 4 * each.size()) << to_visible(each);
  }
  // A keycap is a picture.
  EXPECT_EQ(to_visible("1\xEF\xB8\x8F\xE2\x83\xA3"), "1\xEF\xB8\x8F\xE2\x83\xA3");
}

TEST(Visible, WhatALogTakesForACommandIsBrokenUp) {
  EXPECT_EQ(without_log_commands("::error::x\n  ::group::y\na ::b\n"),
            "\\::error::x\n  \\::group::y\na ::b\n");
  EXPECT_EQ(without_log_commands("a ##[error]b ##vso[task] ##teamcity[x] # ##"),
            "a #\\#[error]b #\\#vso[task] #\\#teamcity[x] # ##");
}

TEST(Visible, ACommandBehindWhiteSpaceOfAnyScriptIsBrokenUp) {
  for (const std::string blank :
       {"\xC2\xA0", "\xE1\x9A\x80", "\xE2\x80\x83", "\xE2\x80\xAF", "\xE3\x80\x80", "\v"}) {
    EXPECT_EQ(without_log_commands("a\n" + blank + "::error::x"), "a\n" + blank + "\\::error::x");
  }
  EXPECT_EQ(without_log_commands("\xC3\xA9::a \xFF::b"), "\xC3\xA9::a \xFF::b");
}

TEST(InertJson, SaysTheSameWithoutControlsAndCommands) {
  EXPECT_EQ(inert_json("{\"a\":\n \"##[error] #1 ###\"}"),
            "{\"a\":\n \"\\u0023#[error] #1 \\u0023\\u0023#\"}");
  EXPECT_EQ(inert_json("\"\x7F\xC2\x9B\xE2\x80\xAE\xEF\xBF\xBF\xF3\xA0\x81\x81\""),
            R"("\u007f\u009b\u202e\uffff\udb40\udc41")");
  const std::string plain = "[\"na\xC3\xAFve \xF0\x9F\x98\x80 \\\\ \xFF\",1]\n";
  EXPECT_EQ(inert_json(plain), plain);
}

TEST(Visible, ControlsAreCutWhereTheirVisibleFormEnds) {
  const std::string bytes(1 << 20, '\x01');
  EXPECT_EQ(to_visible(bytes, 48), "\\x01 [... 1048574 bytes left out ...] \\x01");
  EXPECT_LE(to_visible(bytes, 2 * bytes.size()).size(), 2 * bytes.size());
}

TEST(Visible, TheMiddleOfLongTextIsLeftOutAndCounted) {
  const std::string text = "begin" + std::string(99'990, '[') + "end..";
  const std::string visible = to_visible(text, 60);
  EXPECT_EQ(visible, "begin[[[[[[[[[ [... 99973 bytes left out ...] [[[[[[[[end..");
  EXPECT_EQ(to_visible(std::string(240, 'x')), std::string(240, 'x'));
  EXPECT_LE(to_visible(std::string(241, 'x')).size(), 240U);
}

TEST(Visible, CuttingSplitsNoCharacterAndNoEscape) {
  const std::string euros = to_visible(repeated("\xE2\x82\xAC", 1000), 100);
  EXPECT_TRUE(is_valid_utf8(euros));
  const std::string escapes = to_visible(std::string(1000, '\0'), 100);
  EXPECT_EQ(escapes.find_first_not_of("\\x0"), escapes.find(" [..."));
  EXPECT_EQ(escapes.find(" [...") % 4, 0U);
}

TEST(Visible, ALimitTooSmallForAnythingStillSaysHowMuchThereWas) {
  EXPECT_EQ(to_visible(std::string(50, 'x'), 3), " [... 50 bytes left out ...] ");
}

RC_GTEST_PROP(Visible, IsOneLineOfUtf8WithinTheLimit, (const std::string& bytes)) {
  const auto limit = *rc::gen::inRange<std::size_t>(40, 200);
  const std::string visible = to_visible(bytes + bytes + bytes, limit);
  RC_ASSERT(is_valid_utf8(visible));
  RC_ASSERT(visible.size() <= limit);
  for (const char byte : visible) RC_ASSERT(static_cast<unsigned char>(byte) >= 0x20);
}

TEST(ShellQuote, PlainWordsStayUnquoted) {
  EXPECT_EQ(shell_quote("server.js"), "server.js");
  EXPECT_EQ(shell_quote("--port"), "--port");
  EXPECT_EQ(shell_quote("/usr/bin/env"), "/usr/bin/env");
}

TEST(ShellQuote, EveryWordArrivesAsOneArgument) {
  const std::string words[] = {
      "",         " ",        "two words", "it's",   "''",         "'",           "\"$HOME\"",
      "`id`",     "$(id)",    "a\\b",      "a\\",    "tail\n",     "-n",          "%s%n",
      "*",        "~",        "a;b&c|d",   "!event", "a=b",        "#comment",    "{x,y}",
      "\xFF\xFE", "\xC3\xA9", "\t\r\n",    "[a-z]",  all_bytes(1), "don't 'stop'"};
  for (const std::string& word : words) {
    EXPECT_EQ(arguments_of(shell_quote(word)), word + "|") << to_visible(word);
  }
}

TEST(ShellLine, EachWordIsQuotedAlone) {
  EXPECT_EQ(shell_line({"node", "server.js", "two words"}), "node server.js 'two words'");
}

TEST(ShellQuote, AWordWithAnEqualsSignIsNoAssignment) { EXPECT_EQ(shell_quote("a=b"), "'a=b'"); }

RC_GTEST_PROP(ShellQuote, EveryWordWithoutNulArrivesAsOneArgument, ()) {
  const auto word = *rc::gen::container<std::string>(
      rc::gen::map(rc::gen::inRange(1, 256), [](int byte) { return static_cast<char>(byte); }));
  RC_ASSERT(arguments_of(shell_quote(word)) == word + "|");
}

// The printer is tested by what a shell makes of it.
void expect_printed(const std::string& bytes) {
  const std::string command = shell_printer(bytes);
  EXPECT_TRUE(output_of(command) == bytes) << "by " << to_visible(command, 2000);
  EXPECT_TRUE(output_of(command + " | cat") == bytes)
      << "piped on, by " << to_visible(command, 2000);
  EXPECT_EQ(command.find('\n'), std::string::npos) << to_visible(command, 2000);
}

TEST(ShellPrinter, WritesWhatAShellOrPrintfWouldTakeForItself) {
  const std::string texts[] = {"",
                               "x",
                               "{\"jsonrpc\":\"2.0\"}\n",
                               "100%",
                               "%s%d%%",
                               "\\",
                               "\\n",
                               "\\\\0",
                               "it's",
                               "'",
                               "\"",
                               "-n",
                               "-e x",
                               "--",
                               "-",
                               "-v",
                               "$HOME `id` $(id)",
                               "!history",
                               "\n",
                               "\n\n",
                               "a\n",
                               "\r\n\t",
                               "\0"s,
                               "\0"
                               "0"s,
                               "a\0b"s,
                               "\x01"
                               "1",
                               "\xFF",
                               "\xC3",
                               "\xC3\xA9t\xC3\xA9 \xF0\x9F\x98\x80",
                               "\xEF\xBB\xBF{}",
                               "\x7F",
                               "ends with a backslash\\",
                               "\\c stops some echo",
                               "%-5s|%n"};
  for (const std::string& text : texts) expect_printed(text);
}

TEST(ShellPrinter, WritesEveryByte) {
  expect_printed(all_bytes(0));
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    ASSERT_EQ(output_of(shell_printer(one)), one) << byte;
    ASSERT_EQ(output_of(shell_printer("a" + one + "7")), "a" + one + "7") << byte;
  }
}

TEST(ShellPrinter, MakesALongRunOfAnyByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string run(1000, static_cast<char>(byte));
    const std::string command = shell_printer(run);
    ASSERT_TRUE(output_of(command) == run) << byte << " by " << command;
    ASSERT_LT(command.size(), 80U) << command;
  }
}

TEST(ShellPrinter, DeepNestingStaysOneShortLine) {
  const std::string text = "{\"id\":1,\"params\":" + std::string(100'000, '[') + "'%\\\0\xFF"s +
                           std::string(100'000, ']') + "}\n";
  expect_printed(text);
  EXPECT_LT(shell_printer(text).size(), 200U);
}

TEST(ShellPrinter, ARepeatedTextStaysShortToo) {
  const std::string nested = repeated("{\"a\":", 100'000) + "0" + std::string(100'000, '}');
  expect_printed(nested);
  EXPECT_LT(shell_printer(nested).size(), 200U);
  expect_printed(repeated("it's -e ", 500) + "!");
  expect_printed(repeated("-x", 500));
  expect_printed(repeated("\n ", 500));
  expect_printed(repeated("\xC3\xA9", 500));
  expect_printed(repeated("\\%", 500));
}

TEST(ShellPrinter, RunsNextToEachOtherAndAtTheThresholdAreExact) {
  for (const std::size_t length : {126, 127, 128, 129, 130}) {
    expect_printed(std::string(length, '[') + std::string(length, ']') + "a" +
                   repeated("ab", length / 2));
  }
}

TEST(ShellPrinter, RunsThatAreJustTooShortAreWrittenOut) {
  const std::string text = repeated(std::string(127, 'a') + std::string(127, 'b'), 400);
  expect_printed(text);
  EXPECT_EQ(shell_printer(text), "printf '" + text + "'");
}

RC_GTEST_PROP(ShellPrinter, WritesExactlyTheBytes, ()) {
  const auto pieces = *rc::gen::arbitrary<std::vector<std::pair<std::string, std::uint8_t>>>();
  std::string bytes;
  for (const auto& [text, times] : pieces) bytes += repeated(text, times);
  bytes.resize(std::min<std::size_t>(bytes.size(), 30'000));  // Linux limits an argument to 128 KiB
  RC_ASSERT(output_of(shell_printer(bytes)) == bytes);
}

}  // namespace bytes_test
}  // namespace jrpcheck
