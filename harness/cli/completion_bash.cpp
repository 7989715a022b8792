#include <string_view>

#include "cli/completion.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kBashBegin =
    R"~(# Completion of jrpcheck for bash, written by: jrpcheck completion bash

_jrpcheck_ids() {
  local topic
  for topic in cases requirements; do
    "${words[0]}" list "$topic" 2>/dev/null | sed -e 1d -e 's/ .*//'
  done
}

# Kinds (f files, d folders, p programs, i ids), then words; behind a word that ends in = comes a file.
_jrpcheck_any() {
  local kinds=$1 word format=
  shift
  if [[ "$*" == *= && $cur == *=* ]]; then
    format=${cur%%=*}= kinds=f
    start+=$format cur=${cur#*=}
    set --
  fi
  for word; do
    [[ $word == "$cur"* ]] || continue
    COMPREPLY+=("$start$word")
    [[ $word == *= ]] && compopt -o nospace 2>/dev/null
  done
  [[ $kinds == *f* ]] && _jrpcheck_made_by compgen -f -- "$cur"
  [[ $kinds == *d* ]] && _jrpcheck_made_by compgen -d -- "$cur"
  [[ $kinds == *p* ]] && _jrpcheck_made_by compgen -c -- "$cur"
  [[ $kinds == *[fd]* ]] && compopt -o filenames 2>/dev/null
  [[ $kinds == *i* ]] && _jrpcheck_made_by compgen -W "$(_jrpcheck_ids)" -- "$cur"
  return 0
}

_jrpcheck_made_by() {
  local each
  while IFS= read -r each; do COMPREPLY+=("$start$each"); done < <("$@")
}

# What stands behind -- is a command line of its own.
_jrpcheck_program() {
  if declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif ((COMP_CWORD == $1)); then
    _jrpcheck_any pf
  else
    _jrpcheck_any f
  fi
}

# Bash takes = and : for the ends of words, and wants only what comes behind them.
_jrpcheck_cut() {
  local i rest=$typed
  [[ $COMP_WORDBREAKS == *:* ]] && rest=${rest##*:}
  [[ $COMP_WORDBREAKS == *=* ]] && rest=${rest##*=}
  for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"${typed%"$rest"}"}; done
}

_jrpcheck() {
  local line=${COMP_LINE:0:COMP_POINT} words=() cur typed option start= i
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  COMPREPLY=()
  typed=${words[${#words[@]} - 1]} cur=$typed option=${words[${#words[@]} - 2]}
  for ((i = 2; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -- ]] || continue
    _jrpcheck_program $((i + 1))
    return
  done
  if [[ $cur == --*=* ]]; then
    option=${cur%%=*} start=$option= cur=${cur#*=}
  fi
  if ((${#words[@]} == 2)); then
    option= words[1]=
  fi
  case "${words[1]} $option" in
)~";

std::string branch_of(const CompletedCommand& command, const CompletedOption& option) {
  std::string pattern;
  for (const auto& name : option.names) {
    pattern += (pattern.empty() ? "'" : " | '") + command.name + " " + name + "'";
  }
  return "    " + pattern + ") _jrpcheck_any " + words_for_script(option.value) + " ;;\n";
}

std::string names_in(const CompletedCommand& command) {
  std::string names;
  for (const auto& option : command.options) {
    for (const auto& name : option.names) names += " " + name;
  }
  return names;
}

}  // namespace

std::string render_bash_completion(const std::vector<CompletedCommand>& commands) {
  std::string text(kBashBegin);
  std::string names;
  for (const auto& command : commands) {
    names += " " + command.name;
    for (const auto& option : command.options) {
      if (!option.value_name.empty()) text += branch_of(command, option);
    }
  }
  text += "    ' ') _jrpcheck_any -" + names + " help --help --version ;;\n";
  for (const auto& command : commands) {
    text += "    '" + command.name + " '*) if [[ $cur == -* ]]; then _jrpcheck_any -" +
            names_in(command) + (command.takes_program ? " --" : "") + "; else _jrpcheck_any " +
            words_for_script(command.operands) + "; fi ;;\n";
  }
  return text + "  esac\n  _jrpcheck_cut\n}\n\ncomplete -F _jrpcheck jrpcheck\n";
}

}  // namespace jrpcheck::cli
