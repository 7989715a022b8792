// What scripts/targets has kept, read for the site; and the site, written.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "reports/site.hpp"

namespace jrpcheck::cli {

/// Reads runs, and the descriptions that lie beside them, from files and folders; of folders
/// everything below. NAME.json is a run, NAME.target.json the target that was judged,
/// NAME.fuzz.json what fuzzing it found. The error says which file is wrong, and why.
Result<std::vector<reports::SiteRecord>> read_records(const std::vector<std::string>& places);

/// Writes the site into a folder, which is made where it is not there. Files of a former site that
/// are no part of this one are removed.
Result<bool> write_site(const std::string& folder, const std::vector<reports::SiteFile>& files);

}  // namespace jrpcheck::cli
