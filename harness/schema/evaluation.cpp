#include "schema/evaluation.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "json/pointer.hpp"
#include "schema/assertion.hpp"

namespace jrpcheck::schema {
namespace {

using json::Kind;
using json::Value;

constexpr int kDeepestStep = 200;
constexpr std::size_t kMostSteps = 2'000'000;
constexpr std::size_t kMostCompared = 50'000'000;  // names and members of an "enum"

class Evaluation {
 public:
  explicit Evaluation(const Document& document) : document_(document) {}

  Fit fits(const Value& schema, const Value& value) {
    if (schema.is(Kind::boolean))
      return schema.as_boolean() ? Fit::yes : misfit([] { return "is not allowed"; });
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
  // `why`: what is wrong here.
  template <typename Words>
  Fit misfit(const Words& why) {
    if (quiet_ == 0 && (!deepest_ || path_.size() > deepest_path_)) {
      deepest_path_ = path_.size();
      std::string at;
      for (const auto& each : path_) at = json::joined(at, each);
      deepest_ = Violation{std::move(at), why()};
    }
    return Fit::no;
  }

  Fit held(const Assertion& said) { return said.fit == Fit::no ? misfit(said.why_not) : said.fit; }

  // Of so many parts of a schema, or of a value.
  template <typename FitOf>
  static Fit all_of(std::size_t count, const FitOf& fit_of) {
    Fit all = Fit::yes;
    for (std::size_t i = 0; i < count; ++i) all = both(all, fit_of(i));
    return all;
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
    return all_of(schema.size(), [&](std::size_t i) {
      return keyword(schema.names()[i], schema.children()[i], schema, value);
    });
  }

  Fit keyword(const std::string& name, const Value& own, const Value& schema, const Value& value) {
    if (name == "$ref") return Fit::yes;  // it was followed
    // A server may choose both, and each is held against each.
    compared_ += own.size() * (value.is(Kind::object) ? value.size() : 1);
    if (compared_ > kMostCompared) return Fit::unknown;
    const Fit found = both(held(assertion(name, own, value)), of_any(name, own, schema, value));
    switch (value.kind()) {
      case Kind::string:
        return name == "pattern" ? both(found, matches(own, schema, value)) : found;
      case Kind::array:
        return both(found, of_array(name, own, schema, value));
      case Kind::object:
        return both(found, of_object(name, own, schema, value));
      default:
        return found;
    }
  }

  Fit of_any(const std::string& name, const Value& own, const Value& schema, const Value& value) {
    if (name == "allOf") {
      return all_of(own.size(), [&](std::size_t i) { return fits(own.children()[i], value); });
    }
    if (name == "anyOf") return one_of(own, value, own.size());
    if (name == "oneOf") return one_of(own, value, 1);
    if (name == "not") return opposite(own, value);
    if (name == "if") return condition(own, schema, value);
    if (name == "$dynamicRef" || name == "$recursiveRef") return Fit::unknown;
    return Fit::yes;
  }

  // What the schema says, wherever it says that.
  const Value& meant_by(const Value& schema) const {
    constexpr int kMostReferences = 10;
    const Value* found = &schema;
    for (int i = 0; i < kMostReferences && !document_.has_resources; ++i) {
      const Value* reference = found->find("$ref");
      const Value* target = reference == nullptr ? nullptr : document_.target(reference->text());
      if (target == nullptr) break;
      found = target;
    }
    return *found;
  }

  bool is_for_other_types(const Value& schema, const Value& value) const {
    const Value* types = meant_by(schema).find("type");
    return types != nullptr && !has_type(*types, value);
  }

  // Objects may be of several kinds, which one of their members names: "kind": "rename".
  bool is_for_other_kind(const Value& schema, const Value& value) const {
    const Value* properties = meant_by(schema).find("properties");
    if (properties == nullptr || !value.is(Kind::object)) return false;
    for (std::size_t i = 0; i < properties->size(); ++i) {
      const Value* due = properties->children()[i].find("const");
      const Value* own = due == nullptr ? nullptr : value.find(properties->names()[i]);
      if (own != nullptr && !json::equal(*own, *due)) return true;
    }
    return false;
  }

  // Whether a schema is for other values, while another one of them is for this.
  bool is_beside(const Value& schema, const Value& all, const Value& value) const {
    const auto is_for = [&](const Value& each) {
      return !is_for_other_types(each, value) && !is_for_other_kind(each, value);
    };
    return !is_for(schema) && std::ranges::any_of(all.children(), is_for);
  }

  // Where each is for values of one other type: "is a Number, and not of type string or null".
  std::string types_of(const Value& all, const Value& value) const {
    std::vector<std::string> types;
    for (const auto& each : all.children()) {
      const Value* type = meant_by(each).find("type");
      if (type == nullptr || !type->is(Kind::string) || has_type(*type, value)) return {};
      if (std::ranges::count(types, type->text()) == 0) types.push_back(type->text());
    }
    std::string listed;
    for (std::size_t i = 0; i < types.size(); ++i) {
      listed += (i == 0 ? "" : i + 1 == types.size() ? " or " : ", ") + types[i];
    }
    return listed;
  }

  // Of "anyOf" and "oneOf". What is wrong in one of them is told where none fits: that an Object is
  // no null tells less than what it lacks.
  Fit one_of(const Value& own, const Value& value, std::size_t most) {
    const auto before = deepest_;
    const auto path_before = deepest_path_;
    std::size_t fitting = 0;
    std::size_t unknown = 0;
    const std::string types = types_of(own, value);
    if (!types.empty()) ++quiet_;
    for (const auto& each : own.children()) {
      const Fit one = is_beside(each, own, value) ? quietly(each, value) : fits(each, value);
      fitting += one == Fit::yes ? 1 : 0;
      unknown += one == Fit::unknown ? 1 : 0;
    }
    if (!types.empty()) --quiet_;
    if (fitting == 0 && unknown == 0 && !types.empty()) {
      return misfit([&] { return "is " + what_is(value) + ", and not of type " + types; });
    }
    if (fitting == 0 && unknown == 0) {
      return misfit([] { return "fits none of the schemas of which it has to fit one"; });
    }
    deepest_ = before;
    deepest_path_ = path_before;
    if (fitting > most) {
      return misfit([&] {
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
    if (found == Fit::yes) return misfit([] { return "fits what it must not"; });
    return found == Fit::no ? Fit::yes : found;
  }

  Fit condition(const Value& own, const Value& schema, const Value& value) {
    const Fit found = quietly(own, value);
    if (found == Fit::unknown) return found;
    const Value* branch = schema.find(found == Fit::yes ? "then" : "else");
    return branch == nullptr ? Fit::yes : fits(*branch, value);
  }

  // What a pattern stands for "means" says, of the schemas of profiles.
  Fit matches(const Value& own, const Value& schema, const Value& value) {
    const auto match = match_of(own.text(), value.text());
    if (match == Pattern::Match::no) {
      const std::string& meaning = json::text_of(schema.find("means"));
      return misfit(
          [&] { return meaning.empty() ? "does not match " + own.text() : "is not " + meaning; });
    }
    return match == Pattern::Match::yes ? Fit::yes : Fit::unknown;
  }

  Pattern::Match match_of(const std::string& pattern, const std::string& text) const {
    const auto found = document_.patterns.find(pattern);
    const bool is_known = found != document_.patterns.end() && found->second != nullptr;
    return is_known ? found->second->find_in(text) : Pattern::Match::unknown;
  }

  Fit of_array(const std::string& name, const Value& own, const Value& schema, const Value& value) {
    if (name == "items") return items(own, schema, value);
    if (name == "prefixItems" && document_.draft != Draft::up_to_7) return in_order(own, value);
    if (name == "additionalItems") return additional_items(own, schema, value);
    if (name == "contains") return contains(own, schema, value);
    if (name == "unevaluatedItems") return Fit::unknown;
    return Fit::yes;
  }

  Fit from(std::size_t first, const Value& schema, const Value& value) {
    return all_of(value.size() - std::min(first, value.size()), [&](std::size_t i) {
      return child(schema, std::to_string(first + i), value.children()[first + i]);
    });
  }

  Fit in_order(const Value& own, const Value& value) {
    return all_of(std::min(own.size(), value.size()), [&](std::size_t i) {
      return child(own.children()[i], std::to_string(i), value.children()[i]);
    });
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
    if (any == Fit::unknown) return any;
    return misfit([] { return "has no item of the kind that it has to contain"; });
  }

  Fit of_object(const std::string& name, const Value& own, const Value& schema,
                const Value& value) {
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

  Fit properties(const Value& own, const Value& value) {
    return all_of(value.size(), [&](std::size_t i) {
      const Value* schema = own.find(value.names()[i]);
      return schema == nullptr ? Fit::yes : child(*schema, value.names()[i], value.children()[i]);
    });
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
    return all_of(value.size(), [&](std::size_t i) {
      const std::string& name = value.names()[i];
      const Fit one = quietly(own, Value::string(name));
      return one == Fit::no ? misfit([&] { return "has a name that is not allowed: " + name; })
                            : one;
    });
  }

  // The values are names that have to be there as well, or schemas.
  Fit dependent(const Value& own, const Value& value) {
    return all_of(own.size(), [&](std::size_t i) {
      if (value.find(own.names()[i]) == nullptr) return Fit::yes;
      const Value& due = own.children()[i];
      return due.is(Kind::array) ? held(has_members(due, value)) : fits(due, value);
    });
  }

  const Document& document_;
  std::vector<std::string> path_;
  int depth_ = 0;
  std::size_t steps_ = 0;
  std::size_t compared_ = 0;
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
