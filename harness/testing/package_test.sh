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
  small)
    # Without RapidCheck and libFuzzer: what is left works, and what is left out says so.
    cmake -S "$source" -B "$folder/small" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 \
      -DBUILD_TESTING=OFF -DJRPCHECK_FUZZ=OFF -DCMAKE_DISABLE_FIND_PACKAGE_rapidcheck=ON >"$folder/said" 2>&1 ||
      { cat "$folder/said"; fail "the small program cannot be configured"; }
    ninja -C "$folder/small" --quiet jrpcheck >"$folder/said" 2>&1 ||
      { cat "$folder/said"; fail "the small program cannot be built"; }
    small=$folder/small/bin/jrpcheck
    "$small" run --quiet --report "json=$folder/run.json" -- "$build/bin/jrpcheck-reference" --stdio >/dev/null ||
      fail "the small program does not judge"
    "$small" judge --quiet --report "html=$folder/run.html" "$folder/run.json" >/dev/null || fail "nor again"
    for command in fuzz properties replay promote; do
      code=0
      "$small" $command --max-time 1 -- cat >/dev/null 2>"$folder/said" || code=$?
      [ "$code" -eq 2 ] && grep -q "jrpcheck $command is no part of this program: .*JRPCHECK_FUZZ=OFF" "$folder/said" ||
        { cat "$folder/said"; fail "$command does not say that it is left out"; }
    done ;;
  release)
    # The packages of the build tree in the place of those that `scripts/release packages` makes, and a gh that
    # tells what it is asked for.
    need sha256sum
    mkdir -p "$folder/top/scripts" "$folder/top/build-packages/dist" "$folder/bin"
    cp "$source/scripts/release" "$folder/top/scripts/"
    cp "$source/CMakeLists.txt" "$folder/top/"
    dist=$folder/top/build-packages/dist
    (cd "$dist" && cpack --config "$build/CPackConfig.cmake" -G TGZ >"$folder/said" 2>&1 && rm -rf _CPack_Packages) ||
      { cat "$folder/said"; fail "cpack"; }
    machine=$(uname -m)
    cp "$dist"/jrpcheck-[0-9]*.tar.gz "$dist/jrpcheck-linux-$machine.tar.gz"
    : >"$dist/none.deb"
    (cd "$dist" && sha256sum ./*.tar.gz ./*.deb >"SHA256SUMS-$machine")
    printf '#!/bin/sh\necho "$@" >>"%s/asked"\n' "$folder" >"$folder/bin/gh"
    chmod +x "$folder/bin/gh"
    version=$(sed -n 's/^project(jrpcheck VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
    if PATH="$folder/bin:$PATH" "$folder/top/scripts/release" upload v0.0.0 2>/dev/null; then fail "a tag of another version"; fi
    PATH="$folder/bin:$PATH" "$folder/top/scripts/release" upload "v$version"
    for part in "release create v$version" "release upload v$version .*jrpcheck-linux-$machine.tar.gz.*SHA256SUMS-$machine"; do
      grep -q "$part" "$folder/asked" || { cat "$folder/asked"; fail "'$part' is not done"; }
    done
    # A program that needs more than the C library is no release.
    if ldd "$build/bin/jrpcheck" | grep -q libstdc++; then
      if "$folder/top/scripts/release" check >/dev/null 2>"$folder/said"; then fail "any program passes for a release"; fi
      grep -q 'needs more than the C library' "$folder/said" || { cat "$folder/said"; fail "it is not said why"; }
    fi
    # Each step of the workflow is a step of that script.
    for step in $(sed -n 's/.*run: scripts\/release \([a-z]*\).*/\1/p' "$source/.github/workflows/release.yml"); do
      grep -q "^$step() {" "$source/scripts/release" || fail "scripts/release has no $step"
    done ;;
  *) fail "package_test.sh tree|example|archive|deb|small|release BUILD SOURCE" ;;
esac
