// What can be wrong with a corpus although each of its files can be read.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"

namespace jrpcheck::corpus {

/// One thing that is wrong, and where.
struct Problem {
  std::string file;
  std::size_t line = 0;  ///< 0: the file as a whole
  std::string case_id;   ///< empty: it is about no case
  std::string member;    ///< of the case; empty: the case as a whole
  std::string message;

  /// "core/batch.json:12: case 'batch/empty': title: ...".
  std::string text() const;
};

/// What a corpus is held against.
struct LintReference {
  /// Ids that users may rely on, of cases and requirements: none of them may go.
  std::vector<std::string> released_ids;
  /// Whether ids that are not among them are a problem: so that none is released by accident, nor
  /// forgotten.
  bool every_id_released = false;
  /// The faults of the reference server; nothing: `kills` is not checked.
  std::optional<std::set<std::string>> known_faults;
  /// Whether every case, and every entry of the ledger, could be read. Where some could not, what
  /// another refers to may be among them, so that its absence is no problem of its own.
  bool all_cases_read = true;
  bool whole_ledger_read = true;
};

/// All problems, case by case in the order of the corpus.
std::vector<Problem> lint(const Corpus& corpus, const LintReference& reference);

/// The ids of the file of released ids: one a line; lines that begin with # are comments.
std::vector<std::string> read_released_ids(std::string_view text);

}  // namespace jrpcheck::corpus
