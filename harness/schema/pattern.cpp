#include "schema/pattern.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace jrpcheck::schema {
namespace {

constexpr std::size_t kLongest = 10'000;
constexpr std::int64_t kMostMemory = 1 << 20;
// What RE2 takes for something else than ECMA-262 does.
constexpr std::array<std::string_view, 8> kOfOthers = {"\\A", "\\z", "\\Q", "\\C",
                                                       "\\a", "[[:", "(?i", "(?P"};

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

}  // namespace

struct Pattern::Compiled {
  RE2 expression;
  bool has_blanks = false;  // \s and \S, which mean more than ASCII in ECMA-262
  bool has_any = false;     // a dot, which stops at more than \n there
};

Pattern::Pattern(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Pattern::~Pattern() = default;

std::shared_ptr<const Pattern> Pattern::compile(const std::string& expression) {
  const auto has = [&](std::string_view part) { return expression.find(part) != expression.npos; };
  if (expression.size() > kLongest || std::ranges::any_of(kOfOthers, has)) {
    return nullptr;
  }
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMostMemory);
  std::unique_ptr<Compiled> compiled(new Compiled{RE2(expression, options)});
  if (!compiled->expression.ok()) return nullptr;
  compiled->has_blanks = has("\\s") || has("\\S");
  compiled->has_any = has(".");
  return std::shared_ptr<const Pattern>(new Pattern(std::move(compiled)));
}

Pattern::Match Pattern::find_in(const std::string& text) const {
  // U+2028 and U+2029 end a line as well.
  const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
  const bool is_plain = std::ranges::all_of(text, is_ascii);
  const bool may_differ = (compiled_->has_blanks && !is_plain) ||
                          (compiled_->has_any && (has("\r") || has("\xe2\x80")));
  if (may_differ) return Match::unknown;
  return RE2::PartialMatch(text, compiled_->expression) ? Match::yes : Match::no;
}

}  // namespace jrpcheck::schema
