#!/bin/sh
# Times six quick commands with hyperfine, run after run. Writes runs/NN.json
# beside this script.
# Usage: ./run.sh [RUNS]     (default: 31 runs of 10 timings, about 1 minute)
set -eu

runs=${1:-31}
cd "$(dirname "$0")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The input: the numbers from 1 to 20000 in a fixed, shuffled order, about 110 kB.
awk 'BEGIN { n = 20000; for (i = 1; i <= n; i++) print (i * 7919) % n + 1 }' >"$work/numbers.txt"

LC_ALL=C
export LC_ALL

rm -rf runs
mkdir runs
run=1
while [ "$run" -le "$runs" ]; do
	hyperfine --shell=none --warmup 2 --runs 10 --style basic \
		--export-json "runs/$(printf '%02d' "$run").json" \
		--command-name 'awk sum' "awk {sum+=\$1}END{print(sum)} $work/numbers.txt" \
		--command-name 'gzip' "gzip --stdout $work/numbers.txt" \
		--command-name 'sha256sum' "sha256sum $work/numbers.txt" \
		--command-name 'sleep 5 ms' "sleep 0.005" \
		--command-name 'sort' "sort --parallel=1 --numeric-sort $work/numbers.txt" \
		--command-name 'xz' "xz --stdout -1 $work/numbers.txt"
	run=$((run + 1))
done
