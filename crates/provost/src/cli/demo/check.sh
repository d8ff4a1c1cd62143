#!/bin/sh
# Every module that exists has to be done; the exit status is the evidence.
for module in src/*.txt; do
  [ -e "$module" ] || exit 0
  grep -q 'done' "$module" || { echo "$module is not done"; exit 3; }
done
