// Which arguments of a tool its calls repeat in their heads (x-mcp-header, MCP 2026-07-28).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "json/value.hpp"

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

}  // namespace jrpcheck::judge
