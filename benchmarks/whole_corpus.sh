#!/bin/sh
# Seconds of `jrpcheck run` with the whole corpus against the reference server, which it starts, over every door:
# `whole_corpus.sh [ROUNDS]`. Under 0.5 s are aimed at, and under 1 s behind TLS.
set -eu
cd "$(dirname "$0")/.."
bin=${JRPCHECK_BIN:-build/bin}
rounds=${1:-3}
port=${JRPCHECK_PORT:-18548}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seconds() {  # NAME ARGUMENT...
  name=$1
  shift
  printf '%-16s' "$name"
  for round in $(seq "$rounds"); do
    begin=$(date +%s%N)
    "$bin/jrpcheck" run --quiet "$@" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
    awk "BEGIN { printf \" %.2f\", ($(date +%s%N) - $begin) / 1e9 }"
  done
  echo
}

server=$bin/jrpcheck-reference
address=127.0.0.1:$port
seconds stdio -- "$server" --stdio
seconds http "http://$address/" -- "$server" --http "$port"
seconds tcp "tcp://$address" -- "$server" --tcp "$port"
seconds unix "unix:$work/socket" -- "$server" --unix "$work/socket"
seconds ws "ws://$address/" -- "$server" --ws "$port"
seconds sse "http://$address/" -- "$server" --sse "$port"
seconds sse-2024-11-05 "http://$address/sse" -- "$server" --sse "$port"
seconds tls --insecure "tls://$address" -- "$server" --tls-self-signed --tcp "$port"
seconds https --insecure "https://$address/" -- "$server" --tls-self-signed --http "$port"
seconds wss --insecure "wss://$address/" -- "$server" --tls-self-signed --ws "$port"
