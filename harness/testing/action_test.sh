#!/bin/sh
# action_test.sh BUILD SOURCE: the steps of action.yml as GitHub runs them, with the programs of the
# build tree in the place of what the action would build.
set -eu
build=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*" >&2; exit 1; }
command -v bash >/dev/null || { echo "skipped: there is no bash on this machine"; exit 77; }
mkdir "$folder/jrpcheck"
ln -s "$build/bin" "$folder/jrpcheck/bin"
export RUNNER_TEMP="$folder" GITHUB_OUTPUT="$folder/output" GITHUB_STEP_SUMMARY="$folder/summary"
export GITHUB_ACTION_PATH="$source" REPORT_FOLDER="$folder/my reports"

"$source/scripts/github-action" source
grep -qx "folder=$source" "$folder/output" || fail "the sources are not those of the action"
grep -qx 'hash=[0-9a-f]\{32\}' "$folder/output" || fail "the sources have no hash"

# A server that is right: verdict, reports and summary. Words are split like a shell's.
COMMAND="'$build/bin/jrpcheck-reference' \"--stdio\"" ARGS="--seed 7 --select 'batch/*'" \
  "$source/scripts/github-action" run >/dev/null
grep -qx 'verdict=partial' "$folder/output" || fail "the verdict is not told"
grep -qx "report=$folder/my reports/report.html" "$folder/output" || fail "the report is not named"
for file in run.json junit.xml report.sarif report.html; do
  [ -s "$folder/my reports/$file" ] || fail "$file is missing"
done
[ -s "$folder/summary" ] || fail "the summary is empty"
grep -q '"seed": *7' "$folder/my reports/run.json" || fail "the options have not arrived"

# One with a fault: the verdict is told all the same, and the step fails.
: >"$folder/output"
code=0
COMMAND="$build/bin/jrpcheck-reference --stdio --fault notification-answered" \
  "$source/scripts/github-action" run >/dev/null || code=$?
[ "$code" -eq 1 ] || fail "a server with a fault gives the exit code $code"
grep -qx 'verdict=fails' "$folder/output" || { cat "$folder/output"; fail "the failure is not told"; }

# Nothing in what a user says is run by a shell.
COMMAND='$(touch '"$folder"'/run) ; touch '"$folder/run" ARGS= \
  "$source/scripts/github-action" run >/dev/null 2>&1 || true
[ ! -e "$folder/run" ] || fail "a command of the user was run by a shell"

# Where jrpcheck itself could not run there is no verdict.
: >"$folder/output"
ARGS=--nonsense COMMAND=x "$source/scripts/github-action" run >/dev/null 2>&1 && fail "no failure"
grep -qx 'verdict=' "$folder/output" || fail "a verdict without a run"

if command -v action-validator >/dev/null; then action-validator "$source/action.yml"; fi
