#!/bin/sh
# jrpcheck client --driver -- sh curl.sh         what curl(1) and jq(1) make of it; no id is looked at
most=${JRPCHECK_TIMEOUT:-5}
[ -z "$JRPCHECK_TIMEOUT" ] || echo "{\"limit\":$JRPCHECK_TIMEOUT}"
for n in $(echo "$JRPCHECK_CALLS" | tr , ' '); do
  if [ "$n" = "$JRPCHECK_NOTIFY" ]; then
    curl -sS --fail-with-body --max-time 5 --json "{\"jsonrpc\":\"2.0\",\"method\":\"note\",\"params\":[$n]}" "$JRPCHECK_URL" >/dev/null 2>&1 ||
      echo "{\"note\":$n,\"err\":\"curl\"}"
  fi
  body=$(curl -sS --fail-with-body --max-time "$most" --json "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":[$n],\"id\":$n}" "$JRPCHECK_URL" 2>/dev/null)
  if [ $? -ne 0 ]; then echo "{\"n\":$n,\"err\":\"curl\"}"; continue; fi
  printf '%s' "$body" | jq -c --argjson n "$n" 'if has("error") then {n: $n, err: .error} else {n: $n, ok: .result} end' 2>/dev/null ||
    echo "{\"n\":$n,\"err\":\"jq\"}"
done
