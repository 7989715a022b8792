#include "corpus/catalogue.hpp"

#include <algorithm>
#include <array>

#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "corpus/member_reader.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;

bool is_equal(const json::Value* value, const std::string& text) {
  const auto parsed = json::parse(text);
  return value != nullptr && parsed && json::equal(*value, *parsed.value);
}

bool contains_any(const json::Value* value, const std::vector<std::string>& words) {
  if (value == nullptr || !value->is(Kind::string)) return false;
  const std::string text = in_lower_case(value->text());
  return std::ranges::any_of(words, [&](const std::string& word) {
    return text.find(in_lower_case(word)) != std::string::npos;
  });
}

}  // namespace

bool meets(const json::Value& item, const Condition& condition) {
  const json::Value* value = json::at(item, condition.at);
  if (!condition.equals.empty() && !is_equal(value, condition.equals)) return false;
  if (!condition.not_equals.empty() && is_equal(value, condition.not_equals)) return false;
  if (condition.present && (value != nullptr) != *condition.present) return false;
  if (contains_any(value, condition.without)) return false;
  if (!condition.begins.empty() && !json::text_of(value).starts_with(condition.begins))
    return false;
  if (!condition.at_most || value == nullptr || !value->is(Kind::number)) return true;
  const auto number = to_integer(*value);
  return number && *number <= *condition.at_most;
}

bool meets_all(const json::Value& item, const std::vector<Condition>& conditions) {
  return std::ranges::all_of(conditions, [&](const auto& each) { return meets(item, each); });
}

std::vector<const json::Value*> Catalogue::items(std::string_view name) const {
  const auto selection = selections.find(std::string(name));
  const auto list =
      lists.find(selection == selections.end() ? std::string(name) : selection->second.of);
  std::vector<const json::Value*> found;
  if (list == lists.end()) return found;
  for (const auto& item : list->second.children()) {
    bool fits = true;
    if (selection != selections.end()) {
      fits = meets_all(item, selection->second.where);
      const auto& name_at = selection->second.name_at;
      const json::Value* own = name_at.empty() ? nullptr : json::at(item, name_at);
      fits = fits || (own != nullptr && allowed.count(own->text()) != 0);
    }
    if (fits) found.push_back(&item);
  }
  return found;
}

namespace {

constexpr int kDeepest = 8;

// A schema of some kilobytes can ask for gigabytes, and no call needs more than this.
constexpr std::size_t kMostMade = 256U << 10;
constexpr std::size_t kMostRequired = 1000;

class Maker {
 public:
  explicit Maker(const json::Value& root) : root_(root) {}

  std::optional<json::Value> make(const json::Value& schema, int depth) {
    auto made = depth > kDeepest ? std::nullopt : chosen(schema, depth);
    if (!made) return std::nullopt;
    const std::size_t size = sizeof *made + made->memory();
    if (size > room_) return std::nullopt;
    room_ -= size;
    return made;
  }

 private:
  std::optional<json::Value> chosen(const json::Value& schema, int depth) {
    if (schema.is(Kind::boolean)) return schema.as_boolean() ? nothing() : std::nullopt;
    if (!schema.is(Kind::object)) return std::nullopt;
    if (const json::Value* to = referred(schema)) return make(*to, depth + 1);
    for (const char* fixed : {"default", "const"}) {
      if (const json::Value* value = schema.find(fixed)) return value->clone();
    }
    for (const char* choice : {"enum", "examples"}) {
      const json::Value* list = schema.find(choice);
      if (list != nullptr && list->is(Kind::array) && list->size() > 0) {
        return list->children().front().clone();
      }
    }
    for (const char* choice : {"anyOf", "oneOf", "allOf"}) {
      const json::Value* list = schema.find(choice);
      if (list != nullptr && list->is(Kind::array) && list->size() > 0) {
        return make(list->children().front(), depth + 1);
      }
    }
    return of_type(type_of(schema), schema, depth);
  }

  static std::string type_of(const json::Value& schema) {
    const json::Value* type = schema.find("type");
    if (type != nullptr && type->is(Kind::array) && type->size() > 0) {
      type = &type->children().front();
    }
    if (type != nullptr && type->is(Kind::string)) return type->text();
    return schema.find("properties") != nullptr ? "object" : "";
  }

  const json::Value* referred(const json::Value& schema) const {
    const json::Value* reference = schema.find("$ref");
    if (reference == nullptr || !reference->is(Kind::string)) return nullptr;
    const std::string& text = reference->text();
    return !text.empty() && text.front() == '#' ? json::at(root_, text.substr(1)) : nullptr;
  }

  static std::optional<json::Value> nothing() { return json::Value::null(); }

  static long long number(const json::Value& schema, const char* name, long long otherwise) {
    const json::Value* value = schema.find(name);
    if (value == nullptr || !value->is(Kind::number)) return otherwise;
    return to_integer(*value).value_or(otherwise);
  }

  static std::optional<json::Value> text(const json::Value& schema) {
    if (schema.find("pattern") != nullptr) return std::nullopt;
    const json::Value* format = schema.find("format");
    const std::string name = format != nullptr ? format->text() : "";
    if (name == "uri" || name == "uri-reference")
      return json::Value::string("https://example.com/");
    if (name == "date-time") return json::Value::string("2026-01-01T00:00:00Z");
    if (name == "date") return json::Value::string("2026-01-01");
    if (name == "email") return json::Value::string("someone@example.com");
    const long long length = number(schema, "minLength", 1);
    constexpr long long kLongest = 1000;
    if (length > kLongest) return std::nullopt;
    return json::Value::string(std::string(static_cast<std::size_t>(std::max(1LL, length)), 'a'));
  }

  std::optional<json::Value> list(const json::Value& schema, int depth) {
    json::Value made = json::Value::array();
    const json::Value* items = schema.find("items");
    constexpr long long kMost = 20;
    for (long long i = 0; i < std::min(kMost, number(schema, "minItems", 0)); ++i) {
      auto item = items != nullptr ? make(*items, depth + 1) : nothing();
      if (!item) return std::nullopt;
      made.append(*std::move(item));
    }
    return made;
  }

  std::optional<json::Value> object(const json::Value& schema, int depth) {
    json::Value made = json::Value::object();
    const json::Value* required = schema.find("required");
    const json::Value* properties = schema.find("properties");
    if (required == nullptr || !required->is(Kind::array)) return made;
    if (required->size() > kMostRequired) return std::nullopt;
    for (const auto& name : required->children()) {
      if (made.find(name.text()) != nullptr) continue;
      const json::Value* property = properties != nullptr ? properties->find(name.text()) : nullptr;
      auto value = property != nullptr ? make(*property, depth + 1) : nothing();
      if (!value) return std::nullopt;
      made.append(name.text(), *std::move(value));
    }
    return made;
  }

  std::optional<json::Value> of_type(const std::string& type, const json::Value& schema,
                                     int depth) {
    if (type == "object") return object(schema, depth);
    if (type == "array") return list(schema, depth);
    if (type == "string") return text(schema);
    if (type == "boolean") return json::Value::boolean(false);
    if (type == "integer" || type == "number") {
      return json::Value::number(
          number(schema, "minimum", std::min(1LL, number(schema, "maximum", 1))));
    }
    return json::Value::null();
  }

  const json::Value& root_;
  std::size_t room_ = kMostMade;
};

}  // namespace

std::optional<json::Value> arguments_for(const json::Value& schema) {
  auto made = Maker(schema).make(schema, 0);
  return made && made->is(Kind::object) ? std::move(made) : std::nullopt;
}

namespace {

// Neither a number in any notation nor a word for one, or for a flag or for nothing.
bool is_plain_word(const std::string& text) {
  constexpr std::array kWordsForValues = {"inf", "infinity", "n",         "nan", "nil",
                                          "no",  "none",     "null",      "off", "on",
                                          "t",   "true",     "undefined", "y",   "yes"};
  const std::string word = in_lower_case(text);
  return !word.empty() && word.front() >= 'g' && word.front() <= 'z' &&
         !contains(kWordsForValues, word);
}

// A text may be read as a number or a flag, a number as a text; an Object as none of them.
bool may_be_read_as(const std::string& type, const json::Value& value) {
  const bool is_structured = value.is(Kind::object) || value.is(Kind::array);
  if (type == "string" || type == "boolean") return !is_structured;
  if (type != "integer" && type != "number") return true;
  return !is_structured && !(value.is(Kind::string) && is_plain_word(value.text()));
}

}  // namespace

std::optional<std::string> how_arguments_break(const json::Value& schema,
                                               const json::Value& arguments) {
  if (!schema.is(Kind::object) || !arguments.is(Kind::object)) return std::nullopt;
  const json::Value* required = schema.find("required");
  const json::Value* properties = schema.find("properties");
  if (required == nullptr || !required->is(Kind::array)) return std::nullopt;
  for (const auto& name : required->children()) {
    if (!name.is(Kind::string)) continue;
    const json::Value* given = arguments.find(name.text());
    const bool is_known = properties != nullptr && properties->is(Kind::object);
    const json::Value* property = is_known ? properties->find(name.text()) : nullptr;
    if (given == nullptr) {
      // A default may stand in for what is missing.
      if (property == nullptr || property->find("default") != nullptr) continue;
      return "'" + name.text() + "' is required, and missing";
    }
    const json::Value* type = property != nullptr ? property->find("type") : nullptr;
    if (type == nullptr || !type->is(Kind::string)) continue;
    if (!may_be_read_as(type->text(), *given)) {
      return "'" + name.text() + "' is no " + type->text();
    }
  }
  return std::nullopt;
}

namespace {

// What nobody reads as a value of that type; nothing where somebody may, as one of several types.
std::optional<json::Value> value_of_no(std::string_view type) {
  if (type == "string" || type == "boolean") return json::Value::object();
  const bool is_no_word = type == "integer" || type == "number" || type == "object";
  return is_no_word ? std::optional(json::Value::string("jrpcheck")) : std::nullopt;
}

}  // namespace

std::optional<json::Value> wrong_arguments_for(const json::Value& schema) {
  auto made = arguments_for(schema);
  const json::Value* properties = schema.find("properties");
  if (!made || properties == nullptr || !properties->is(Kind::object)) return std::nullopt;
  const json::Value* required = schema.find("required");
  const auto is_required = [&](const std::string& name) {
    return required != nullptr && required->is(Kind::array) &&
           std::ranges::any_of(required->children(),
                               [&](const json::Value& each) { return each.text() == name; });
  };
  for (std::size_t i = 0; i < properties->size(); ++i) {
    const std::string& name = properties->names()[i];
    auto value = value_of_no(json::text_at(properties->children()[i], "/type"));
    if (!value || !is_required(name)) continue;  // what is not asked for may be passed over
    json::Value wrong = json::Value::object();
    for (std::size_t j = 0; j < made->size(); ++j) {
      if (made->names()[j] != name) wrong.append(made->names()[j], made->children()[j].clone());
    }
    wrong.append(name, *std::move(value));
    return wrong;
  }
  return std::nullopt;
}

}  // namespace jrpcheck::corpus
