#include "cli/command_form.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kProgramName = "jrpcheck ";

// CLI11 appends what a validator takes.
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

OptionForm option_form(const CLI::Option& option) {
  OptionForm form;
  for (const auto& name : option.get_snames()) form.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) form.names.push_back("--" + name);
  form.value = value_of(option);
  form.about = option.get_description();
  const std::string preset = option.get_default_str();
  if (!preset.empty()) form.about += " (default " + preset + ")";
  form.is_many = option.get_expected_max() > 1;
  return form;
}

// An operand that does not say what it takes is called by that.
OptionForm operand_form(const CLI::Option& option) {
  OptionForm form = option_form(option);
  form.names = {option.get_name(true)};
  if (form.value == "TEXT") form.value = form.names.front();
  return form;
}

std::string made_synopsis(const CommandForm& form) {
  std::string synopsis = std::string(kProgramName) + form.name + " [OPTIONS]";
  for (const auto& operand : form.operands) {
    synopsis += " " + operand.names.front() + (operand.is_many ? "..." : "");
  }
  return synopsis;
}

}  // namespace

CommandForm form_of(const CLI::App& app) {
  CommandForm form;
  const std::string& name = app.get_name();
  form.name = name.substr(kProgramName.size());
  std::istringstream lines(app.get_description());
  for (std::string line; std::getline(lines, line);) {
    const bool is_synopsis = line.starts_with(name + " ");
    if (is_synopsis) {
      form.synopses.push_back(line);
    } else {
      form.about += (form.about.empty() ? "" : " ") + line;
    }
  }
  form.notes = app.get_footer();
  for (const auto* option : app.get_options()) {
    if (option->get_positional()) {
      form.operands.push_back(operand_form(*option));
    } else {
      form.options.push_back(option_form(*option));
      if (option == app.get_help_ptr()) form.options.back().about = "print this and exit";
    }
  }
  if (form.synopses.empty()) form.synopses.push_back(made_synopsis(form));
  form.takes_program = std::ranges::any_of(form.synopses, [](const std::string& each) {
    return each.find("-- COMMAND") != std::string::npos;
  });
  return form;
}

}  // namespace jrpcheck::cli
