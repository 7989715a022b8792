// What a run comes to, whether its cases have just run or were stored.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "corpus/catalogue.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"
#include "run/calibration.hpp"
#include "run/side_dialogue.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::run {

/// Those of the profile that a server on this binding is answerable for.
std::vector<std::string> applicable_classes(const corpus::Profile& profile,
                                            const wire::Binding* binding);

/// Takes out the calibration cases that the user has not selected. What is charged once for all
/// others stays in one of them, and so does the one that shows why nothing can be judged. Where the
/// former are skipped, each of the others charges it.
void leave_out_unselected(const corpus::Corpus& corpus, const corpus::Selection& selection,
                          Traits& traits, std::vector<result::CaseResult>& unreported);

/// Stores a side dialogue, and adds what it shows and no case has charged. `reproduce` gives the
/// shell line of a call.
void add_side_dialogue(const SideDialogue& dialogue, const corpus::Selection& selection,
                       const Reproduce& reproduce, result::Run& run);

/// Adds what the server said unasked in the opening, in the side dialogues that have been added
/// before and in the cases, where something is wrong.
void add_unasked(const std::vector<dialogue::Event>& opening, const corpus::Ledger& ledger,
                 const judge::Context& context, const corpus::Selection& selection,
                 const Reproduce& reproduce, result::Run& run);

/// Settles what each case is charged with, and draws the verdicts from that. `catalogue`: what the
/// server declared, if it was asked.
void conclude_run(const corpus::Corpus& corpus, const wire::Binding& binding,
                  const corpus::Catalogue* catalogue, const corpus::Selection& selection,
                  result::Run& run);

}  // namespace jrpcheck::run
