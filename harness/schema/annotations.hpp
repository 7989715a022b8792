// What the schemas of a profile say beside JSON Schema: which requirement a part is about.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "json/value.hpp"

namespace jrpcheck::schema {

/// The keyword that names a requirement. It is about the value that its schema is for, and about
/// all that is in it where nothing within names another.
inline constexpr std::string_view kRequirement = "requirement";

/// The requirement that a violation at `at` is about; empty where none is named. `root` is the
/// whole document, into which references lead.
std::string requirement_at(const json::Value& root, const json::Value& schema,
                           const json::Value& value, std::string_view at);

/// All requirements that are named for a part which the value has.
std::set<std::string> requirements_of(const json::Value& root, const json::Value& schema,
                                      const json::Value& value);

}  // namespace jrpcheck::schema
