// A JSON Schema of a protocol that others have published: one document with a definition for each
// message, as that of the Model Context Protocol is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "schema/message_schemas.hpp"
#include "schema/schema.hpp"

namespace jrpcheck::schema {

/// Cheap to copy; several threads may use one.
class PublishedSchema {
 public:
  /// Which definition is about which message follows from the definitions: one whose `method` is a
  /// constant is about the Request or Notification of that name, and where its own name is
  /// XRequest, XResult is about the result (EmptyResult, where there is none). The error says why
  /// the text is no such document.
  static Result<PublishedSchema> load(std::string_view text);

  struct Opinion {
    bool is_known = false;  ///< there is a definition that is about it
    std::string definition = {};
    std::optional<Violation> violation = {};
  };

  /// `value` is the result, or else the whole message.
  Opinion judge(Subject subject, std::string_view method, const json::Value& value) const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace jrpcheck::schema
