// What the stand-in for a Bitcoin node can be asked.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace jrpcheck::reference {

/// The result as JSON text, in which amounts keep their eight decimals. Throws RpcError with one of
/// the codes of Bitcoin Core's protocol.h.
std::string carry_out_for_bitcoin(const std::string& method, const nlohmann::json& params);

}  // namespace jrpcheck::reference
