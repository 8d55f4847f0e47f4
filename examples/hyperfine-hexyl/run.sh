#!/bin/sh
# Builds two versions of hexyl and times them in turn with hyperfine. Writes
# old/N.json, new/N.json and new-again/N.json beside this script.
# Usage: ./run.sh [ROUNDS]     (default: 4 rounds of 10 runs, 1 to 2 minutes)
set -eu

rounds=${1:-4}
cd "$(dirname "$0")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

CARGO_TARGET_DIR="$work/target"
export CARGO_TARGET_DIR
cargo install --quiet --locked --root "$work/old" --version 0.8.0 hexyl
cargo install --quiet --locked --root "$work/new" --version 0.17.0 hexyl

# The input: about 0.9 MB of text and 4 MB of zero bytes.
seq 1 150000 >"$work/numbers.txt"
head -c 4000000 /dev/zero >"$work/zeros.bin"

# measure SIDE BINARY ROUND: one hyperfine export of all four workloads.
measure() {
	hexyl="$work/$2/bin/hexyl"
	hyperfine --shell=none --warmup 2 --runs 10 --style basic \
		--export-json "$1/$3.json" \
		--command-name 'first 64 bytes' "$hexyl --color never --length 64 $work/numbers.txt" \
		--command-name 'text' "$hexyl --color never $work/numbers.txt" \
		--command-name 'text, colours' "$hexyl --color always $work/numbers.txt" \
		--command-name 'zeros' "$hexyl --color never $work/zeros.bin"
}

unset NO_COLOR
rm -rf old new new-again
mkdir old new new-again
round=1
while [ "$round" -le "$rounds" ]; do
	# The order changes from round to round.
	case $((round % 3)) in
	1) order='old new new-again' ;;
	2) order='new new-again old' ;;
	0) order='new-again old new' ;;
	esac
	for side in $order; do
		case $side in
		old) measure old old "$round" ;;
		*) measure "$side" new "$round" ;;
		esac
	done
	round=$((round + 1))
done
