#include <string_view>

#include "cli/completion.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kFishBegin =
    R"~(# Completion of jrpcheck for fish, written by: jrpcheck completion fish

function __jrpcheck_ids
    for topic in cases requirements
        jrpcheck list $topic 2>/dev/null | sed -e 1d -e 's/ .*//'
    end
end

# Kinds (f files, d folders, p programs, i ids), then words; behind a word that ends in = comes a file.
function __jrpcheck_any
    set -l kinds $argv[1]
    set -l token (commandline -ct)
    if string match -q -- '*=*' $token; and string match -q -- '*=' $argv[-1]
        set -l path (string replace -r '^[^=]*=' '' -- $token)
        for each in (__fish_complete_path $path)
            echo (string replace -r '=.*' '=' -- $token)$each
        end
        return
    end
    test (count $argv) -gt 1; and printf '%s\n' $argv[2..-1]
    string match -q -- '*f*' $kinds; and __fish_complete_path $token
    string match -q -- '*d*' $kinds; and __fish_complete_directories $token ''
    string match -q -- '*p*' $kinds; and __fish_complete_command
    string match -q -- '*i*' $kinds; and __jrpcheck_ids
    return 0
end

function __jrpcheck_in
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]; and not contains -- -- $words
end

function __jrpcheck_without_command
    test (count (commandline -opc)) -eq 1
end

function __jrpcheck_behind_dashes
    contains -- -- (commandline -opc)
end

# What stands behind -- is a command line of its own.
function __jrpcheck_program
    set -l words (commandline -opc)
    set -e words[1..(contains -i -- -- $words)]
    complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))
end

complete -c jrpcheck -f
complete -c jrpcheck -n __jrpcheck_behind_dashes -a '(__jrpcheck_program)'
complete -c jrpcheck -n __jrpcheck_without_command -s h -l help -d 'print what jrpcheck is'
complete -c jrpcheck -n __jrpcheck_without_command -l version -d 'print the version'
)~";

std::string fish_quoted(std::string_view text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') safe += '\\';
    safe += c;
  }
  return safe + "'";
}

std::string line_of(const CompletedCommand& command, const CompletedOption& option) {
  std::string line = "complete -c jrpcheck -n '__jrpcheck_in " + command.name + "'";
  for (const auto& name : option.names) {
    const bool is_long = name.compare(0, 2, "--") == 0;
    line += is_long ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value_name.empty()) line += " -x";
  if (option.value.is_guessable()) {
    line += " -a " + fish_quoted("(__jrpcheck_any " + words_for_script(option.value) + ")");
  }
  return line + " -d " + fish_quoted(option.about) + "\n";
}

}  // namespace

std::string render_fish_completion(const std::vector<CompletedCommand>& commands) {
  std::string text(kFishBegin);
  for (const auto& command : commands) {
    text += "\ncomplete -c jrpcheck -n __jrpcheck_without_command -a " + command.name + " -d " +
            fish_quoted(command.summary) + "\n";
    for (const auto& option : command.options) text += line_of(command, option);
    if (command.operands.is_guessable()) {
      text += "complete -c jrpcheck -n '__jrpcheck_in " + command.name + "' -a " +
              fish_quoted("(__jrpcheck_any " + words_for_script(command.operands) + ")") + "\n";
    }
  }
  return text;
}

}  // namespace jrpcheck::cli
