#include "schema/document.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/contains.hpp"
#include "json/number.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::schema {
namespace {

using json::Kind;
using json::Value;

constexpr int kDeepestSchema = 200;
constexpr std::size_t kMostPatterns = 1000;

// What the value of a keyword is made of.
enum class Form {
  schema,
  schemas,          // an Array of them
  schema_or_array,  // of "items"
  schemas_by_name,
  dependencies,  // by name schemas, or names
  type,
  number,
  positive_number,
  size,
  text,
  boolean,
  names,
  names_by_name,
  array
};

struct Keyword {
  std::string_view name;
  Form form;
  std::string_view due;
};

constexpr std::string_view kSchema = "a schema";
constexpr std::string_view kSchemas = "an Array of schemas";
constexpr std::string_view kByName = "an Object of schemas";
constexpr std::string_view kNumber = "a Number";
constexpr std::string_view kSize = "an integer that is not negative";
constexpr std::string_view kNames = "an Array of Strings";

constexpr std::array kKeywords = {
    Keyword{"additionalItems", Form::schema, kSchema},
    Keyword{"additionalProperties", Form::schema, kSchema},
    Keyword{"allOf", Form::schemas, kSchemas},
    Keyword{"anyOf", Form::schemas, kSchemas},
    Keyword{"contains", Form::schema, kSchema},
    Keyword{"dependencies", Form::dependencies, "an Object of schemas or names"},
    Keyword{"dependentRequired", Form::names_by_name, "an Object of names"},
    Keyword{"dependentSchemas", Form::schemas_by_name, kByName},
    Keyword{"else", Form::schema, kSchema},
    Keyword{"enum", Form::array, "an Array"},
    Keyword{"exclusiveMaximum", Form::number, kNumber},
    Keyword{"exclusiveMinimum", Form::number, kNumber},
    Keyword{"if", Form::schema, kSchema},
    Keyword{"items", Form::schema_or_array, kSchema},
    Keyword{"maxContains", Form::size, kSize},
    Keyword{"maxItems", Form::size, kSize},
    Keyword{"maxLength", Form::size, kSize},
    Keyword{"maxProperties", Form::size, kSize},
    Keyword{"maximum", Form::number, kNumber},
    Keyword{"minContains", Form::size, kSize},
    Keyword{"minItems", Form::size, kSize},
    Keyword{"minLength", Form::size, kSize},
    Keyword{"minProperties", Form::size, kSize},
    Keyword{"minimum", Form::number, kNumber},
    Keyword{"multipleOf", Form::positive_number, "a Number above 0"},
    Keyword{"not", Form::schema, kSchema},
    Keyword{"oneOf", Form::schemas, kSchemas},
    Keyword{"pattern", Form::text, "a String"},
    Keyword{"patternProperties", Form::schemas_by_name, kByName},
    Keyword{"prefixItems", Form::schemas, kSchemas},
    Keyword{"properties", Form::schemas_by_name, kByName},
    Keyword{"propertyNames", Form::schema, kSchema},
    Keyword{"$ref", Form::text, "a String"},
    Keyword{"required", Form::names, kNames},
    Keyword{"then", Form::schema, kSchema},
    Keyword{"type", Form::type, "a type of JSON Schema, or several"},
    Keyword{"uniqueItems", Form::boolean, "true or false"},
};

constexpr std::array<std::string_view, 7> kTypes = {"null",   "boolean", "object", "array",
                                                    "number", "string",  "integer"};

bool is_type(const Value& value) {
  return value.is(Kind::string) && contains(kTypes, value.text());
}

bool is_list_of(const Value& value, bool (*is_one)(const Value&)) {
  return value.is(Kind::array) && std::ranges::all_of(value.children(), is_one);
}

bool is_text(const Value& value) { return value.is(Kind::string); }
bool is_list_of_texts(const Value& value) { return is_list_of(value, is_text); }

bool has_form(const Value& value, Form form) {
  const auto& parts = value.children();
  switch (form) {
    case Form::schema:
    case Form::schema_or_array:
      return true;  // which is gone through itself
    case Form::schemas:
    case Form::array:
      return value.is(Kind::array);
    case Form::schemas_by_name:
    case Form::dependencies:
      return value.is(Kind::object);
    case Form::type:
      return is_type(value) || is_list_of(value, is_type);
    case Form::number:
      return value.is(Kind::number);
    case Form::positive_number:
      return value.is(Kind::number) && json::compare_numbers(value.text(), "0") > 0;
    case Form::size:
      return value.is(Kind::number) && json::is_integer(value.text()) &&
             json::compare_numbers(value.text(), "0") >= 0;
    case Form::text:
      return is_text(value);
    case Form::boolean:
      return value.is(Kind::boolean);
    case Form::names:
      return is_list_of_texts(value);
    case Form::names_by_name:
      return value.is(Kind::object) && std::ranges::all_of(parts, is_list_of_texts);
  }
  return false;
}

class Check {
 public:
  Check(Document& document, std::set<const Value*>& checked)
      : document_(document), checked_(checked) {}

  Result<bool> go(const Value& schema, const std::string& at, int depth) {
    if (schema.is(Kind::boolean) || !checked_.insert(&schema).second) return true;
    if (!schema.is(Kind::object)) return Error{at + ": a schema is an Object or a Boolean"};
    if (depth > kDeepestSchema) return Error{at + ": it is too deep for a schema"};
    const Value* id = schema.find("$id");
    const bool is_named = id != nullptr && id->is(Kind::string);
    if (is_named && &schema != &document_.root) document_.has_resources = true;
    for (std::size_t i = 0; i < schema.size(); ++i) {
      const auto found = std::ranges::find_if(
          kKeywords, [&](const Keyword& each) { return each.name == schema.names()[i]; });
      if (found == kKeywords.end()) continue;
      const std::string there = json::joined(at, found->name);
      const Value& value = schema.children()[i];
      if (!has_form(value, found->form)) {
        return Error{there + ": it is not " + std::string(found->due)};
      }
      if (auto ok = go_into(*found, value, there, depth); !ok) return ok;
    }
    return true;
  }

 private:
  Result<bool> go_into(const Keyword& keyword, const Value& value, const std::string& at,
                       int depth) {
    const bool is_list = keyword.form == Form::schemas ||
                         (keyword.form == Form::schema_or_array && value.is(Kind::array));
    if (keyword.form == Form::schema || (keyword.form == Form::schema_or_array && !is_list)) {
      return go(value, at, depth + 1);
    }
    if (keyword.name == "pattern") note_pattern(value.text());
    if (keyword.name == "$ref") {
      const Value* target = document_.target(value.text());
      return target == nullptr ? Result<bool>(true) : go(*target, value.text(), depth + 1);
    }
    const bool is_map = keyword.form == Form::schemas_by_name || keyword.form == Form::dependencies;
    for (std::size_t i = 0; (is_list || is_map) && i < value.size(); ++i) {
      const std::string name = is_list ? std::to_string(i) : value.names()[i];
      if (keyword.name == "patternProperties") note_pattern(name);
      const Value& each = value.children()[i];
      if (keyword.form == Form::dependencies && is_list_of_texts(each)) continue;
      if (auto ok = go(each, json::joined(at, name), depth + 1); !ok) return ok;
    }
    return true;
  }

  void note_pattern(const std::string& text) {
    auto& known = document_.patterns;
    if (known.size() < kMostPatterns && !known.contains(text)) {
      known.emplace(text, Pattern::compile(text));
    }
  }

  Document& document_;
  std::set<const Value*>& checked_;
};

}  // namespace

const Value* Document::target(const std::string& reference) const {
  if (reference.empty() || reference.front() != '#') return nullptr;
  const bool is_pointer = reference.size() == 1 || reference[1] == '/';
  // Of what is written in percents, none is worth to be told.
  if (!is_pointer || reference.find('%') != reference.npos) return nullptr;
  return json::at(root, std::string_view(reference).substr(1));
}

Draft draft_of(const Value& root) {
  const Value* named = root.find("$schema");
  if (named == nullptr || !named->is(Kind::string)) return Draft::unnamed;
  const auto has = [&](std::string_view part) {
    return named->text().find(part) != std::string::npos;
  };
  if (has("draft-0")) return Draft::up_to_7;
  return has("2019-09") || has("2020-12") ? Draft::since_2019 : Draft::unnamed;
}

Result<bool> check(Document& document, const std::string& pointer,
                   std::set<const Value*>& checked) {
  const Value* schema = json::at(document.root, pointer);
  if (schema == nullptr) return Error{pointer + ": nothing is there"};
  return Check(document, checked).go(*schema, pointer, 0);
}

}  // namespace jrpcheck::schema
