// What is known about clients: how a requirement of theirs is judged, and what one scenario or
// dialogue puts to them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/text_layout.hpp"
#include "corpus/client_dialogue.hpp"
#include "corpus/corpus.hpp"
#include "selftest/mutant_list.hpp"

namespace jrpcheck::cli {

/// A dialogue, and the profile whose clients meet it.
struct DialogueOfProfile {
  std::string profile;
  std::string file;
  corpus::Dialogue dialogue;
};

/// Those of all protocols that are built in, or stand below `folder`.
Result<std::vector<DialogueOfProfile>> all_dialogues(const std::string& folder);

/// Whether it is about clients, of JSON-RPC or of a protocol on top.
bool is_of_clients(const corpus::Requirement& requirement, const corpus::Corpus& corpus);

/// By what a client is judged in that, how to do so, and which faults of the reference client show
/// it. Nothing where it is not judged: false.
bool add_client_tests(const corpus::Requirement& requirement, const corpus::Corpus& corpus,
                      const std::vector<DialogueOfProfile>& dialogues,
                      const std::vector<selftest::Mutant>& mutants, const std::string& cases,
                      TextLayout& page);

std::string explain_scenario(const corpus::Scenario& scenario, const corpus::Corpus& corpus,
                             const std::vector<selftest::Mutant>& mutants,
                             const std::string& cases = {});
std::string explain_dialogue(const DialogueOfProfile& one, const corpus::Corpus& corpus,
                             const std::vector<selftest::Mutant>& mutants,
                             const std::string& cases = {});

}  // namespace jrpcheck::cli
