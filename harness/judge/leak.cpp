#include "judge/leak.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.hpp"
#include "base/contains.hpp"

namespace jrpcheck::judge {
namespace {

// How runtimes begin a stack trace, whatever stands in it.
constexpr std::array<std::string_view, 6> kTraceMarks = {"Traceback (most recent call last)",
                                                         "Stack trace:\n#0 ",
                                                         "Exception in thread \"",
                                                         "goroutine 1 [running]",
                                                         "stack backtrace:\n",
                                                         "Caused by: java."};

constexpr std::array<std::string_view, 24> kSourceSuffixes = {
    "py", "js",  "ts", "mjs", "cjs", "java", "kt",  "scala", "cs", "fs", "go",  "rs",
    "rb", "php", "pl", "lua", "c",   "cc",   "cpp", "hpp",   "h",  "ex", "erl", "swift"};

// What stands between the name of a source file and the number of a line.
constexpr std::array<std::string_view, 6> kBeforeLine = {":",         ":line ",    "(",
                                                         "\", line ", " on line ", ", line "};

// Shorter numbers are no pointers, and longer ones are hashes or accounts.
constexpr std::size_t kShortestAddress = 8;
constexpr std::size_t kLongestAddress = 16;

constexpr std::size_t kShownAround = 120;

bool is_word(char c) { return is_alphanumeric(c) || c == '_'; }

std::string around(std::string_view text, std::size_t at) {
  const std::size_t begin = at < kShownAround / 2 ? 0 : at - kShownAround / 2;
  return std::string(text.substr(begin, kShownAround));
}

bool line_number_follows(std::string_view text) {
  return std::ranges::any_of(kBeforeLine, [&](std::string_view before) {
    return text.substr(0, before.size()) == before && text.size() > before.size() &&
           is_digit(text[before.size()]);
  });
}

// "server.py\", line 42", "App.java:17)", "main.rs:10:5"; but neither "example.com:80" nor "1.c".
bool is_source_position(std::string_view text, std::size_t dot) {
  std::size_t begin = dot;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  const bool is_named = std::any_of(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(dot),
                                    [](char c) { return is_word(c) && !is_digit(c); });
  if (!is_named) return false;
  std::size_t end = dot + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  const auto suffix = text.substr(dot + 1, end - dot - 1);
  const bool is_source = contains(kSourceSuffixes, suffix);
  return is_source && line_number_follows(text.substr(end));
}

// "<Handler object at 0x7f3a5c2b1d30>"
bool is_address(std::string_view text, std::size_t at) {
  constexpr std::string_view kMark = " at 0x";
  if (text.substr(at, kMark.size()) != kMark) return false;
  std::size_t digits = 0;
  for (const unsigned char c : text.substr(at + kMark.size())) {
    if (std::isxdigit(c) == 0) break;
    ++digits;
  }
  return digits >= kShortestAddress && digits <= kLongestAddress;
}

}  // namespace

std::string find_leak(std::string_view text) {
  for (const auto mark : kTraceMarks) {
    const auto at = text.find(mark);
    if (at != std::string_view::npos) return around(text, at);
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '.' && is_source_position(text, at)) return around(text, at);
    if (text[at] == ' ' && is_address(text, at)) return around(text, at);
  }
  return {};
}

// Values may be nested deeper than a stack is deep.
std::string find_leak(const json::Value& value) {
  constexpr std::size_t kUsual = 16;
  std::vector<const json::Value*> open;
  open.reserve(kUsual);
  open.push_back(&value);
  while (!open.empty()) {
    const json::Value& each = *open.back();
    open.pop_back();
    if (each.is(json::Kind::string)) {
      if (auto leak = find_leak(std::string_view(each.text())); !leak.empty()) return leak;
    }
    if (!each.is(json::Kind::array) && !each.is(json::Kind::object)) continue;
    for (const auto& child : each.children()) open.push_back(&child);
  }
  return {};
}

}  // namespace jrpcheck::judge
