// Lint: what is wrong with case files although they can be read.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"

namespace jrpcheck::corpus {

/// What the linter holds the cases against.
struct LintReference {
  /// Ids that have been released: stable for ever, so each must still be there.
  std::vector<std::string> released_ids;
  /// Names of seeded defects that `kills` may hold; empty: not checked.
  std::set<std::string> known_faults;
};

/// Every problem as one sentence that names file, line, case and member.
std::vector<std::string> lint(const Corpus& corpus, const LintReference& reference);

/// The ids of a list with one id a line; empty lines and those that begin with # are passed over.
std::vector<std::string> parse_id_list(std::string_view text);

}  // namespace jrpcheck::corpus
