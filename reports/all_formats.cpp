#include <algorithm>

#include "reports/report.hpp"

namespace jrpcheck::reports {

const std::vector<Format>& all_formats() {
  static const std::vector<Format> formats = {
      {"json", "the whole run for programs, after run.schema.json", &render_json},
      {"console", "what is printed on a terminal, without colour",
       [](const result::Run& run) { return render_console(run, {}); }},
  };
  return formats;
}

const Format* find_format(std::string_view name) {
  const auto& formats = all_formats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [name](const Format& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

}  // namespace jrpcheck::reports
