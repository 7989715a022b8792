// The kill matrix: the corpus held against servers whose faults are known, and the other way round.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "selftest/mutant_list.hpp"
#include "selftest/trial.hpp"

namespace jrpcheck::selftest {

/// What must not be.
struct Problem {
  enum class Kind {
    not_run,       ///< a trial did not take place
    baseline,      ///< the server without a mutant is accused
    void_fault,    ///< a fault that changed nothing of what the server says
    uncaught,      ///< a fault that no case notices
    unclaimed,     ///< a fault that is noticed, but by no case that says it would
    wrong_charge,  ///< a finding is charged to a requirement the fault does not break
    not_charged,   ///< a requirement the fault breaks is not charged
    missed,        ///< a case does not notice a fault it says it would
    useless_case,  ///< a case that notices no fault it claims, or claims none
    shallow,       ///< a deep fault that a case notices or claims, which fuzzing is not measured by
    judged_otherwise,  ///< a stored run has other verdicts when it is judged again
    accused_variant,   ///< a variant, which is legal, fails a case
    let_in,            ///< a server that refuses the handshake was judged all the same
  };

  Kind kind;
  std::string about;  ///< the fault, variant or case
  std::string text;   ///< a sentence with the particulars
};

std::string_view name_of(Problem::Kind kind);

/// How one mutant fared over one transport.
struct Cell {
  std::string transport;
  std::map<std::string, Charge> charges;
  std::set<std::string> claimed;  ///< the cases that noticed it and say they would
  std::size_t noticed = 0;        ///< how many cases noticed it
};

struct Row {
  Mutant mutant;
  std::vector<Cell> cells;
};

struct Matrix {
  std::vector<Row> rows;  ///< in the order of the list
  /// For each case the faults that it noticed over any transport.
  std::map<std::string, std::set<std::string>> kills;
  std::vector<Problem> problems;
};

/// The trials, by their place, in which something is wrong, and the first of that.
std::map<std::size_t, std::string> trials_with_problems(const corpus::Corpus& corpus,
                                                        const std::vector<Mutant>& mutants,
                                                        const std::vector<Trial>& trials);

Matrix make_matrix(const corpus::Corpus& corpus, const std::vector<Mutant>& mutants,
                   const std::vector<Trial>& trials);

}  // namespace jrpcheck::selftest
