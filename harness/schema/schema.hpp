// JSON Schema: values held against one. Of what drafts understand in different ways only that is
// told on which they agree, or which the schema's own draft says.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "json/value.hpp"

namespace jrpcheck::schema {

/// Where a value does not fit, and why.
struct Violation {
  std::string at;  ///< a JSON pointer into the value
  std::string what;

  /// "/clientInfo has no \"name\"".
  std::string text() const { return at.empty() ? what : at + " " + what; }
};

/// Cheap to copy; several threads may use one.
class Schema {
 public:
  /// The schema at each of these pointers into a document, which they may refer to. One that is
  /// none is an error. The document may come from anybody.
  static Result<std::vector<Schema>> compile(const json::Value& document,
                                             const std::vector<std::string>& pointers);
  static Result<Schema> compile(const json::Value& document);

  /// The deepest place where the value does not fit; nothing where it fits, and where that cannot
  /// be told: references to other documents and by name are not followed, "format" is a remark
  /// (2020-12 Validation §7.2.1), and circles and endless work end.
  std::optional<Violation> violation(const json::Value& value) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace jrpcheck::schema
