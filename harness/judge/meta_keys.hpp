// The keys of _meta in MCP (basic § _meta), by which servers and clients are judged alike.
#pragma once

#include <string_view>

namespace jrpcheck::judge {

/// Whether it is a key of _meta: an optional prefix of labels with dots and a slash, and a name.
bool is_metadata_key(std::string_view key);

/// Whether its prefix is reserved, and the specification has no such key: where the second label
/// is that of MCP.
bool is_reserved_metadata_key(std::string_view key);

/// The same in 2025-06-18, where any label may follow that of MCP, and any number may stand before:
/// mcp.dev, tools.mcp.com. Whether more than one may follow is not plain there, and is let be.
bool is_reserved_metadata_key_before_the_last(std::string_view key);

}  // namespace jrpcheck::judge
