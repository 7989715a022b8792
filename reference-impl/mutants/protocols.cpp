#include "reference-impl/mutants/protocols.hpp"

#include "reference-impl/bitcoin_server.hpp"
#include "reference-impl/ethereum_server.hpp"
#include "reference-impl/lsp_server.hpp"
#include "reference-impl/mcp_server.hpp"
#include "reference-impl/mutants/bitcoin_mutants.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/ethereum_mutants.hpp"
#include "reference-impl/mutants/lsp_mutants.hpp"
#include "reference-impl/mutants/mutated_server.hpp"

namespace jrpcheck::reference {

namespace {

template <typename... Tables>
std::vector<Mutant> all_of(const Tables&... tables) {
  std::vector<Mutant> all;
  (all.insert(all.end(), tables.begin(), tables.end()), ...);
  return all;
}

std::vector<ProtocolOnTop> make_protocols() {
  return {
      {"mcp", "Speak this version of the Model Context Protocol", mcp_versions(),
       [](const std::string& version, const Limits& limits, const Door&) {
         return std::make_shared<McpServer>(version, limits);
       },
       &mcp_faults, &mcp_variants, &mcp_http_hooks_of, "lines", true},
      {"lsp",
       "Speak the Language Server Protocol",
       {},
       [](const std::string&, const Limits& limits, const Door& door) {
         return std::make_shared<LspServer>(door.leave, limits);
       },
       [](std::string_view) {
         return all_of(lsp_call_faults(), lsp_result_faults(), lsp_lifecycle_faults(),
                       lsp_provider_faults(), lsp_talk_faults());
       },
       [](std::string_view) { return all_of(lsp_legal_variants()); },
       {},
       "content-length",
       true},
      {"ethereum",
       "Speak Ethereum JSON-RPC",
       {},
       [](const std::string&, const Limits& limits, const Door& door) {
         return std::make_shared<EthereumServer>(door.can_tell, limits);
       },
       [](std::string_view) { return all_of(ethereum_faults()); },
       [](std::string_view) { return all_of(ethereum_variants()); }},
      {"bitcoin",
       "Stand in for a node of Bitcoin Core that speaks up to this version, with the login "
       "jrpcheck:jrpcheck",
       {"1.1", "2.0"},
       [](const std::string& version, const Limits& limits, const Door&) {
         return std::make_shared<BitcoinServer>(version == "2.0", limits);
       },
       &bitcoin_faults,
       &bitcoin_variants,
       [](const std::string&, const Limits&, const Behaviour& behaviour) {
         return bitcoin_http_hooks_of(behaviour);
       }},
  };
}

}  // namespace

const std::vector<ProtocolOnTop>& protocols_on_top() {
  static const std::vector<ProtocolOnTop> all = make_protocols();
  return all;
}

}  // namespace jrpcheck::reference
