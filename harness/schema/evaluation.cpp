#include "schema/evaluation.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "json/number.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::schema {
namespace {

using json::Kind;
using json::Value;

constexpr int kDeepestStep = 200;
constexpr std::size_t kMostSteps = 2'000'000;
constexpr std::size_t kMostToCompare = 1000;  // each with each

enum class Fit { yes, no, unknown };

// What all of them are together.
Fit both(Fit a, Fit b) {
  if (a == Fit::no || b == Fit::no) return Fit::no;
  return a == Fit::unknown ? a : b;
}

std::string what_is(const Value& value) {
  constexpr std::array<std::string_view, 6> kWords = {"null",     "a Boolean", "a Number",
                                                      "a String", "an Array",  "an Object"};
  return std::string(kWords.at(static_cast<std::size_t>(value.kind())));
}

bool is_of_type(const Value& value, const std::string& type) {
  if (type == "integer") return value.is(Kind::number) && json::is_integer(value.text());
  return type == name_of(value.kind());
}

// Code points; a text is UTF-8.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

class Evaluation {
 public:
  explicit Evaluation(const Document& document) : document_(document) {}

  Fit fits(const Value& schema, const Value& value) {
    if (schema.is(Kind::boolean))
      return require(schema.as_boolean(), [] { return "is not allowed"; });
    if (depth_ >= kDeepestStep || ++steps_ > kMostSteps) return Fit::unknown;
    ++depth_;
    const Value* reference = schema.find("$ref");
    Fit all = reference == nullptr ? Fit::yes : follow(*reference, value);
    if (reference == nullptr || document_.draft == Draft::since_2019) {
      all = both(all, keywords(schema, value));
    } else if (document_.draft == Draft::unnamed && all == Fit::yes) {
      // What stands beside a reference says nothing up to draft 7.
      ++quiet_;
      if (keywords(schema, value) != Fit::yes) all = Fit::unknown;
      --quiet_;
    }
    --depth_;
    return all;
  }

  std::optional<Violation> deepest() { return std::move(deepest_); }

 private:
  template <typename Words>
  Fit require(bool is_so, const Words& words) {
    if (is_so) return Fit::yes;
    if (quiet_ == 0 && (!deepest_ || path_.size() > deepest_path_)) {
      deepest_path_ = path_.size();
      std::string at;
      for (const auto& each : path_) at = json::joined(at, each);
      deepest_ = Violation{std::move(at), words()};
    }
    return Fit::no;
  }

  Fit follow(const Value& reference, const Value& value) {
    const Value* target = document_.has_resources ? nullptr : document_.target(reference.text());
    return target == nullptr ? Fit::unknown : fits(*target, value);
  }

  Fit child(const Value& schema, const std::string& name, const Value& value) {
    path_.push_back(name);
    const Fit found = fits(schema, value);
    path_.pop_back();
    return found;
  }

  Fit keywords(const Value& schema, const Value& value) {
    Fit all = Fit::yes;
    for (std::size_t i = 0; i < schema.size(); ++i) {
      all = both(all, keyword(schema.names()[i], schema.children()[i], schema, value));
    }
    return all;
  }

  Fit keyword(const std::string& name, const Value& own, const Value& schema, const Value& value) {
    if (name == "$ref") return Fit::yes;  // it was followed
    const Fit found = of_any(name, own, schema, value);
    switch (value.kind()) {
      case Kind::number:
        return both(found, of_number(name, own, value));
      case Kind::string:
        return both(found, of_string(name, own, value));
      case Kind::array:
        return both(found, of_array(name, own, schema, value));
      case Kind::object:
        return both(found, of_object(name, own, schema, value));
      default:
        return found;
    }
  }

  Fit of_any(const std::string& name, const Value& own, const Value& schema, const Value& value) {
    if (name == "type") return type(own, value);
    if (name == "const") {
      return require(json::equal(own, value), [&] { return "is not " + shown(own); });
    }
    if (name == "enum") {
      const auto is_it = [&](const Value& each) { return json::equal(each, value); };
      const bool is_one = std::ranges::any_of(own.children(), is_it);
      return require(is_one, [&] { return "is none of " + shown(own); });
    }
    if (name == "allOf") return all_of(own, value);
    if (name == "anyOf") return one_of(own, value, own.size());
    if (name == "oneOf") return one_of(own, value, 1);
    if (name == "not") return opposite(own, value);
    if (name == "if") return condition(own, schema, value);
    if (name == "$dynamicRef" || name == "$recursiveRef") return Fit::unknown;
    return Fit::yes;
  }

  Fit type(const Value& own, const Value& value) {
    const auto is_it = [&](const Value& each) { return is_of_type(value, each.text()); };
    const bool is_one =
        own.is(Kind::string) ? is_it(own) : std::ranges::any_of(own.children(), is_it);
    return require(is_one, [&] {
      return "is " + what_is(value) +
             (own.is(Kind::string) ? ", and not of type " : ", and none of ") +
             (own.is(Kind::string) ? own.text() : shown(own));
    });
  }

  Fit all_of(const Value& own, const Value& value) {
    Fit all = Fit::yes;
    for (const auto& each : own.children()) all = both(all, fits(each, value));
    return all;
  }

  // Of "anyOf" and "oneOf". What is wrong in one of them is told where none fits.
  Fit one_of(const Value& own, const Value& value, std::size_t most) {
    const auto before = deepest_;
    const auto path_before = deepest_path_;
    std::size_t fitting = 0;
    std::size_t unknown = 0;
    for (const auto& each : own.children()) {
      const Fit one = fits(each, value);
      fitting += one == Fit::yes ? 1 : 0;
      unknown += one == Fit::unknown ? 1 : 0;
    }
    if (fitting == 0 && unknown == 0) {
      return require(false, [] { return "fits none of the schemas of which it has to fit one"; });
    }
    deepest_ = before;
    deepest_path_ = path_before;
    if (fitting > most) {
      return require(false, [&] {
        return "fits " + std::to_string(fitting) + " schemas of which it has to fit one";
      });
    }
    const bool is_sure = fitting > 0 && (most > 1 || unknown == 0);
    return is_sure ? Fit::yes : Fit::unknown;
  }

  Fit quietly(const Value& schema, const Value& value) {
    ++quiet_;
    const Fit found = fits(schema, value);
    --quiet_;
    return found;
  }

  Fit opposite(const Value& own, const Value& value) {
    const Fit found = quietly(own, value);
    if (found == Fit::unknown) return found;
    return require(found == Fit::no, [] { return "fits what it must not"; });
  }

  Fit condition(const Value& own, const Value& schema, const Value& value) {
    const Fit found = quietly(own, value);
    if (found == Fit::unknown) return found;
    const Value* branch = schema.find(found == Fit::yes ? "then" : "else");
    return branch == nullptr ? Fit::yes : fits(*branch, value);
  }

  Fit of_number(const std::string& name, const Value& own, const Value& value) {
    if (name == "multipleOf") {
      const auto is_one = json::is_multiple(value.text(), own.text());
      if (!is_one) return Fit::unknown;
      return require(*is_one, [&] { return "is no multiple of " + own.text(); });
    }
    const bool is_upper = name == "maximum" || name == "exclusiveMaximum";
    if (!is_upper && name != "minimum" && name != "exclusiveMinimum") return Fit::yes;
    const auto order = json::compare_numbers(value.text(), own.text());
    if (!order) return Fit::unknown;
    const bool is_within = name == "maximum"            ? *order <= 0
                           : name == "exclusiveMaximum" ? *order < 0
                           : name == "minimum"          ? *order >= 0
                                                        : *order > 0;
    return require(is_within, [&] {
      return std::string("is ") + (is_upper ? "more" : "less") + " than " + name + " " +
             own.text() + " allows";
    });
  }

  Fit of_string(const std::string& name, const Value& own, const Value& value) {
    if (name == "minLength" || name == "maxLength") {
      return size(name, own, length_of(value.text()), "characters");
    }
    if (name != "pattern") return Fit::yes;
    const auto match = match_of(own.text(), value.text());
    if (match == Pattern::Match::unknown) return Fit::unknown;
    return require(match == Pattern::Match::yes, [&] { return "does not match " + own.text(); });
  }

  Pattern::Match match_of(const std::string& pattern, const std::string& text) const {
    const auto found = document_.patterns.find(pattern);
    const bool is_known = found != document_.patterns.end() && found->second != nullptr;
    return is_known ? found->second->find_in(text) : Pattern::Match::unknown;
  }

  // Of keywords that begin with min or max.
  Fit size(const std::string& name, const Value& own, std::size_t has, std::string_view of_what) {
    const auto order = json::compare_numbers(std::to_string(has), own.text());
    const bool is_within = name.starts_with("min") ? order >= 0 : order <= 0;
    return require(is_within, [&] {
      return "has " + std::to_string(has) + " " + std::string(of_what) + ", and " + name + " is " +
             own.text();
    });
  }

  Fit of_array(const std::string& name, const Value& own, const Value& schema, const Value& value) {
    if (name == "minItems" || name == "maxItems") return size(name, own, value.size(), "items");
    if (name == "items") return items(own, schema, value);
    if (name == "prefixItems" && document_.draft != Draft::up_to_7) return in_order(own, value);
    if (name == "additionalItems") return additional_items(own, schema, value);
    if (name == "contains") return contains(own, schema, value);
    if (name == "uniqueItems" && own.as_boolean()) return unique(value);
    if (name == "unevaluatedItems") return Fit::unknown;
    return Fit::yes;
  }

  Fit from(std::size_t first, const Value& schema, const Value& value) {
    Fit all = Fit::yes;
    for (std::size_t i = first; i < value.size(); ++i) {
      all = both(all, child(schema, std::to_string(i), value.children()[i]));
    }
    return all;
  }

  Fit in_order(const Value& own, const Value& value) {
    Fit all = Fit::yes;
    for (std::size_t i = 0; i < std::min(own.size(), value.size()); ++i) {
      all = both(all, child(own.children()[i], std::to_string(i), value.children()[i]));
    }
    return all;
  }

  Fit items(const Value& own, const Value& schema, const Value& value) {
    if (own.is(Kind::array)) return in_order(own, value);
    const Value* before = document_.draft == Draft::up_to_7 ? nullptr : schema.find("prefixItems");
    return from(before == nullptr ? 0 : before->size(), own, value);
  }

  Fit additional_items(const Value& own, const Value& schema, const Value& value) {
    const Value* before = schema.find("items");
    const bool has_meaning = before != nullptr && before->is(Kind::array);
    return has_meaning ? from(before->size(), own, value) : Fit::yes;
  }

  Fit contains(const Value& own, const Value& schema, const Value& value) {
    // Draft 7 has no bounds, and asks for one.
    if (schema.find("minContains") != nullptr || schema.find("maxContains") != nullptr) {
      return Fit::unknown;
    }
    Fit any = Fit::no;
    for (const auto& each : value.children()) {
      const Fit one = quietly(own, each);
      if (one == Fit::yes) return one;
      if (one == Fit::unknown) any = one;
    }
    return any == Fit::unknown
               ? any
               : require(false, [] { return "has no item of the kind that it has to contain"; });
  }

  Fit unique(const Value& value) {
    const auto& items = value.children();
    if (items.size() > kMostToCompare) return Fit::unknown;
    for (std::size_t i = 1; i < items.size(); ++i) {
      const auto is_like = [&](const Value& each) { return json::equal(each, items[i]); };
      const auto end = items.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::none_of(items.begin(), end, is_like)) continue;
      return require(false, [&] { return "has item " + std::to_string(i) + " a second time"; });
    }
    return Fit::yes;
  }

  Fit of_object(const std::string& name, const Value& own, const Value& schema,
                const Value& value) {
    if (name == "minProperties" || name == "maxProperties") {
      return size(name, own, value.size(), "members");
    }
    if (name == "required") return required(own, value);
    if (name == "properties") return properties(own, value);
    if (name == "patternProperties") return by_pattern(own, value);
    if (name == "additionalProperties") return additional(own, schema, value);
    if (name == "propertyNames") return names(own, value);
    // Since 2019-09 it has two other names, and this one no more.
    const bool is_dependent = document_.draft == Draft::up_to_7
                                  ? name == "dependencies"
                                  : name == "dependentRequired" || name == "dependentSchemas";
    if (is_dependent) return dependent(own, value);
    if (name == "unevaluatedProperties") return Fit::unknown;
    return Fit::yes;
  }

  Fit required(const Value& own, const Value& value) {
    Fit all = Fit::yes;
    for (const auto& each : own.children()) {
      all = both(all, require(value.find(each.text()) != nullptr,
                              [&] { return "has no " + json::write(each); }));
    }
    return all;
  }

  Fit properties(const Value& own, const Value& value) {
    Fit all = Fit::yes;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Value* schema = own.find(value.names()[i]);
      if (schema != nullptr) all = both(all, child(*schema, value.names()[i], value.children()[i]));
    }
    return all;
  }

  Fit by_pattern(const Value& own, const Value& value) {
    Fit all = Fit::yes;
    for (std::size_t i = 0; i < value.size(); ++i) {
      for (std::size_t k = 0; k < own.size(); ++k) {
        const auto match = match_of(own.names()[k], value.names()[i]);
        if (match == Pattern::Match::unknown) all = both(all, Fit::unknown);
        if (match != Pattern::Match::yes) continue;
        all = both(all, child(own.children()[k], value.names()[i], value.children()[i]));
      }
    }
    return all;
  }

  Fit additional(const Value& own, const Value& schema, const Value& value) {
    const Value* properties = schema.find("properties");
    const Value* patterns = schema.find("patternProperties");
    Fit all = Fit::yes;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string& name = value.names()[i];
      if (properties != nullptr && properties->find(name) != nullptr) continue;
      bool is_named = false;
      bool is_unknown = false;
      for (std::size_t k = 0; patterns != nullptr && k < patterns->size(); ++k) {
        const auto match = match_of(patterns->names()[k], name);
        is_named = is_named || match == Pattern::Match::yes;
        is_unknown = is_unknown || match == Pattern::Match::unknown;
      }
      if (is_named) continue;
      all = both(all, is_unknown ? Fit::unknown : child(own, name, value.children()[i]));
    }
    return all;
  }

  Fit names(const Value& own, const Value& value) {
    Fit all = Fit::yes;
    for (const auto& name : value.names()) {
      const Fit one = quietly(own, Value::string(name));
      all = both(all, one != Fit::no ? one : require(false, [&] {
                   return "has a name that is not allowed: " + name;
                 }));
    }
    return all;
  }

  // The values are names that have to be there as well, or schemas.
  Fit dependent(const Value& own, const Value& value) {
    Fit all = Fit::yes;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (value.find(own.names()[i]) == nullptr) continue;
      const Value& due = own.children()[i];
      all = both(all, due.is(Kind::array) ? required(due, value) : fits(due, value));
    }
    return all;
  }

  static std::string shown(const Value& value) {
    constexpr std::size_t kMostShown = 200;
    std::string text = json::write(value);
    return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "...";
  }

  const Document& document_;
  std::vector<std::string> path_;
  int depth_ = 0;
  std::size_t steps_ = 0;
  int quiet_ = 0;  // what does not fit is not told
  std::optional<Violation> deepest_;
  std::size_t deepest_path_ = 0;
};

}  // namespace

std::optional<Violation> violation_of(const Document& document, const Value& schema,
                                      const Value& value) {
  Evaluation evaluation(document);
  return evaluation.fits(schema, value) == Fit::no ? evaluation.deepest() : std::nullopt;
}

}  // namespace jrpcheck::schema
