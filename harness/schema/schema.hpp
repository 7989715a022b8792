// JSON Schema (draft 7, and what later drafts have in common with it): values held against one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "json/value.hpp"

namespace jrpcheck::schema {

/// Where a value does not fit, and why.
struct Violation {
  std::string at;  ///< a JSON pointer into the value
  std::string what;
};

/// Cheap to copy; several threads may use one.
class Schema {
 public:
  /// The schema at each of these pointers into a document, which they may refer to. References to
  /// other documents are not followed: such a schema is an error, as is one that is none.
  static Result<std::vector<Schema>> compile(const json::Value& document,
                                             const std::vector<std::string>& pointers);
  static Result<Schema> compile(const json::Value& document);

  /// Whether it can be told at all if the value fits: it is not too large, nor any Number in it.
  static bool can_read(const json::Value& value);

  /// The deepest place where the value does not fit; nothing where it fits, or is beyond what can
  /// be told.
  std::optional<Violation> violation(const json::Value& value) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace jrpcheck::schema
