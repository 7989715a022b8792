// What a baseline, a shard or an interruption makes of a run, in words for all formats.
#pragma once

#include <string>
#include <vector>

#include "result/cause.hpp"
#include "result/run.hpp"

namespace jrpcheck::reports {

/// What CI is to take for a failure: without a baseline what fails, with one what differs from it.
bool is_alarm(const result::Run& run, const result::CaseResult& one);

/// All that fails does so as the baseline says: nothing to worry about.
bool fails_as_known(const result::Run& run);

/// "known failure: ticket 7"; "unexpected: is not listed"; empty where no baseline is concerned.
std::string expectation_text(const result::CaseResult& one);

/// "as the baseline known.json says: 12 known failures"; empty without a baseline.
std::string baseline_text(const result::Run& run);

/// What a reader must know before all else: that the run was interrupted, how it stands to its
/// baseline, and what one cause is behind most failures. Then `other_notes`.
std::vector<std::string> all_notes(const result::Run& run);

/// Of these what the verdict alone does not tell: how the run ended, how it stands to its baseline.
std::vector<std::string> urgent_notes(const result::Run& run);

/// That the run is one shard of several, what is stale in its baseline, and its own notes.
std::vector<std::string> other_notes(const result::Run& run);

/// A note without lines of its own, for formats that break them themselves.
std::string on_one_line(const std::string& note);

}  // namespace jrpcheck::reports
