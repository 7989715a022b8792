// Report formats: the run model in, a text out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result/run.hpp"

namespace jrpcheck::reports {

/// One format of --report. All formats are rendered from the run model alone.
struct Format {
  std::string_view name;
  std::string_view summary;  ///< for --help
  std::string (*render)(const result::Run& run);
};

/// All formats, in the order in which --help names them.
const std::vector<Format>& all_formats();

/// The format of that name, or null.
const Format* find_format(std::string_view name);

/// The contract that scripts rely on; its JSON Schema is reports/run.schema.json.
std::string render_json(const result::Run& run);

struct ConsoleOptions {
  bool color = false;
  bool quiet = false;    ///< verdict and numbers only
  bool verbose = false;  ///< every finding, every case that was not exercised
};

/// What a person reads in a terminal.
std::string render_console(const result::Run& run, const ConsoleOptions& options);

}  // namespace jrpcheck::reports
