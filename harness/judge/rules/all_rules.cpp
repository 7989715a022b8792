#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {

std::vector<std::span<const RuleRow>> all_rules() {
  return {common_rules(),   mcp_rules(),           mcp_content_rules(),      mcp_meta_rules(),
          mcp_http_rules(), mcp_stateless_rules(), mcp_subscription_rules(), event_stream_rules(),
          lsp_rules(),      lsp_progress_rules(),  lsp_registration_rules(), ethereum_rules(),
          bitcoin_rules()};
}

}  // namespace jrpcheck::judge
