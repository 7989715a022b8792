#!/bin/sh
# How long the corpus takes against servers that die, or hang, of many cases. A complete report in
# less than a minute is the aim.
#
# Measured on two idle cores: servers that die take 0.3 to 2.3 s, one that hangs 6 s, one that goes deaf
# of each broken message 20 s, one that loses replies 25 s.
#
#   benchmarks/dying_server.sh [BIN]      BIN: default build/bin
set -eu

bin=${1:-"$(dirname "$0")/../build/bin"}
server=$bin/jrpcheck-reference
limit_ms=60000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

judge() {
  fault=$1
  case $2 in
    http) set -- "http://127.0.0.1:$port/" -- "$server" --fault "$fault" --http "$port" ;;
    *) set -- --framing "$2" -- "$server" --fault "$fault" --stdio --framing "$2" ;;
  esac
  "$bin/jrpcheck" run --quiet --report "json=$work/run.json" "$@" >"$work/console" 2>&1
}

too_slow=0
port=$((10000 + $$ % 20000))
for fault in parse-error-exit parse-error-abort dies-after-sixty-messages null-in-batch-fatal \
  primitive-fatal surrogate-hangs parse-error-deafens reply-lost; do
  for way in lines content-length http; do
    [ "$fault-$way" != parse-error-deafens-http ] || continue  # it deafens streams only
    [ "$fault-$way" != reply-lost-http ] || continue           # likewise
    begin=$(date +%s%N)
    code=0
    judge "$fault" "$way" || code=$?
    took_ms=$((($(date +%s%N) - begin) / 1000000))
    # Only a run that came to its end, with a verdict, is worth measuring.
    [ "$code" -le 1 ] || { cat "$work/console"; exit 1; }
    awk -v fault="$fault" -v way="$way" -v took="$took_ms" 'NR == 2 {
      printf "%-26s %-15s %6.2f s   %s\n", fault, way, took / 1000, $0 }' "$work/console"
    [ "$took_ms" -lt "$limit_ms" ] || too_slow=1
  done
done
[ "$too_slow" -eq 0 ]
