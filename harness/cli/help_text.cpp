#include "cli/help_text.hpp"

#include <sstream>

namespace jrpcheck::cli {
namespace {

constexpr std::size_t kLineWidth = 80;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kColumn = 22;  // where the sentences begin

// Goes on at `column` and wraps to `indent`.
std::string wrapped(const std::string& sentence, std::size_t column, std::size_t indent) {
  std::string text;
  std::istringstream words(sentence);
  for (std::string word; words >> word;) {
    const bool is_first = text.empty();
    if (!is_first && column + 1 + word.size() > kLineWidth) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!is_first) {
      text += " ";
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text;
}

std::string entry(const std::string& label, const std::string& sentence) {
  std::string text = std::string(kIndent, ' ') + label;
  if (sentence.empty()) return text + "\n";
  if (text.size() + 2 > kColumn) {
    text += "\n" + std::string(kColumn, ' ');
  } else {
    text.resize(kColumn, ' ');
  }
  return text + wrapped(sentence, kColumn, kColumn) + "\n";
}

std::string label_of(const OptionForm& option) {
  std::string label;
  for (const auto& name : option.names) label += (label.empty() ? "" : ", ") + name;
  return option.value.empty() ? label : label + " " + option.value;
}

}  // namespace

std::string render_help(const CommandForm& form) {
  std::string text = wrapped(form.about, 0, 0) + "\n\nUsage: " + form.synopsis + "\n\n";
  for (const auto& operand : form.operands) text += entry(operand.names.front(), operand.about);
  if (!form.operands.empty()) text += "\n";
  text += "Options:\n";
  for (const auto& option : form.options) {
    const std::string preset = option.preset.empty() ? "" : " (default " + option.preset + ")";
    text += entry(label_of(option), option.about + preset);
  }
  return form.notes.empty() ? text : text + "\n" + form.notes + "\n";
}

}  // namespace jrpcheck::cli
