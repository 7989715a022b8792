#!/bin/sh
# Judged exchanges a second of `jrpcheck fuzz`, over stdio, TCP, WebSocket and HTTP, as a ratio to a client that
# judges nothing, on the same server in the same minute: `fuzz_throughput.sh [SECONDS [ROUNDS]]`.
# That client writes a call and reads its answer; over HTTP it is wrk, where that is installed, with eight connections as
# the fuzzer has: once with one small call, and once with messages that the fuzzer has sent, which cost a server more.
# Rounds alternate, so that load on the machine falls on both.
#
# The reference server answers quicker than most that people run. One of those, over HTTP alone, started anew for both:
#   fuzz_throughput.sh 5 3 http://127.0.0.1:8545/ node server.js
set -eu
cd "$(dirname "$0")/.."
bin=${JRPCHECK_BIN:-build/bin}
seconds=${1:-5}
rounds=${2:-3}
port=${JRPCHECK_PORT:-18547}
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT

# The rate of the last line that has one: "12345 exchanges in 5.0 s (2469/s, 31 µs of processor time each), ...", or as
# the loop says it: "... in 5.0 s (2469/s)".
rate() { sed -n 's/.* s (\([0-9]*\)\/s.*/\1/p' | tail -1; }
ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }

command -v wrk >/dev/null || echo "http   wrk is not installed: without a ratio"
cat >"$work/call.lua" <<'LUA'
wrk.method = "POST"
wrk.body = '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}'
wrk.headers["Content-Type"] = "application/json"
LUA
cat >"$work/messages.lua" <<'LUA'
wrk.headers["Content-Type"] = "application/json"
local requests, last = {}, 0
function init(arguments)
  for name in io.popen("ls " .. arguments[1] .. "/*"):lines() do
    local file = io.open(name, "rb")
    requests[#requests + 1] = wrk.format("POST", nil, nil, file:read("*a"))
    file:close()
  end
end
function request()
  last = last % #requests + 1
  return requests[last]
end
LUA

wrk_rate() {  # SCRIPT URL ARGUMENT...
  script=$1
  shift
  wrk -t1 -c8 -d"${seconds}s" -s "$work/$script" "$@" | sed -n 's/^Requests\/sec: *\([0-9.]*\).*/\1/p'
}

# URL COMMAND...
over_http() {
  url=$1
  shift
  for round in $(seq "$rounds"); do
    fuzz=$("$bin/jrpcheck" fuzz --keep-going --max-time "$seconds" --seed "$round" --corpus "$work/messages" \
      "$url" -- "$@" 2>/dev/null | rate)
    command -v wrk >/dev/null || { echo "http   fuzz $fuzz/s"; continue; }
    "$@" >/dev/null 2>&1 & server=$!
    until curl -s -o "$work/came" "$url"; do kill -0 "$server"; done
    bare=$(wrk_rate call.lua "$url")
    same=$(wrk_rate messages.lua "$url" -- "$work/messages")
    kill "$server" && wait "$server" 2>/dev/null || true
    server=
    echo "http   fuzz $fuzz/s  wrk $bare/s  ratio $(ratio "$fuzz" "$bare")  wrk with these messages $same/s  ratio" \
      "$(ratio "$fuzz" "$same")"
  done
}

if [ $# -gt 3 ]; then
  shift 2
  over_http "$@"
  exit
fi

c++ -O2 -o "$work/bare_loop" benchmarks/bare_loop.cpp
for round in $(seq "$rounds"); do
  bare=$("$work/bare_loop" "$seconds" "$bin/jrpcheck-reference" --stdio)
  fuzz=$("$bin/jrpcheck" fuzz --keep-going --max-time "$seconds" --seed "$round" \
    -- "$bin/jrpcheck-reference" --stdio 2>/dev/null | rate)
  echo "stdio  fuzz $fuzz/s  bare loop $bare/s  ratio $(ratio "$fuzz" "$bare")"
done

for door in tcp ws; do
  for round in $(seq "$rounds"); do
    fuzz=$("$bin/jrpcheck" fuzz --keep-going --max-time "$seconds" --seed "$round" \
      "$door://127.0.0.1:$port" -- "$bin/jrpcheck-reference" "--$door" "$port" 2>/dev/null | rate)
    "$bin/jrpcheck-reference" "--$door" "$port" 2>"$work/listening" & server=$!
    until grep -q listening "$work/listening"; do :; done
    bare=$("$work/bare_loop" "$seconds" "--$door" "$port")
    kill "$server" && wait "$server" 2>/dev/null || true
    server=
    echo "$door    fuzz $fuzz/s  bare loop $bare/s  ratio $(ratio "$fuzz" "$bare")"
  done
done

over_http "http://127.0.0.1:$port/" "$bin/jrpcheck-reference" --http "$port"
