// Recorded traffic, judged.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "corpus/corpus.hpp"
#include "result/redact.hpp"

namespace jrpcheck::cli {

/// What a file is by its beginning.
enum class FileKind {
  run,          ///< --report json=FILE has written it
  of_a_schema,  ///< like a run, but of a schema that is none of runs
  finding,      ///< jrpcheck fuzz --findings has stored it
  other,        ///< a capture, if it is anything
};

FileKind kind_of_text(std::string_view text);

/// An Error where it cannot be read.
Result<FileKind> kind_of_file(const std::string& file);

/// Says of a finding in the place of a run what it is, and which command takes it.
Error no_run_but_a_finding(const std::string& file);

/// Judges the traffic in a capture. The run is named after the file; its notes tell what of the
/// file could not be read.
Result<result::RedactedRun> judge_capture(const std::string& file, const corpus::Corpus& corpus);

}  // namespace jrpcheck::cli
