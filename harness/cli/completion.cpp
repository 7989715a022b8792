#include "cli/completion.hpp"

#include "cli/commands.hpp"

namespace jrpcheck::cli {
namespace {

// The sentence up to where it goes into detail.
std::string first_words(const std::string& sentence) {
  return sentence.substr(0, std::min(sentence.find("; "), sentence.find(": ")));
}

CompletedOption completed(const OptionForm& option) {
  return {option.names, first_words(option.about), option.value, value_form(option.value),
          option.is_many};
}

ValueForm all_of(const std::vector<OptionForm>& operands) {
  std::string word;
  for (const auto& operand : operands) word += (word.empty() ? "" : "|") + operand.value;
  return value_form(word);
}

}  // namespace

std::vector<CompletedCommand> completed_commands() {
  std::vector<CompletedCommand> commands;
  for (const auto& command : all_commands()) {
    const CommandForm form = command.form();
    CompletedCommand one{
        form.name, std::string(command.summary), {}, all_of(form.operands), form.takes_program};
    for (const auto& option : form.options) one.options.push_back(completed(option));
    commands.push_back(std::move(one));
  }
  return commands;
}

std::string words_for_script(const ValueForm& value) {
  std::string kinds;
  if (value.files) kinds += 'f';
  if (value.folders) kinds += 'd';
  if (value.programs) kinds += 'p';
  if (value.ids) kinds += 'i';
  std::string text = kinds.empty() ? "-" : kinds;
  for (const auto& word : value.words) text += " " + word;
  for (const auto& format : value.formats) text += " " + format + "=";
  return text;
}

}  // namespace jrpcheck::cli
