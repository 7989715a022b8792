// Keywords of JSON Schema that say something about a value alone and apply no further schema to it
// (JSON Schema Validation §6).
#pragma once

#include <functional>
#include <string>

#include "json/value.hpp"

namespace jrpcheck::schema {

/// Whether a value is as a schema has it.
enum class Fit { yes, no, unknown };

/// What both of them are together.
Fit both(Fit a, Fit b);

struct Assertion {
  Fit fit = Fit::yes;
  /// Where it is `no`: "is null, and not of type string". Refers to what was asserted and of what.
  std::function<std::string()> why_not = {};
};

/// What the keyword with the value `own` asserts of a value. That fits where the keyword is
/// another, or says nothing of such values.
Assertion assertion(const std::string& keyword, const json::Value& own, const json::Value& value);

/// "null", "a Number", "an Object".
std::string what_is(const json::Value& value);

/// Whether a value has the type that a schema names, or one of those.
bool has_type(const json::Value& types, const json::Value& value);

/// What "required" asserts, and what those have to have that depend on another.
Assertion has_members(const json::Value& names, const json::Value& value);

}  // namespace jrpcheck::schema
