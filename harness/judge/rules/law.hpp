// The law of a profile, read: its schemas, and its rules from the one table.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "corpus/corpus.hpp"
#include "judge/protocol.hpp"

namespace jrpcheck::judge {

/// Reads the schemas of the corpus's profile, and finds its rules. The error names what is missing.
Result<std::shared_ptr<const Law>> law_of(const corpus::Corpus& corpus);
/// That of another profile than the one in use.
Result<std::shared_ptr<const Law>> law_of(const corpus::Profile& profile,
                                          const std::map<std::string, std::string>& schemas);

}  // namespace jrpcheck::judge
