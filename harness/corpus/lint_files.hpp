// Checks files of a corpus, also where some of them cannot be read.
#pragma once

#include <vector>

#include "corpus/lint.hpp"

namespace jrpcheck::corpus {

/// Puts files together and checks them: what cannot be read, and whatever `lint` finds in the rest.
/// One broken case does not hide the others. Files of `added` take the place of those of `base`
/// that have the same path; the released ids come from the file of that name, if there is one.
std::vector<Problem> lint_files(const std::vector<CorpusFile>& base,
                                const std::vector<CorpusFile>& added, LintReference reference);

}  // namespace jrpcheck::corpus
