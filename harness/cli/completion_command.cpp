#include <CLI/CLI.hpp>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/parse_words.hpp"
#include "cli/write_file.hpp"

namespace jrpcheck::cli {
namespace {

// Each script asks `jrpcheck __complete WORD...` (see completion.hpp). Behind -- stands a command
// line of its own, which the shell completes.
constexpr std::string_view kBash = R"~(# Completion of jrpcheck for bash

_jrpcheck_program() {
  if declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif ((COMP_CWORD == $1)); then
    mapfile -t COMPREPLY < <(compgen -cf -- "${COMP_WORDS[COMP_CWORD]}")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
    compopt -o filenames 2>/dev/null
  fi
}

_jrpcheck() {
  local line=${COMP_LINE:0:COMP_POINT} words=() typed kinds start rest kind each i
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  typed=${words[${#words[@]} - 1]} COMPREPLY=()
  for ((i = 2; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -- ]] && { _jrpcheck_program $((i + 1)); return; }
  done
  {
    read -r kinds
    read -r start
    while IFS= read -r each; do COMPREPLY+=("${each%%$'\t'*}"); done
  } < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  for kind in f:-f d:-d p:-c; do
    [[ $kinds == *${kind%:*}* ]] || continue
    compopt -o filenames 2>/dev/null
    while IFS= read -r each; do COMPREPLY+=("$start$each"); done \
      < <(compgen "${kind#*:}" -- "${typed#"$start"}")
  done
  # Bash takes = and : for the ends of words, and wants only what comes behind them.
  rest=$typed
  [[ $COMP_WORDBREAKS == *:* ]] && rest=${rest##*:}
  [[ $COMP_WORDBREAKS == *=* ]] && rest=${rest##*=}
  for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"${typed%"$rest"}"}; done
}

complete -F _jrpcheck jrpcheck
)~";

constexpr std::string_view kZsh = R"~(#compdef jrpcheck
# Completion of jrpcheck for zsh

_jrpcheck() {
  local dashes=${words[(i)--]}
  local -a lines plain open
  if (( dashes < CURRENT )); then
    (( CURRENT -= dashes ))
    shift $dashes words
    _normal
    return
  fi
  lines=("${(@f)$("$words[1]" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  plain=("${(@)${(@)${(@)lines[3,-1]//:/\\:}/$'\t'/:}:#}")
  open=("${(@M)plain:#*=:*}")
  plain=("${(@)plain:#*=:*}")
  (( $#plain )) && _describe argument plain
  (( $#open )) && _describe argument open -S ''
  [[ -n $lines[1] ]] && compset -p $#lines[2]
  [[ $lines[1] == *f* ]] && _files
  [[ $lines[1] == *d* ]] && _files -/
  [[ $lines[1] == *p* ]] && _command_names -e
  return 0
}

_jrpcheck "$@"
)~";

constexpr std::string_view kFish = R"~(# Completion of jrpcheck for fish

function __jrpcheck
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    if set -l dashes (contains -i -- -- $words)
        set -e words[1..$dashes]
        complete -C (string join ' ' -- (string escape -- $words) $token)
        return
    end
    set -l lines ($words[1] __complete $words[2..-1] $token 2>/dev/null)
    set -l path (string sub -s (math 1 + (string length -- $lines[2])) -- $token)
    string match -q -- '*f*' $lines[1]; and printf "$lines[2]%s\n" (__fish_complete_path $path)
    string match -q -- '*d*' $lines[1]; and __fish_complete_directories $token ''
    string match -q -- '*p*' $lines[1]; and __fish_complete_command
    test (count $lines) -gt 2; and printf '%s\n' $lines[3..-1]
end

complete -c jrpcheck -f -a '(__jrpcheck)'
)~";

struct Shell {
  std::string_view name;
  std::string_view script;
};

constexpr Shell kShells[] = {{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};

ExitCode print_script(const std::string& name) {
  for (const auto& shell : kShells) {
    if (shell.name != name) continue;
    const auto written = print_text(shell.script);
    return written ? ExitCode::ok : complain(ExitCode::internal, written.error().message);
  }
  return complain(ExitCode::usage, "which shell? jrpcheck completion takes one of bash|zsh|fish");
}

}  // namespace

Action declare_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.description("Prints what completes the words of jrpcheck in a shell.");
  app.footer(
      "  jrpcheck completion bash > ~/.local/share/bash-completion/completions/jrpcheck\n"
      "  jrpcheck completion zsh > \"${fpath[1]}/_jrpcheck\"\n"
      "  jrpcheck completion fish > ~/.config/fish/completions/jrpcheck.fish");
  app.add_option("SHELL", *shell, "the shell that is to read it")->type_name("bash|zsh|fish");
  return [shell](const CommandLine&) { return print_script(*shell); };
}

}  // namespace jrpcheck::cli
