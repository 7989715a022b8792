// What can be wrong with descriptions of targets although each can be read.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "corpus/lint.hpp"

namespace jrpcheck::targets {

/// What descriptions are held against.
struct TargetReference {
  std::set<std::string> profiles;  ///< names that --profile takes
  /// Whether a file that a description names is there; the path is relative to the description.
  std::function<bool(const std::string& description, const std::string& named)> file_exists;
};

/// All problems, file by file.
std::vector<corpus::Problem> lint_targets(const std::vector<corpus::CorpusFile>& files,
                                          const TargetReference& reference);

}  // namespace jrpcheck::targets
