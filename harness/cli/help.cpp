#include "cli/help.hpp"

#include "base/join.hpp"
#include "cli/text_layout.hpp"

namespace jrpcheck::cli {
namespace {

constexpr Columns kHelpColumns{22, 80};

std::string label_of(const OptionForm& option) {
  const std::string label = joined(option.names);
  return option.value.empty() ? label : label + " " + option.value;
}

}  // namespace

std::string render_help(const CommandForm& form) {
  std::string usage;
  for (const auto& each : form.synopses)
    usage += (usage.empty() ? "Usage: " : "       ") + each + "\n";
  TextLayout help(wrapped(form.about, 0, kHelpColumns.width) + "\n\n" + usage, kHelpColumns);
  for (const auto& operand : form.operands) help.entry(operand.names.front(), operand.about);
  if (!form.operands.empty()) help.gap();
  TextLayout options("Options:", kHelpColumns);
  for (const auto& option : form.options) options.entry(label_of(option), option.about);
  const std::string notes = form.notes.empty() ? "" : "\n" + form.notes + "\n";
  return help.text() + options.text() + notes;
}

}  // namespace jrpcheck::cli
