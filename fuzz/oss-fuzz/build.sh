#!/bin/bash
# Builds the fuzz targets into $OUT, each with its seeds, its dictionary and its options, as OSS-Fuzz
# and ClusterFuzzLite ask: with $CC, $CXX, $CFLAGS, $CXXFLAGS and $LIB_FUZZING_ENGINE as they are.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${WORK:?}/jrpcheck
mkdir -p "${OUT:?}"

# No build type: all flags are the ones that were given.
cmake -S "$top" --preset "${JRPCHECK_PRESET:-fuzzers}" -B "$build"
cmake --build "$build" --target fuzz-targets

for options in "$build"/bin/fuzz/*.options; do
  target=$(basename "$options" .options)
  case $target in fuzz-example-*) continue ;; esac
  cp "$build/bin/fuzz/$target" "$options" "$OUT/"

  seeds=$build/fuzz-seeds/$target
  [ -d "$seeds" ] || seeds=$build/fuzz-seeds/handler
  corpus=$build/seed-corpora/$target
  rm -rf "$corpus"
  mkdir -p "$corpus"
  cp "$seeds"/* "$corpus/"
  for regression in "$top/fuzz/regressions/$target"/*; do
    [ ! -f "$regression" ] || cp "$regression" "$corpus/regression-$(basename "$regression")"
  done
  (cd "$corpus" && cmake -E tar cf "$OUT/${target}_seed_corpus.zip" --format=zip -- ./*)
done
cp "$top/fuzz/json-rpc.dict" "$OUT/"
