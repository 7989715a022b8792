#!/bin/bash
# Builds the fuzz targets into $OUT, each with its seeds, its dictionary and its options, as OSS-Fuzz
# and ClusterFuzzLite ask: with $CC, $CXX, $CFLAGS, $CXXFLAGS and $LIB_FUZZING_ENGINE as they are.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${WORK:?}/jrpcheck
mkdir -p "${OUT:?}"

# LLVM's standard library has std::jthread behind a flag before version 20.
[[ ${CXXFLAGS:-} != *-stdlib=libc++* ]] || export CXXFLAGS+=" -fexperimental-library"

# Engines come with another standard library than the package of RE2 is built with, and run the targets where the package
# is not: sources of RE2 beside ours are built for them. What it does is not fuzzed, so it is not instrumented.
installed=
if [ -d "${SRC:-}/re2" ]; then
  installed=$WORK/installed
  cmake -S "$SRC/re2" -B "$WORK/re2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DRE2_BUILD_TESTING=OFF \
    -DCMAKE_CXX_FLAGS="$(grep -oe '-stdlib=[^ ]*' <<<"${CXXFLAGS:-}")" -DCMAKE_INSTALL_PREFIX="$installed"
  cmake --build "$WORK/re2" --target install
fi

# No build type: all flags are the ones that were given.
cmake -S "$top" --preset "${JRPCHECK_PRESET:-fuzzers}" -B "$build" -DCMAKE_PREFIX_PATH="$installed"
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
