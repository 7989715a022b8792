// Dialect: which JSON-RPC a Request and its Response are written in.
#pragma once

namespace jrpcheck::corpus {

enum class Dialect { json_rpc_2_0, json_rpc_1_0 };

}  // namespace jrpcheck::corpus
