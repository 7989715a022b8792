#!/usr/bin/env python3
"""Asks real shells to complete: completion_test.py SHELL JRPCHECK. Leaves with 77 where the shell is missing."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Each script gets the file to read and the lines to complete, and prints `line<TAB>candidate`.
BASH = r"""
source "$1"
shift
for line; do
  COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
  read -ra COMP_WORDS <<<"$(sed 's/\([=:]\)/ \1 /g' <<<"$line")"
  [[ $line == *[[:space:]=:] ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _jrpcheck
  for each in "${COMPREPLY[@]}"; do printf '%s\t%s\n' "$line" "$each"; done
done
"""
FISH = r"""
source $argv[1]
for line in $argv[2..-1]
    for each in (complete -C $line)
        printf '%s\t%s\n' $line (string split \t -- $each)[1]
    end
end
"""
# Zsh completes only at its prompt: a terminal of its own, whose compadd writes down what it is given.
ZSH = r"""
zmodload zsh/zpty || exit 77
folder=${1:h}
shift
mkfifo $folder/done
exec 3<>$folder/done
cat > $folder/rc <<'END'
PROMPT= ; fpath=($FOLDER $fpath)
autoload -Uz compinit && compinit -D -u
compadd() {
  [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]] && { builtin compadd "$@"; return }
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits >> $FOLDER/hits
  builtin compadd "$@"
}
finished() { print done > $FOLDER/done }
complete-and-clear() {
  comppostfuncs=(finished)
  zle expand-or-complete
  BUFFER=
}
zle -C expand-or-complete .complete-word _main_complete
zle -N complete-and-clear
bindkey '^I' complete-and-clear
zstyle ':completion:*' menu no
unsetopt list_beep
LISTMAX=100000
print ready > $FOLDER/done
END
export FOLDER=$folder
zpty shell zsh -f -i
zpty -w shell "source $folder/rc"
read -t 20 -u 3 answer || exit 1
for line; do
  : > $folder/hits
  # What the shell has shown is taken away, or it waits for that for ever.
  while zpty -r -t shell shown; do :; done
  zpty -w -n shell "$line"$'\t'
  read -t 20 -u 3 answer || { print -u2 "no answer to $line"; exit 1 }
  while read -r each; do print -r -- "$line"$'\t'"$each"; done < $folder/hits
done
zpty -d shell
"""
SHELLS = {
    "bash": (["bash", "--norc", "-c", BASH, "bash"], "jrpcheck"),
    "fish": (["fish", "--no-config", "-c", FISH], "jrpcheck.fish"),
    "zsh": (["zsh", "-f", "-c", ZSH, "zsh"], "_jrpcheck"),
}


def output_of(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def expectations(program, folder):
    """Line to complete -> what must come, and whether nothing else may."""
    usage = output_of(program, "--help")
    commands = re.findall(r"^  ([a-z]+)  ", usage.split("Commands")[1], re.M)
    assert "run" in commands and "completion" in commands, usage
    table = {"jrpcheck ": (commands, False), "jrpcheck ru": (["run"], True)}
    for command in commands:
        help_text = output_of(program, command, "--help")
        options = re.findall(r"^  (?:-\w, )?(--[a-z][a-z-]*)", help_text, re.M)
        assert "--help" in options, help_text
        table[f"jrpcheck {command} --"] = (options, False)
    table.update({
        "jrpcheck run --fram": (["--framing"], True),
        "jrpcheck run --framing c": (["content-length", "concatenated"], True),
        "jrpcheck run --color=al": (["always"], True),
        "jrpcheck run --profile ": (["bitcoin", "bitcoin-1.1", "bitcoin-2.0", "ethereum", "jsonrpc-1.0", "jsonrpc-2.0", "lsp", "mcp", "mcp-2025-03-26",
                                     "mcp-2025-06-18", "mcp-2025-11-25", "mcp-2026-07-28"], True),
        "jrpcheck run --report j": (["json=", "junit="], True),
        f"jrpcheck run --report json={folder}/stor": (["stored.json"], True),
        f"jrpcheck run --methods {folder}/stor": (["stored.json"], True),
        f"jrpcheck run --cases {folder}/my-c": (["my-cases"], True),
        "jrpcheck run --opening l": (["lsp"], True),
        "jrpcheck run --select batch/all": (["batch/all-notifications"], True),
        "jrpcheck explain id-ech": (["id-echo"], True),
        "jrpcheck list re": (["requirements"], True),
        "jrpcheck completion b": (["bash"], True),
        f"jrpcheck run -- cat {folder}/stor": (["stored.json"], True),
        f"jrpcheck report html={folder}/x {folder}/stor": (["stored.json"], True),
    })
    return table


def as_typed(candidate, line):
    """The last piece: shells differ in how much of the word they repeat."""
    candidate = candidate.strip().rstrip("/")
    if "/" in line.split(" ")[-1] and "batch/" not in line:
        candidate = candidate.split("/")[-1]
    return candidate.split("=")[-1] if "=" in line and not candidate.endswith("=") else candidate


def main():
    shell, program = sys.argv[1], os.path.abspath(sys.argv[2])
    if shutil.which(shell) is None:
        print(f"skipped: there is no {shell} on this machine")
        return 77
    command, name = SHELLS[shell]
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/my-cases")
        with open(folder + "/stored.json", "w", encoding="utf-8"):
            pass
        with open(f"{folder}/{name}", "w", encoding="utf-8") as script:
            script.write(output_of(program, "completion", shell))
        table = expectations(program, folder)
        environment = dict(os.environ, HOME=folder, TERM="dumb",
                           PATH=os.path.dirname(program) + ":" + os.environ["PATH"])
        done = subprocess.run(command + [f"{folder}/{name}"] + list(table), env=environment,
                              capture_output=True, text=True, timeout=100, cwd=folder)
    if done.returncode != 0 or done.stderr:
        print(done.stdout, done.stderr, f"{shell} left with {done.returncode}")
        return 1
    failures = 0
    for line, (expected, exact) in table.items():
        found = {as_typed(candidate, line) for asked, candidate in
                 (row.split("\t", 1) for row in done.stdout.splitlines()) if asked == line}
        wrong = found != set(expected) if exact else not found >= set(expected)
        if wrong:
            failures += 1
            print(f"{line!r}: expected {sorted(expected)}, found {sorted(found)[:60]}")
    print(f"{shell}: {len(table)} lines, {failures} completed wrongly")
    return 1 if failures else 0


sys.exit(main())
