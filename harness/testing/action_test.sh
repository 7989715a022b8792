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

# What a lost quote would swallow may be what makes the job fail.
code=0
ARGS="--quiet '--require conforms" COMMAND="$build/bin/jrpcheck-reference --stdio" \
  "$source/scripts/github-action" run >/dev/null 2>"$folder/errors" || code=$?
[ "$code" -eq 2 ] || fail "a quote that is not closed gives the exit code $code"
grep -q '^args: a quote is not closed' "$folder/errors" || { cat "$folder/errors"; fail "it is not told which"; }

# Where jrpcheck itself could not run there is no verdict.
: >"$folder/output"
ARGS=--nonsense COMMAND=x "$source/scripts/github-action" run >/dev/null 2>&1 && fail "no failure"
grep -qx 'verdict=' "$folder/output" || fail "a verdict without a run"

# A server that nobody runs: the verdict is told, and the summary begins with it in words.
: >"$folder/output"
: >"$folder/summary"
code=0
TARGET=http://127.0.0.1:1/ ARGS="--start-timeout 0.2" "$source/scripts/github-action" run >/dev/null 2>&1 || code=$?
[ "$code" -eq 3 ] || fail "a server that is not there gives the exit code $code"
grep -qx 'verdict=unreachable' "$folder/output" || { cat "$folder/output"; fail "it is not told that nobody is there"; }
sed -n 3p "$folder/summary" | grep -q '^\*\*Nobody is there' || { cat "$folder/summary"; fail "the summary says something else first"; }

# The release of a version is taken where it exists and is what its sum says. A server of files stands for GitHub.
folder_of_release="$folder/www/owner/jrpcheck/releases/download/v1.2.3"
mkdir -p "$folder_of_release" "$folder/packed/jrpcheck-1.2.3/bin"
echo '#!/bin/sh' >"$folder/packed/jrpcheck-1.2.3/bin/released"
(cd "$folder/packed" && tar -czf "$folder_of_release/jrpcheck-linux-$(uname -m).tar.gz" jrpcheck-1.2.3)
(cd "$folder_of_release" && sha256sum ./*.tar.gz | sed 's| \./| |' >"SHA256SUMS-$(uname -m)")
python3 -u -m http.server --bind 127.0.0.1 --directory "$folder/www" 0 >"$folder/www.log" 2>&1 &
www=$!
trap 'kill $www; rm -rf "$folder"' EXIT
until port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$folder/www.log") && [ -n "$port" ]; do kill -0 $www; done
release() { # VERSION
  : >"$folder/output"
  RUNNER_TEMP="$folder/fresh" GITHUB_SERVER_URL="http://127.0.0.1:$port" ACTION_REPOSITORY=owner/jrpcheck VERSION=$1 \
    "$source/scripts/github-action" release 2>"$folder/said"
}
release v1.2.3 || { cat "$folder/said"; fail "the release is not taken"; }
[ "$(tail -n 1 "$folder/output")" = taken=true ] || fail "it is not told that the release was taken"
[ -x "$folder/fresh/jrpcheck/bin/released" ] || [ -e "$folder/fresh/jrpcheck/bin/released" ] || fail "the release is not unpacked"
for version in v9.9.9 main ''; do
  release "$version" || fail "without a release the action does not go on"
  [ "$(tail -n 1 "$folder/output")" = taken=false ] || fail "a release of '$version' was taken"
done
echo more >>"$folder_of_release/jrpcheck-linux-$(uname -m).tar.gz"
if release v1.2.3; then fail "an archive with another sum is taken"; fi

# What the page on CI says of inputs and outputs is what the action has.
for word in $(awk '/^inputs:|^outputs:/ {on = 1} /^runs:/ {on = 0} on && /^  [a-z-]+:$/ {sub(":", "", $1); print $1}' "$source/action.yml"); do
  grep -q "^| \`$word\` |" "$source/docs/ci.md" || fail "docs/ci.md does not tell of $word"
done
for word in conforms partial fails unreachable not-json-rpc empty; do
  grep '^| `verdict` |' "$source/docs/ci.md" | grep -q "$word" || fail "docs/ci.md does not tell of the verdict $word"
  sed -n '/^  verdict:/,/value:/p' "$source/action.yml" | grep -q "$word" || fail "action.yml does not tell of the verdict $word"
done

if command -v action-validator >/dev/null; then action-validator "$source/action.yml"; fi
