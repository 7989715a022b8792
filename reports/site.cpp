#include "reports/site.hpp"

#include <nlohmann/json.hpp>

#include "reports/html.hpp"
#include "reports/report.hpp"
#include "reports/site_frame.hpp"
#include "reports/site_pages.hpp"

namespace jrpcheck::reports {
namespace {

using Json = nlohmann::ordered_json;

// What the search looks through: name, address, what it is.
std::string search_index(const SiteModel& model) {
  Json entries = Json::array();
  for (const auto& subject : model.subjects) {
    entries.push_back({subject.name, subject.page(), subject.latest().about.about});
  }
  for (const auto& row : model.everybody.comparison.requirements) {
    entries.push_back(
        {row.requirement->id, requirement_page(row.requirement->id), row.requirement->text});
  }
  const auto json = entries.dump(-1, ' ', false, Json::error_handler_t::replace);
  return "window.jrpcheckIndex = " + json_for_script(json) + ";\n";
}

void add_subject(std::vector<SiteFile>& files, const SiteModel& model, const SiteSubject& subject) {
  files.push_back({subject.page(), site_target(model, subject)});
  if (subject.run() == nullptr) return;
  files.push_back({subject.place() + ".svg", render_badge_svg(*subject.run())});
  files.push_back({subject.place() + "-run.html", render_html(*subject.run())});
}

}  // namespace

std::vector<SiteFile> render_site(const std::vector<SiteRecord>& records) {
  const SiteModel model = model_of_site(records);
  const SitePage assets = site_page_parts();
  std::vector<SiteFile> files = {
      {"index.html", site_overview(model)},    {"requirements.html", site_requirements(model)},
      {"changes.html", site_changes(model)},   {"matrix.html", site_matrix(model, model.everybody)},
      {"assets/site.css", assets.style},       {"assets/site.js", assets.script},
      {"assets/index.js", search_index(model)}};
  for (const auto& group : model.groups) {
    files.push_back({matrix_page(group), site_matrix(model, group)});
  }
  for (const auto& subject : model.subjects) add_subject(files, model, subject);
  for (const auto& row : model.everybody.comparison.requirements) {
    files.push_back({requirement_page(row.requirement->id), site_requirement(model, row)});
  }
  return files;
}

}  // namespace jrpcheck::reports
