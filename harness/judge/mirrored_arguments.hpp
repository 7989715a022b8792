// Which arguments of a tool its calls repeat in their heads (x-mcp-header, MCP 2026-07-28).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "json/value.hpp"
#include "judge/client_charges.hpp"
#include "wire/http_fields.hpp"

namespace jrpcheck::judge {

struct MirroredArguments {
  struct One {
    std::vector<std::string> path;  // of names, within the arguments
    std::string field;              // "Mcp-Param-Region"
    std::string type;               // of JSON Schema

    bool operator==(const One&) const = default;
  };

  std::vector<One> all;
  /// What is said of it is invalid, or was said in two ways: nobody knows what is due.
  bool is_unknown = false;

  std::size_t kept() const;
};

MirroredArguments mirrored_by(const json::Value& tool);

/// A call of that tool over HTTP. `knows_tool`: its client was told of the tool; of another only
/// what it does repeat is judged.
void judge_mirrored(const json::Value& message, const MirroredArguments& due,
                    const wire::HttpFields& fields, bool knows_tool, ClientCharges& charges);

/// Whether a field of that value says the text: as it is, or in the Base64 form, which some need.
bool is_said_by(const std::string& value, const std::string& text);
/// Whether a field can say the text only in that form.
bool needs_encoding(const std::string& text);

}  // namespace jrpcheck::judge
