#include "schema/schema.hpp"

// Else the library ends the program where a schema is wrong.
#define VALIJSON_USE_EXCEPTIONS 1

#include <cstdint>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "json/pointer.hpp"

namespace jrpcheck::schema {
namespace {

// What is larger is beyond what is worth the time.
constexpr std::size_t kLargest = 4U << 20;

std::string pointer_of(const std::vector<std::string>& context) {
  std::string pointer;
  for (const auto& each : context) {
    if (each.size() >= 2 && each.front() == '[') {
      pointer = json::joined(pointer, std::string_view(each).substr(1, each.size() - 2));
    }
  }
  return pointer;
}

// The library reads Numbers beyond its signed integers as negative ones.
void make_large_numbers_fractions(nlohmann::json& value, int depth = 0) {
  constexpr int kDeepest = 64;  // no schema looks further down
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() >
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    value = value.get<double>();
  }
  if (!value.is_structured() || depth > kDeepest) return;
  for (auto& each : value) make_large_numbers_fractions(each, depth + 1);
}

std::optional<nlohmann::json> converted(const json::Value& value) {
  const std::string text = json::write(value);
  if (text.size() > kLargest) return std::nullopt;
  try {
    auto parsed = nlohmann::json::parse(text);
    make_large_numbers_fractions(parsed);
    return parsed;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // a Number beyond its range, or a text that is no Unicode
  }
}

}  // namespace

struct Schema::Compiled {
  valijson::Schema schema;
};

Result<std::vector<Schema>> Schema::compile(const json::Value& document,
                                            const std::vector<std::string>& pointers) {
  auto root = converted(document);
  if (!root || !(root->is_object() || root->is_boolean())) {
    return Error{"a JSON Schema is an Object or a Boolean"};
  }
  std::vector<Schema> schemas;
  for (const auto& pointer : pointers) {
    const auto compiled = std::make_shared<Compiled>();
    // Draft 7 leaves what stands beside a $ref out, so that it stands in a list.
    if (!pointer.empty()) (*root)["allOf"] = {{{"$ref", "#" + pointer}}};
    try {
      valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
      parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(*root), compiled->schema);
    } catch (const std::exception& error) {
      return Error{pointer + (pointer.empty() ? "" : ": ") + error.what()};
    }
    schemas.emplace_back().compiled_ = compiled;
  }
  return schemas;
}

Result<Schema> Schema::compile(const json::Value& document) {
  auto compiled = compile(document, {""});
  if (!compiled) return compiled.error();
  return std::move(compiled->front());
}

bool Schema::can_read(const json::Value& value) { return converted(value).has_value(); }

std::optional<Violation> Schema::violation(const json::Value& value) const {
  const auto instance = converted(value);
  if (!instance) return std::nullopt;
  valijson::ValidationResults results;
  try {
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    const valijson::adapters::NlohmannJsonAdapter adapter(*instance);
    if (validator.validate(compiled_->schema, adapter, nullptr)) return std::nullopt;
    validator.validate(compiled_->schema, adapter, &results);
  } catch (const std::exception&) {
    return std::nullopt;  // a pattern that the library cannot apply
  }
  std::optional<valijson::ValidationResults::Error> deepest;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    if (!deepest || error.context.size() > deepest->context.size()) deepest = error;
  }
  if (!deepest) return Violation{"", "does not fit"};
  return Violation{pointer_of(deepest->context), deepest->description};
}

}  // namespace jrpcheck::schema
