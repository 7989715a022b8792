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

/// The contract that scripts rely on; its JSON Schema is reports/run.schema.json.
std::string render_json(const result::Run& run);

/// The same on one line.
std::string render_compact_json(const result::Run& run);

/// One page that holds everything and asks no network for anything.
std::string render_html(const result::Run& run);

/// For CI servers, after the schema of Jenkins. Warnings are no failures.
std::string render_junit(const result::Run& run);

/// SARIF 2.1.0, for code scanning. The rules are the requirements.
std::string render_sarif(const result::Run& run);

/// Test Anything Protocol: version 13, which all its readers know, and version 14.
std::string render_tap(const result::Run& run);
std::string render_tap14(const result::Run& run);

/// Markdown of GitHub that fits into one comment.
std::string render_markdown(const result::Run& run);

/// The data of a shields.io endpoint badge.
std::string render_badge(const result::Run& run);

/// The same badge as a picture.
std::string render_badge_svg(const result::Run& run);

struct ConsoleOptions {
  bool color = false;
  bool quiet = false;    ///< verdict and numbers only
  bool verbose = false;  ///< every finding, every case that was not exercised
  /// The reports that have been written: "html report.html".
  std::vector<std::string> written = {};
  bool takes_baseline = false;   ///< there is a --baseline to be recommended
  bool takes_selection = false;  ///< the command runs again with one case of those that it has run
  std::string cases = {};        ///< the folder of --cases, where what is to be explained stands
};

/// What a person reads in a terminal.
std::string render_console(const result::Run& run, const ConsoleOptions& options);

/// All formats, in the order in which --help names them.
inline constexpr Format kFormats[] = {
    {"json", "the whole run for programs, after run.schema.json", &render_json},
    {"html", "one page for people, without a network", &render_html},
    {"junit", "JUnit XML for Jenkins, GitLab and other CI servers", &render_junit},
    {"sarif", "SARIF 2.1.0 for code scanning", &render_sarif},
    {"tap", "Test Anything Protocol 13, which prove and others read", &render_tap},
    {"tap14", "the same, version 14", &render_tap14},
    {"markdown", "a summary that fits into a comment on a pull request", &render_markdown},
    {"badge", "data for a shields.io endpoint badge; a picture where PATH ends in .svg",
     &render_badge},
    {"badge-svg", "the badge as a picture", &render_badge_svg},
    {"console", "what is printed on a terminal, without colour",
     [](const result::Run& run) { return render_console(run, {}); }},
};

/// The format of that name, or null.
const Format* find_format(std::string_view name);

/// The format that a report is written in: that of the name, but for a badge whose path ends in
/// .svg, which is the picture and not the data for shields.io. Null where there is none.
const Format* find_format(std::string_view name, std::string_view path);

}  // namespace jrpcheck::reports
