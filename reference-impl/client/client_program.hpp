// The reference client as a program: what it is told by its words and its environment.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace jrpcheck::reference {

struct ClientWords {
  std::string url;                   ///< of the server; empty: that of JRPCHECK_URL
  std::vector<std::string> command;  ///< of a server over stdio, in place of that
  std::string protocol;              ///< on top: "mcp" or "lsp"; empty: JSON-RPC alone
  std::string version;               ///< of that
  std::string mutant;                ///< its name; empty: it is as it should be
  bool is_fault = false;             ///< or else a variant
};

/// Whether all went well. An Error where it was not told what it has to be.
Result<bool> run_client_program(const ClientWords& words);

}  // namespace jrpcheck::reference
