// A finding as the text of a report to whoever maintains the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "result/run.hpp"
#include "targets/target.hpp"

namespace jrpcheck::reports {

/// In Markdown. `about` tells what was judged and how to start it, where that is known. The error
/// says why there is nothing to report: no such case, or nothing was found in it.
Result<std::string> render_issue(const result::Run& run, std::string_view case_id,
                                 const std::optional<targets::Target>& about);

}  // namespace jrpcheck::reports
