#!/usr/bin/env bash
# big_dedup.sh BLOOMERY: the promises of dedup on ten million lines of a crawl, four million of them distinct.
# Takes minutes and 3 GB in $TMPDIR; runs only with BLOOMERY_SLOW_TESTS=1.
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

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# run MEMORY_KB NAME FLAGS...: dedup urls.txt into NAME, summary in NAME.json; the process stays below MEMORY_KB.
run() {
  local most_kb=$1 name=$2
  shift 2
  python3 - "$most_kb" "$bloomery" dedup --json "$@" <<'EOF' >"$name" 2>"$name.json" || fail "$name"
import resource, subprocess, sys
code = subprocess.run(sys.argv[2:]).returncode
peak_kb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if peak_kb > int(sys.argv[1]):
    sys.exit(f"peak memory {peak_kb} KB is above {sys.argv[1]} KB")
sys.exit(code)
EOF
}

fact() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1.json" "$2"; }

# Nothing but first occurrences, in order: what is left out of the exact lines gives these.
only_first_occurrences() {
  [[ $(diff --speed-large-files unique.txt "$1" | grep -c '^>') == 0 ]] || fail "$1 has a line too many"
}

python3 "$top/bench/gen_urls.py" 10000000 4000000 20261130 >urls.txt
sha256sum -c --quiet <<<"851accb0f94125ee4fcc0d2990973a2994dc996b449ee25d2b912821f4c404fd  urls.txt"

run 180000 unique.txt urls.txt
LC_ALL=C mawk '!s[$0]++' urls.txt | cmp - unique.txt

run $(((16 + 32) * 1024)) m16 --memory 16M urls.txt
[[ $(wc -l <m16) -ge 3999900 ]] || fail "16M lost too many lines"
only_first_occurrences m16

for memory in 6M 4M; do
  run $((38 * 1024)) "m$memory" --memory $memory urls.txt
  only_first_occurrences "m$memory"
  python3 -c 'import sys; lost, expected = 4000000 - int(sys.argv[1]), float(sys.argv[2]); print(f"lost {lost}, expected {expected:.0f}"); sys.exit(abs(lost - expected) > 3 * expected ** 0.5)' \
    "$(fact "m$memory" lines_out)" "$(fact "m$memory" expected_wrong_drops)" || fail "$memory: wrong estimate"
done

code=0
"$bloomery" dedup --memory 4M --fpr 1e-6 --strict urls.txt >strict 2>strict.err || code=$?
[[ $code == 3 ]] || fail "--strict exits with $code"
cmp strict m4M || [[ $(wc -l <strict) -gt 3900000 ]] || fail "--strict: incomplete output"
memory=$(sed -n 's/.*promise broken.*--memory \([0-9]*[KM]\) keeps.*/\1/p' strict.err)
"$bloomery" dedup -q --memory "$memory" --fpr 1e-6 --strict urls.txt >kept || fail "--memory $memory does not keep the promise"

# From run to run: in the exact phase, and after the change-over.
head -5000000 urls.txt >half1
tail -n +5000001 urls.txt >half2
for memory in 1G 16M; do
  rm -f s.blm
  "$bloomery" dedup -q --memory $memory --state s.blm half1 >two_runs
  "$bloomery" dedup -q --memory $memory --state s.blm half2 >>two_runs
  [[ $memory == 1G ]] && cmp two_runs unique.txt
  only_first_occurrences two_runs
  [[ $(wc -l <two_runs) -ge 3999900 ]] || fail "two runs at $memory lost too many lines"
done

# kill -9 in the middle of the second run.
rm -f s.blm
"$bloomery" dedup -q --state s.blm half1 >/dev/null
cp s.blm former
mkfifo pipe
"$bloomery" dedup -q --state s.blm pipe >/dev/null &
exec 7>pipe
head -2000000 half2 >&7
kill -9 $! && wait $! 2>/dev/null || true
exec 7>&-
"$bloomery" verify -q s.blm && cmp s.blm former

# A budget that a corpus fills: 20 million distinct lines, each twice, in 256M.
seq 20000000 >many
run $(((256 + 32) * 1024)) m256 --memory 256M many many
[[ $(fact m256 method) == blocked ]] || fail "256M was not filled"
cmp m256 many

"$bloomery" dedup --expected 4M --fpr 1e-6 -q urls.txt >filtered.txt
[[ $(wc -l <filtered.txt) -ge 3999900 ]] || fail "the planned filter lost too many lines"
only_first_occurrences filtered.txt
echo "all promises kept"
