// Choice: which outcome of a step came true, or which comes closest and how it was missed.
#pragma once

#include "corpus/case.hpp"
#include "judge/evidence.hpp"
#include "judge/pattern.hpp"

namespace jrpcheck::judge {

struct Choice {
  const corpus::Outcome* outcome;
  Comparison comparison;

  bool came_true() const { return comparison.matches() && !comparison.unjudged; }
};

/// How far what came back is from an outcome; no mismatch: the outcome came true.
Comparison compare(const corpus::Outcome& outcome, const Evidence& evidence);

/// The Responses to a batch came, and in an Object in place of an Array.
bool is_batch_in_an_object(const corpus::Step& step, const Evidence& evidence);

/// The first outcome that came true, or else the first of those that come closest.
Choice choose_outcome(const corpus::Step& step, const Evidence& evidence);

/// Whether the outcome lets a Response pass where none is due, and says that it tells nothing.
bool is_let_be(const corpus::Step& step, const corpus::Outcome& outcome);

}  // namespace jrpcheck::judge
