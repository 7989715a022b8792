// The kill matrix for people, for the documentation and for programs.
#pragma once

#include <string>

#include "selftest/matrix.hpp"

namespace jrpcheck::selftest {

/// What a person needs: the problems, and what was tried. `verbose` lists every mutant.
std::string render_text(const Matrix& matrix, bool verbose);

/// Every mutant with the requirements charged and the number of cases over each transport, and
/// every case with the faults it notices.
std::string render_markdown(const Matrix& matrix, const corpus::Corpus& corpus);

/// All of it.
std::string render_json(const Matrix& matrix, const corpus::Corpus& corpus);

}  // namespace jrpcheck::selftest
