#!/bin/sh
# Judges the reference server many times over: every run must come to the same verdicts and counts.
#
#   benchmarks/repeat_runs.sh [RUNS [BIN]]      RUNS: default 200; BIN: default build/bin
#
# Three ways in turn (lines, content-length, HTTP), each compared with its own first run.
set -eu

runs=${1:-200}
bin=${2:-"$(dirname "$0")/../build/bin"}
server=$bin/jrpcheck-reference
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# What must not differ: all that a report says but for times, bytes and the order of arrival.
essence() {
  sed -n -E '/^  *"(verdict|id|requirement|severity|pass|warn|fail|not-exercised)":/p' "$1"
}

judge() {
  case $1 in
    http) set -- "http://127.0.0.1:$port/" -- "$server" --http "$port" ;;
    *) set -- -- "$server" --stdio --framing "$1" ;;
  esac
  "$bin/jrpcheck" run --quiet --report "json=$work/run.json" "$@" >"$work/console" 2>&1
}

differing=0
run=0
while [ "$run" -lt "$runs" ]; do
  case $((run % 3)) in
    0) way=lines ;;
    1) way=content-length ;;
    2) way=http ;;
  esac
  port=$((10000 + (($$ * 37 + run) % 20000)))
  run=$((run + 1))
  code=0
  judge "$way" || code=$?
  { echo "exit code $code"; essence "$work/run.json"; } >"$work/essence"
  if [ ! -f "$work/first-$way" ]; then
    cp "$work/essence" "$work/first-$way"
    printf '%-15s %s\n' "$way" "$(sed -n 2p "$work/console")"
    [ "$code" -eq 0 ] || { cat "$work/console"; exit 1; }
  elif ! cmp -s "$work/first-$way" "$work/essence"; then
    differing=$((differing + 1))
    echo "run $run ($way) differs from the first:"
    diff "$work/first-$way" "$work/essence" | head -n 20
  fi
done
echo "$runs runs, $differing of them differ"
[ "$differing" -eq 0 ]
