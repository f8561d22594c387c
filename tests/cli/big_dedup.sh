#!/usr/bin/env bash
# big_dedup.sh BLOOMERY: ten million lines of a crawl, deduplicated, against awk, byte for byte.
# Takes minutes and 1.5 GB in $TMPDIR; runs only with BLOOMERY_SLOW_TESTS=1.
set -euo pipefail
if [[ ${BLOOMERY_SLOW_TESTS:-0} != 1 ]]; then
  echo "set BLOOMERY_SLOW_TESTS=1 to run this"
  exit 77
fi
bloomery=$(readlink -f "$1")
top=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 "$top/bench/gen_urls.py" 10000000 4000000 20261130 >urls.txt
sha256sum -c --quiet <<<"851accb0f94125ee4fcc0d2990973a2994dc996b449ee25d2b912821f4c404fd  urls.txt"
"$bloomery" dedup urls.txt >unique.txt
LC_ALL=C mawk '!s[$0]++' urls.txt | cmp - unique.txt
"$bloomery" dedup --expected 4M --fpr 1e-6 urls.txt >filtered.txt
[[ $(wc -l <filtered.txt) -ge 3999900 ]]
# What the filter let through are first occurrences, in order: nothing that is not in unique.txt, no repeat.
[[ $(diff unique.txt filtered.txt | grep -c '^>') == 0 ]]
echo "$(wc -l <unique.txt) lines out of the exact set, $(wc -l <filtered.txt) out of the filter"
