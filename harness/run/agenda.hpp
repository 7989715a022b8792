// Which cases of the corpus run, and why the others do not.
#pragma once

#include <cstddef>
#include <vector>

#include "corpus/corpus.hpp"
#include "result/run.hpp"
#include "run/case_runner.hpp"
#include "run/culprits.hpp"
#include "run/endpoint.hpp"
#include "run/lessons.hpp"
#include "run/options.hpp"
#include "run/roles.hpp"

namespace jrpcheck::run {

/// The cases that are still to run.
struct Agenda {
  std::vector<std::size_t> runnable = {};
  std::vector<std::size_t> last = {};  ///< behind all others, alone and in this order
  std::size_t total = 0;               ///< with those that have run
};

/// What cannot run has its result at once. Of a server that nobody here can start again, what is as
/// dangerous as `alone_from`, or more, comes last.
Agenda sort_out(const corpus::Corpus& corpus, const Options& options, const Endpoint& endpoint,
                const CaseRunner& runner, const Traits& traits, const Roles& roles,
                Danger alone_from, Results& results);

/// Where the run ended before its end, every case that had not been settled is there and says why.
void note_interruption(const corpus::Corpus& corpus, const Options& options,
                       const Endpoint& endpoint, std::size_t total, Results& results,
                       result::Run& run);

}  // namespace jrpcheck::run
