// Prints a format of a run made by hand: `render-for-testing FORMAT ordinary|hostile|large|empty`,
// for tests that hand it to real readers of that format.
#include <iostream>
#include <string>

#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace {

jrpcheck::result::Run run_named(const std::string& name) {
  if (name == "hostile") return jrpcheck::reports::hostile_run_for_testing();
  if (name == "large") return jrpcheck::reports::large_run_for_testing();
  if (name == "empty") return jrpcheck::reports::empty_run_for_testing();
  return jrpcheck::reports::run_for_testing();
}

}  // namespace

int main(int argc, char** argv) {
  const auto* format = argc == 3 ? jrpcheck::reports::find_format(argv[1]) : nullptr;
  if (format == nullptr) {
    std::cerr << "usage: render-for-testing FORMAT RUN\n";
    return 2;
  }
  std::cout << format->render(run_named(argv[2])) << std::flush;
  return std::cout ? 0 : 1;
}
