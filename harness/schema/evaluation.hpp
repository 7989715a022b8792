// One value held against one schema.
#pragma once

#include <optional>

#include "json/value.hpp"
#include "schema/document.hpp"
#include "schema/schema.hpp"

namespace jrpcheck::schema {

/// The deepest place where the value does not fit. Nothing where it fits, and where it cannot be
/// told: by a keyword whose meaning the drafts or their readers do not agree on, a reference to
/// another document or in a circle, or after more steps than any true value takes.
std::optional<Violation> violation_of(const Document& document, const json::Value& schema,
                                      const json::Value& value);

}  // namespace jrpcheck::schema
