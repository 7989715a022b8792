// The tools that a client was told of, and the arguments with which it calls them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "json/value.hpp"
#include "judge/clients/charges.hpp"
#include "schema/schema.hpp"

namespace jrpcheck::judge {

/// Of one session, or of all that is asked over HTTP where there are none.
class ListedTools {
 public:
  /// The result of a list of tools.
  void take(const json::Value& result);
  /// A call of a client that was told of these tools by nobody else.
  void judge_call(const json::Value& message, ClientCharges& charges) const;
  void forget() { tools_.clear(); }

 private:
  struct Tool {
    std::string told;                           // the schema of its arguments, in JSON
    std::optional<schema::Schema> schema = {};  // none: it was told in two ways, or is none
  };
  std::map<std::string, Tool> tools_;  // by name
};

}  // namespace jrpcheck::judge
