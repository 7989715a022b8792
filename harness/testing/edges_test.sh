#!/bin/sh
# A program that clang has built with fuzz/examples/coverage_map.c shows its edges: the tests' own
# example is built by their compiler. `edges_test.sh JRPCHECK SOURCE_FOLDER`
set -eu
jrpcheck=$1 examples=$2/fuzz/examples
command -v clang >/dev/null || { echo "clang is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
clang -O1 -fsanitize-coverage=trace-pc-guard -I"$2" -c "$examples"/stdio_server.c "$examples"/handler.c \
  "$examples"/json_text.c
clang -O1 -c "$examples"/coverage_map.c
clang ./*.o -o server
"$jrpcheck" fuzz --runs 500 -- ./server >said 2>&1 || { cat said; exit 1; }
edges=$(sed -n 's/.* \([0-9]*\) edges,.*/\1/p' said)
cat said
[ "${edges:-0}" -ge 50 ] || { echo "the edges of the program were not seen"; exit 1; }
