// What a run says beside its findings of how it went.
#pragma once

#include <cstddef>
#include <string>

#include "corpus/corpus.hpp"
#include "result/run.hpp"
#include "run/calibration.hpp"
#include "run/options.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::run {

/// Why nothing could be judged; or what could not, for want of methods whose behaviour is known.
void add_role_notes(const corpus::Corpus& corpus, const Options& options,
                    const wire::Binding& binding, const corpus::RoleBindings& roles,
                    const Traits& traits, result::Run& run);

/// In what framing a program is judged that ends no message with a line feed.
void add_framing_note(const Options& options, const wire::Binding& binding, result::Run& run);

/// Of cases that no time was left for to run again alone.
std::string note_of_unconfirmed(std::size_t cases);

}  // namespace jrpcheck::run
