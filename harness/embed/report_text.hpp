// The report on a case, as those who embed the judge see it.
#pragma once

#include <jrpcheck/judge.hpp>
#include "corpus/ledger.hpp"
#include "result/run.hpp"

namespace jrpcheck::embed {

CaseReport report_of(const result::CaseResult& result, const corpus::Ledger& ledger);

}  // namespace jrpcheck::embed
