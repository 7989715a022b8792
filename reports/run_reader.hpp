// Stored runs, read back from what --report json wrote.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "result/run.hpp"

namespace jrpcheck::reports {

/// Reads the text of a run.json; `name` is the file's name for errors, which say where and what is
/// wrong. Members that this version does not know are those of a later one, and are passed over.
Result<result::Run> read_run(const std::string& name, std::string_view text);

}  // namespace jrpcheck::reports
