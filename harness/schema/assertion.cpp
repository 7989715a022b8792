#include "schema/assertion.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/utf8.hpp"
#include "json/number.hpp"

namespace jrpcheck::schema {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostToCompare = 1000;  // each with each

std::string shown(const Value& value) {
  constexpr std::size_t kMostShown = 200;
  std::string text = json::write(value);
  return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "...";
}

bool is_of_type(const Value& value, const std::string& type) {
  if (type == "integer") return value.is(Kind::number) && json::is_integer(value.text());
  return type == name_of(value.kind());
}

Assertion that(bool is_so, std::function<std::string()> why_not) {
  if (is_so) return {};
  return {Fit::no, std::move(why_not)};
}

Assertion is_of(const Value& types, const Value& value) {
  return that(has_type(types, value), [&] {
    return "is " + what_is(value) +
           (types.is(Kind::string) ? ", and not of type " + types.text()
                                   : ", and none of " + shown(types));
  });
}

Assertion of_number(const std::string& keyword, const Value& own, const Value& value) {
  if (keyword == "multipleOf") {
    const auto is_one = json::is_multiple(value.text(), own.text());
    if (!is_one) return {Fit::unknown};
    return that(*is_one, [&] { return "is no multiple of " + own.text(); });
  }
  const bool is_upper = keyword == "maximum" || keyword == "exclusiveMaximum";
  if (!is_upper && keyword != "minimum" && keyword != "exclusiveMinimum") return {};
  const auto order = json::compare_numbers(value.text(), own.text());
  if (!order) return {Fit::unknown};
  const bool is_within = keyword == "maximum"            ? *order <= 0
                         : keyword == "exclusiveMaximum" ? *order < 0
                         : keyword == "minimum"          ? *order >= 0
                                                         : *order > 0;
  return that(is_within, [&, is_upper] {
    return std::string("is ") + (is_upper ? "more" : "less") + " than " + keyword + " " +
           own.text() + " allows";
  });
}

// Of keywords that begin with min or max.
Assertion of_size(const std::string& keyword, const Value& own, std::size_t has,
                  std::string_view of_what) {
  const auto order = json::compare_numbers(std::to_string(has), own.text());
  const bool is_within = keyword.starts_with("min") ? order >= 0 : order <= 0;
  return that(is_within, [&, has, of_what] {
    return "has " + std::to_string(has) + " " + std::string(of_what) + ", and " + keyword + " is " +
           own.text();
  });
}

Assertion are_unique(const Value& value) {
  const auto& items = value.children();
  if (items.size() > kMostToCompare) return {Fit::unknown};
  for (std::size_t i = 1; i < items.size(); ++i) {
    const auto is_like = [&](const Value& each) { return json::equal(each, items[i]); };
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::none_of(items.begin(), end, is_like)) continue;
    return that(false, [i] { return "has item " + std::to_string(i) + " a second time"; });
  }
  return {};
}

}  // namespace

std::string what_is(const Value& value) {
  constexpr std::array<std::string_view, 6> kWords = {"null",     "a Boolean", "a Number",
                                                      "a String", "an Array",  "an Object"};
  return std::string(kWords.at(static_cast<std::size_t>(value.kind())));
}

Fit both(Fit a, Fit b) {
  if (a == Fit::no || b == Fit::no) return Fit::no;
  return a == Fit::unknown ? a : b;
}

bool has_type(const Value& types, const Value& value) {
  const auto is_it = [&](const Value& each) { return is_of_type(value, each.text()); };
  return types.is(Kind::string) ? is_it(types) : std::ranges::any_of(types.children(), is_it);
}

Assertion has_members(const Value& names, const Value& value) {
  for (const auto& each : names.children()) {
    if (value.find(each.text()) != nullptr) continue;
    return that(false, [&] { return "has no " + json::write(each); });
  }
  return {};
}

Assertion assertion(const std::string& keyword, const Value& own, const Value& value) {
  if (keyword == "type") return is_of(own, value);
  if (keyword == "const") {
    return that(json::equal(own, value), [&] { return "is not " + shown(own); });
  }
  if (keyword == "enum") {
    const auto is_it = [&](const Value& each) { return json::equal(each, value); };
    return that(std::ranges::any_of(own.children(), is_it),
                [&] { return "is none of " + shown(own); });
  }
  switch (value.kind()) {
    case Kind::number:
      return of_number(keyword, own, value);
    case Kind::string:
      if (keyword != "minLength" && keyword != "maxLength") return {};
      return of_size(keyword, own, code_points_in(value.text()), "characters");
    case Kind::array:
      if (keyword == "uniqueItems" && own.as_boolean()) return are_unique(value);
      if (keyword != "minItems" && keyword != "maxItems") return {};
      return of_size(keyword, own, value.size(), "items");
    case Kind::object:
      if (keyword == "required") return has_members(own, value);
      if (keyword != "minProperties" && keyword != "maxProperties") return {};
      return of_size(keyword, own, value.size(), "members");
    default:
      return {};
  }
}

}  // namespace jrpcheck::schema
