#include <algorithm>

#include "reports/report.hpp"

namespace jrpcheck::reports {

const std::vector<Format>& all_formats() {
  static const std::vector<Format> formats = {
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
  return formats;
}

const Format* find_format(std::string_view name) {
  const auto& formats = all_formats();
  const auto found =
      std::ranges::find_if(formats, [name](const Format& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

const Format* find_format(std::string_view name, std::string_view path) {
  constexpr std::string_view kPicture = ".svg";
  const bool is_picture =
      path.size() >= kPicture.size() && path.substr(path.size() - kPicture.size()) == kPicture;
  return find_format(name == "badge" && is_picture ? "badge-svg" : name);
}

}  // namespace jrpcheck::reports
