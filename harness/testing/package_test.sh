#!/bin/sh
# package_test.sh WHAT BUILD SOURCE: what users install, used as they use it. The build tree is the
# ordinary one; everything else happens in a folder that is gone afterwards. Leaves with 77 where a
# program that is needed is missing.
set -eu
what=$1
build=$2
source=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || { echo "skipped: there is no $1 on this machine"; exit 77; }; }

# An installed tree that has been moved since.
install_and_move() {
  cmake --install "$build" --prefix "$folder/installed" >/dev/null
  mv "$folder/installed" "$folder/moved"
}

# judge_reference BIN: jrpcheck from there judges the reference server from there, and knows nothing
# of the build tree.
judge_reference() {
  (cd / && env -i PATH="$1:/usr/bin:/bin" HOME="$folder" jrpcheck run --quiet \
    --report "json=$folder/run.json" -- "$1/jrpcheck-reference" --stdio) >"$folder/said" ||
    { cat "$folder/said"; fail "the installed jrpcheck does not pass the installed reference server"; }
  grep -q '"verdict": *"conforms"' "$folder/run.json" || { cat "$folder/said"; fail "no verdict"; }
  env -i PATH="$1:/usr/bin:/bin" jrpcheck list faults >/dev/null ||
    fail "the reference server beside the installed jrpcheck is not found"
}

corpus_hash() { sed -n 's/.*"corpus-hash": *"\([^"]*\)".*/\1/p' "$folder/run.json"; }

# With the folder of cases given, the same questions are asked as with those that are built in.
same_corpus() {
  built_in=$(corpus_hash)
  "$1/bin/jrpcheck" run --quiet --cases "$1/share/jrpcheck/cases" --select calibration/number-id \
    --report "json=$folder/run.json" -- "$1/bin/jrpcheck-reference" --stdio >/dev/null
  [ -n "$built_in" ] && [ "$built_in" = "$(corpus_hash)" ] ||
    fail "the installed cases are not those that are built in"
}

# build_example OPTION...: an example from outside, against what is installed.
build_example() {
  cmake -S "$source/examples/embed-gtest" -B "$folder/example" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS=-O0 -DCMAKE_PREFIX_PATH="$folder/moved" "$@" >"$folder/said" 2>&1 ||
    { cat "$folder/said"; fail "the example cannot be configured"; }
  cmake --build "$folder/example" >"$folder/said" 2>&1 ||
    { cat "$folder/said"; fail "the example cannot be built"; }
}

case $what in
  tree)
    install_and_move
    judge_reference "$folder/moved/bin"
    same_corpus "$folder/moved"
    for file in share/man/man1/jrpcheck.1 share/bash-completion/completions/jrpcheck \
      share/zsh/site-functions/_jrpcheck share/fish/vendor_completions.d/jrpcheck.fish \
      share/jrpcheck/cases/ledger.json share/jrpcheck/cases/profiles/jsonrpc-2.0.json \
      share/doc/jrpcheck/copyright include/jrpcheck/gtest.hpp; do
      [ -s "$folder/moved/$file" ] || fail "$file is not installed"
    done
    # The headers are all that a user sees: they lead to nothing that is not installed.
    if grep -rn '#include "' "$folder/moved/include"; then fail "a header of ours is asked for"; fi
    if grep -rln -e "$source" -e "$build" "$folder/moved/lib/cmake" "$folder/moved/share/man"; then
      fail "what is installed knows where it was built"
    fi ;;
  example)
    install_and_move
    build_example
    "$folder/example/conformance_test" --gtest_brief=1 >"$folder/said" ||
      { cat "$folder/said"; fail "a right handler fails"; }
    grep -q 'PASSED  \] [0-9][0-9][0-9] tests' "$folder/said" || { cat "$folder/said"; fail "too few"; }
    build_example -DWITH_FAULT=ON
    if "$folder/example/conformance_test" --gtest_brief=1 >"$folder/said"; then fail "a fault passes"; fi
    # Case, requirement, clause, what was sent, what came back, what was expected.
    for part in 'notification/.*: fail' 'violated  *ntf-silent (JSON-RPC 2.0 §4.1)' \
      'sent  *{"jsonrpc"' 'received  *{' 'expected  *[a-z]'; do
      grep -q "$part" "$folder/said" || { cat "$folder/said"; fail "'$part' is not said"; }
    done
    if grep 'violated' "$folder/said" | grep -v 'ntf-\|bat-'; then
      fail "the fault is charged to what it does not violate"
    fi ;;
  archive)
    (cd "$folder" && cpack --config "$build/CPackConfig.cmake" -G TGZ >"$folder/said" 2>&1) ||
      { cat "$folder/said"; fail "cpack"; }
    mkdir "$folder/unpacked"
    tar -xzf "$folder"/jrpcheck-*.tar.gz -C "$folder/unpacked" --strip-components=1
    judge_reference "$(dirname "$(find "$folder/unpacked" -name jrpcheck -path '*bin/jrpcheck')")" ;;
  deb)
    need dpkg-deb
    need dpkg-shlibdeps
    (cd "$folder" && cpack --config "$build/CPackConfig.cmake" -G DEB >"$folder/said" 2>&1) ||
      { cat "$folder/said"; fail "cpack"; }
    package=$(ls "$folder"/*.deb)
    # A system of its own, in which the package is the only one.
    mkdir -p "$folder/root/var/lib/dpkg/updates" "$folder/root/var/lib/dpkg/info"
    : >"$folder/root/var/lib/dpkg/status"
    dpkg --root="$folder/root" --force-depends --force-not-root --force-script-chrootless \
      -i "$package" >"$folder/said" 2>&1 || { cat "$folder/said"; fail "dpkg"; }
    dpkg --root="$folder/root" -s jrpcheck | grep -q 'Status: install ok installed'
    dpkg-deb -f "$package" Depends | grep -q libc6 || fail "the package depends on no libc"
    judge_reference "$folder/root/usr/bin"
    command -v lintian >/dev/null || { echo "there is no lintian on this machine"; exit 0; }
    lintian --allow-root --fail-on error --tag-display-limit 0 "$package" ;;
  *) fail "package_test.sh tree|example|archive|deb BUILD SOURCE" ;;
esac
