#!/bin/sh
# manual_test.sh mandoc|man JRPCHECK: what readers of manual pages say of ours, and that it names
# every command and every option. Leaves with 77 where the reader is missing.
set -eu
reader=$1
program=$2
command -v "$reader" >/dev/null || { echo "skipped: there is no $reader on this machine"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" man >"$folder/jrpcheck.1"
case $reader in
  # The page has no date: two builds of one version are the same.
  mandoc)
    mandoc -Tlint -W warning "$folder/jrpcheck.1" | grep -v 'missing date' >"$folder/complaints" || true
    mandoc -Tascii "$folder/jrpcheck.1" >"$folder/text" ;;
  man)
    MANWIDTH=200 LC_ALL=C.UTF-8 man --warnings=w -l "$folder/jrpcheck.1" \
      >"$folder/text" 2>"$folder/complaints" ;;
esac
if [ -s "$folder/complaints" ]; then cat "$folder/complaints"; exit 1; fi
# Bold and underlined letters are written twice, one over the other.
sed -i -e 's/.\x08//g' -e 's/\x1b\[[0-9;]*m//g' "$folder/text"
for command in $("$program" --help | sed -n '/^Commands/,$s/^  \([a-z]*\)  .*/\1/p'); do
  grep -q "jrpcheck $command" "$folder/text" || { echo "the command $command is missing"; exit 1; }
  for option in $("$program" "$command" --help | sed -n 's/^  \(-h, \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
    grep -q -e "$option" "$folder/text" || { echo "$command $option is missing"; exit 1; }
  done
done
