// Prints a format of a run made by hand, for tests that hand it to real readers of that format:
// `render-for-testing FORMAT ordinary|hostile|large|conforming|empty`, or of several beside each
// other: `render-for-testing FORMAT servers|hostile-servers|before-and-after`; or a site into a
// folder: `render-for-testing site=FOLDER ordinary|large`.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "reports/comparison.hpp"
#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"
#include "reports/site_for_testing.hpp"

namespace {

using jrpcheck::result::Run;

Run run_named(const std::string& name) {
  if (name == "hostile") return jrpcheck::reports::hostile_run_for_testing();
  if (name == "large") return jrpcheck::reports::large_run_for_testing();
  if (name == "conforming") return jrpcheck::reports::conforming_run_for_testing();
  if (name == "empty") return jrpcheck::reports::empty_run_for_testing();
  return jrpcheck::reports::run_for_testing();
}

std::vector<Run> runs_named(const std::string& name) {
  if (name == "servers") return jrpcheck::reports::servers_for_testing();
  std::vector<Run> runs(2, name == "hostile-servers" ? jrpcheck::reports::hostile_run_for_testing()
                                                     : jrpcheck::reports::run_for_testing());
  if (name == "hostile-servers") {
    runs[0].name = jrpcheck::reports::hostile_text();
    runs[1].target.text += "another";
  } else {
    runs[1].cases[0].verdict = jrpcheck::result::Verdict::pass;
    runs[1].cases[0].findings.clear();
  }
  return runs;
}

std::string rendered(const std::string& format, const std::string& name) {
  if (name == "servers" || name == "hostile-servers" || name == "before-and-after") {
    const auto* comparison = jrpcheck::reports::find_comparison_format(format);
    const auto runs = runs_named(name);
    return comparison == nullptr ? "" : comparison->render(jrpcheck::reports::compare(runs));
  }
  const auto* one = jrpcheck::reports::find_format(format);
  return one == nullptr ? "" : one->render(run_named(name));
}

constexpr std::size_t kManyTargets = 60;
constexpr std::size_t kManyRequirements = 500;

bool write_site_into(const std::filesystem::path& folder, const std::string& name) {
  const auto records =
      name == "large" ? jrpcheck::reports::large_site_for_testing(kManyTargets, kManyRequirements)
                      : jrpcheck::reports::site_for_testing();
  for (const auto& file : jrpcheck::reports::render_site(records)) {
    std::filesystem::create_directories((folder / file.path).parent_path());
    std::ofstream out(folder / file.path, std::ios::binary);
    out << file.text;
    if (!out) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::string_view kSite = "site=";
  if (argc == 3 && std::string_view(argv[1]).starts_with(kSite)) {
    return write_site_into(std::string_view(argv[1]).substr(kSite.size()), argv[2]) ? 0 : 1;
  }
  const std::string text = argc == 3 ? rendered(argv[1], argv[2]) : "";
  if (text.empty()) {
    std::cerr << "usage: render-for-testing FORMAT RUN\n";
    return 2;
  }
  std::cout << text << std::flush;
  return std::cout ? 0 : 1;
}
