// Vectors that a user brings: recorded dialogues, line by line, such as execution-apis' *.io and
// the test data of go-ethereum.
//
//     // get the balance of nobody
//     >> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x00..","latest"]}
//     << {"jsonrpc":"2.0","id":1,"result":"0x0"}
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "corpus/case.hpp"
#include "corpus/ledger.hpp"

namespace jrpcheck::corpus {

/// What a vector that is answered otherwise is charged to.
inline constexpr std::string_view kVectorRequirement = "vec-as-recorded";

/// By its name, and in files whose name says nothing by its lines.
bool holds_vectors(std::string_view path, std::string_view text);

/// The file as one case, "vectors/...", with a step for each request. `>>` (or `-->`) is sent and
/// `<<` (or `<--`) due: result by value, of errors the code, and nothing where no answer is
/// recorded. A comment that says `speconly:` lets any result, or any error, do. The error names
/// file and line.
Result<Case> load_vectors(const std::string& path, std::string_view text);

/// The ledger with that requirement, for corpora that hold vectors.
Result<Ledger> vector_ledger();

}  // namespace jrpcheck::corpus
