// The schemas of a protocol's messages, by kind and method.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "json/value.hpp"
#include "schema/schema.hpp"

namespace jrpcheck::schema {

/// What of a message a schema is about: the result of a call, the error that answers one, and the
/// params of a request or a notification of the server's own. Or a whole message of the client, or
/// the params of its requests and notifications.
enum class Subject {
  result,
  error,
  request,
  notification,
  client,
  client_request,
  client_notification
};

/// What holding a value against its schema shows.
struct Verdict {
  std::optional<Violation> violation = {};
  std::string requirement = {};          ///< that the violation is about
  std::set<std::string> exercised = {};  ///< all that the value tells something about
};

/// Cheap to copy; several threads may use one.
class MessageSchemas {
 public:
  /// Reads `path` among the files. The document has schemas by method in "results", "errors",
  /// "requests" and "notifications", in "client" what a client may send, and in "client-requests"
  /// and "client-notifications" with which params; "*" stands for every method that has none;
  /// "$defs" for them to refer to; "requirement", which is charged where nothing closer is named;
  /// and "extends", another file, whose members stand where this one has none (null takes one
  /// away).
  static Result<MessageSchemas> load(const std::string& path,
                                     const std::map<std::string, std::string>& files);

  /// Nothing where there is no schema for it.
  std::optional<Verdict> judge(Subject subject, std::string_view method,
                               const json::Value& value) const;

  /// Whether it says what a client may send.
  bool knows_client() const;

  /// Every requirement that is named.
  std::set<std::string> requirements() const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace jrpcheck::schema
