#include <string_view>

#include "cli/completion.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kZshBegin = R"~(#compdef jrpcheck
# Completion of jrpcheck for zsh, written by: jrpcheck completion zsh

_jrpcheck_ids() {
  local topic
  local -a ids
  for topic in cases requirements; do
    ids+=(${${(f)"$($service list $topic 2>/dev/null | sed 1d)"}%% *})
  done
  compadd -a ids
}

# Kinds (f files, d folders, p programs, i ids), then words; behind a word that ends in = comes a file.
_jrpcheck_any() {
  local kinds=$1
  local -a plain formats
  shift
  plain=(${@:#*=})
  formats=(${(M)@:#*=})
  if (( $#formats )) && compset -P 1 '*='; then
    _files
    return
  fi
  (( $#plain )) && compadd -a plain
  (( $#formats )) && compadd -S '' -a formats
  [[ $kinds == *f* ]] && _files
  [[ $kinds == *d* ]] && _files -/
  [[ $kinds == *p* ]] && _command_names -e
  [[ $kinds == *i* ]] && _jrpcheck_ids
  return 0
}

_jrpcheck() {
  local curcontext=$curcontext state line dashes=${words[(i)--]}
  local -a commands
  # What stands behind -- is a command line of its own.
  if (( dashes < CURRENT )); then
    (( CURRENT -= dashes ))
    shift $dashes words
    _normal
    return
  fi
  _arguments -C '(- *)'{-h,--help}'[print what jrpcheck is]' '(- *)--version[print the version]' \
    '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      commands=(
)~";

// A word in single quotes, in which _arguments and _describe take : [ ] and \ for themselves.
std::string zsh_escaped(std::string_view text, std::string_view special) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\' || special.find(c) != std::string_view::npos) safe += '\\';
    safe += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return safe;
}

std::string spec_of(const CompletedOption& option) {
  std::string exclusive;
  for (const auto& name : option.names) exclusive += (exclusive.empty() ? "(" : " ") + name;
  exclusive = option.is_many ? "*" : exclusive + ")";
  // the value is the next word, or comes behind =
  std::string rest = option.value_name.empty() ? "[" : "=[";
  rest += zsh_escaped(option.about, "[]") + "]";
  if (!option.value_name.empty()) {
    rest += ":" + zsh_escaped(option.value_name, ":") + ": _jrpcheck_any ";
    rest += words_for_script(option.value);
  }
  std::string specs;
  for (const auto& name : option.names) {
    specs += " \\\n          '";
    specs += exclusive;
    specs += name;
    specs += rest;
    specs += "'";
  }
  return specs;
}

}  // namespace

std::string render_zsh_completion(const std::vector<CompletedCommand>& commands) {
  std::string text(kZshBegin);
  for (const auto& command : commands) {
    text += "        '" + command.name + ":" + zsh_escaped(command.summary, ":") + "'\n";
  }
  text += "      )\n      _describe command commands\n      ;;\n    argument)\n";
  text += "      case $words[1] in\n";
  for (const auto& command : commands) {
    text += "        " + command.name + ")\n          _arguments";
    for (const auto& option : command.options) text += spec_of(option);
    text += " \\\n          '*:argument: _jrpcheck_any " + words_for_script(command.operands) +
            "'\n          ;;\n";
  }
  return text + "      esac\n      ;;\n  esac\n}\n\n_jrpcheck \"$@\"\n";
}

}  // namespace jrpcheck::cli
