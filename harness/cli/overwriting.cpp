#include "cli/overwriting.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "reports/report.hpp"

namespace jrpcheck::cli {
namespace {

namespace files = std::filesystem;

struct NamedFile {
  std::string path;
  std::string named_by;  // "--baseline", or the name of an argument
  const CLI::Option* option;
  bool is_written = false;
};

// Empty where it is none: FORMAT=PATH is a report, whatever names it.
std::string path_of_report(const std::string& word) {
  const auto equals = word.find('=');
  std::error_code unknown;
  const bool is_report = equals != std::string::npos &&
                         reports::find_format(word.substr(0, equals)) != nullptr &&
                         !files::exists(word, unknown);
  return is_report ? word.substr(equals + 1) : std::string();
}

std::vector<NamedFile> files_named(const CLI::App& app) {
  std::vector<NamedFile> named;
  for (const CLI::Option* option : app.get_options()) {
    const bool is_output = option->check_name("--record") || option->check_name("--output");
    for (const auto& word : option->results()) {
      const std::string report = path_of_report(word);
      const bool is_written = is_output || !report.empty();
      const std::string path = report.empty() ? word : report;
      std::error_code unknown;
      if (!is_written && !files::is_regular_file(path, unknown)) continue;
      if (path != "-" && !path.starts_with("/dev/"))
        named.push_back({path, option->get_name(), option, is_written});
    }
  }
  return named;
}

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code unknown;
  return files::path(one).lexically_normal() == files::path(other).lexically_normal() ||
         files::equivalent(one, other, unknown);
}

}  // namespace

Result<bool> check_that_nothing_is_lost(const CLI::App& app) {
  const auto named = files_named(app);
  for (const auto& output : named) {
    if (!output.is_written) continue;
    for (const auto& other : named) {
      // Two reports to one file are told of where reports are read.
      const bool are_reports = other.is_written && other.option == output.option;
      if (&other == &output || are_reports || !is_same_file(output.path, other.path)) continue;
      return Error{
          fmt::format("'{}' would be written over: {} names it as well; give {} another file",
                      other.path, other.named_by, output.named_by)};
    }
  }
  return true;
}

}  // namespace jrpcheck::cli
