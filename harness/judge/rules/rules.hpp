// The one table of rules that profiles name. A protocol has a file with its own beside this, and a
// line in all_rules.cpp.
#pragma once

#include <span>
#include <vector>

#include "judge/protocol.hpp"

namespace jrpcheck::judge {

/// Rules that fit any protocol.
std::span<const RuleRow> common_rules();
std::span<const RuleRow> event_stream_rules();
/// Those of the Model Context Protocol.
std::span<const RuleRow> mcp_rules();
std::span<const RuleRow> mcp_content_rules();
std::span<const RuleRow> mcp_meta_rules();
std::span<const RuleRow> mcp_http_rules();
std::span<const RuleRow> mcp_stateless_rules();
std::span<const RuleRow> mcp_subscription_rules();

/// Those of the Language Server Protocol.
std::span<const RuleRow> lsp_rules();
std::span<const RuleRow> lsp_progress_rules();
std::span<const RuleRow> lsp_registration_rules();

/// Those of Ethereum JSON-RPC.
std::span<const RuleRow> ethereum_rules();

/// Those of Bitcoin Core.
std::span<const RuleRow> bitcoin_rules();

std::vector<std::span<const RuleRow>> all_rules();

}  // namespace jrpcheck::judge
