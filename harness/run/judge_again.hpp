// A stored run judged again, with the judge and the cases of this program.
#pragma once

#include "base/result.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::run {

/// Judges what was said in a run by `corpus`, which has the cases of the run's profile. Where
/// judge, cases and run are of one version, the verdicts and findings are those of the run. The
/// error says why a run cannot be judged again: an older version stored it, or it is put together
/// from several, or nothing was said in it.
Result<result::Run> judge_again(const result::Run& stored, const corpus::Corpus& corpus);

}  // namespace jrpcheck::run
