// Values of bent trials: what a driver prints of its calls, held against what the real server has
// answered.
#pragma once

#include <string>

#include "client/bent_trial.hpp"

namespace jrpcheck::client {

/// Pairs the lines that a driver prints with the calls whose results they show, in their order.
/// Gives why that cannot be done; empty: it is done.
std::string pair_lines(const BentTrial& trial, Control& control);

/// The answer to bend where nobody says which: of the calls with a line the last but one.
std::size_t usual_answer_with_line(const Control& control);

/// Whether the answer, counted from 1 of those with a result, is to a call that has a line.
bool has_line(const Control& control, std::size_t answer);

/// Adds what the values show to what judge_bent has found.
void judge_bent_values(const corpus::Scenario& scenario, const BentTrial& trial,
                       const Control& control, const corpus::Ledger& ledger,
                       result::CaseResult& result);

}  // namespace jrpcheck::client
