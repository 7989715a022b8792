// The site: every target that was judged, as static pages that ask no network for anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "result/run.hpp"
#include "targets/target.hpp"

namespace jrpcheck::reports {

/// What became of one target in one round.
struct SiteRecord {
  std::string round;  ///< rounds are in the order of their names, which begin with the date
  targets::Target about;
  bool is_described = false;          ///< else only its name is known
  std::optional<result::Run> run;     ///< absent: it could not be judged; `about` says why
  std::optional<result::Run> fuzzed;  ///< what fuzzing it found
};

struct SiteFile {
  std::string path;  ///< relative to the folder of the site
  std::string text;
};

/// All files of the site. They depend on what the records say and on nothing else: not on their
/// order, the time or the machine.
std::vector<SiteFile> render_site(const std::vector<SiteRecord>& records);

}  // namespace jrpcheck::reports
