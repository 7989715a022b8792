#!/bin/sh
# How long the corpus takes against a server that is right and answers each call after 20 ms, with
# default settings. Under 15 s is the aim.
#
# Measured on two idle cores: lines 2.7 s, Content-Length 2.9 s, HTTP 3.8 s.
#
#   benchmarks/slow_server.sh [BIN]      BIN: default build/bin
#
# Prints the seconds, and how they compare with one client that sends everything in turn: the
# messages of all transcripts times 20 ms.
set -eu

bin=${1:-"$(dirname "$0")/../build/bin"}
server=$bin/jrpcheck-reference
round_trip_ms=20
limit_ms=15000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

judge() {
  case $1 in
    http) set -- "http://127.0.0.1:$port/" -- "$server" --variant slow --http "$port" ;;
    *) set -- --framing "$1" -- "$server" --variant slow --stdio --framing "$1" ;;
  esac
  "$bin/jrpcheck" run --quiet --report "json=$work/run.json" "$@" >"$work/console" 2>&1
}

too_slow=0
port=$((10000 + $$ % 20000))
for way in lines content-length http; do
  begin=$(date +%s%N)
  judge "$way" || { cat "$work/console"; exit 1; }
  took_ms=$((($(date +%s%N) - begin) / 1000000))
  calls=$(grep -c '"direction": "sent"' "$work/run.json")
  awk -v way="$way" -v took="$took_ms" -v calls="$calls" -v trip="$round_trip_ms" 'BEGIN {
    printf "%-15s %6.2f s   %d messages   %.2f of their round trips in turn\n",
           way, took / 1000, calls, took / (calls * trip) }'
  [ "$took_ms" -lt "$limit_ms" ] || too_slow=1
done
[ "$too_slow" -eq 0 ]
