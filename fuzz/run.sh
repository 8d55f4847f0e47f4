#!/bin/sh
# Fuzzes formats and other targets one after another, each for SECONDS (60), and prints a line for each.
# Usage: fuzz/run.sh [--until] [SECONDS] [NAME…]    NAME is a folder of tests/formats/cases or a target; without one, all.
# fuzz/ran.tsv has the processor seconds that each was fuzzed for in sum, and its number of inputs; with --until, only those
# are fuzzed that have fewer than SECONDS there, each until it has them. Delete the line of a format whose reader changed.
# It ends with 1 if it found something, which stands under fuzz/artifacts, and with 2 if a tool is missing.
#
# A format begins with its cases and with fuzz/corpus/NAME, and continues next time with what it found meanwhile
# (fuzz/target/corpus/NAME). What it finds is mended, and kept as a file of tests/formats/cases/NAME/hostile:
#     STATERA_FORMAT=NAME cargo +nightly fuzz tmin -s none format fuzz/artifacts/NAME/crash-…
set -eu
seconds=60
until=no
if [ "${1-}" = --until ]; then until=yes && shift; fi
case ${1-} in [0-9]*) seconds=$1 && shift ;; esac
cd "$(dirname "$0")"
cases=../tests/formats/cases

missing() {
	echo "fuzz/run.sh: $1 is missing; $2" >&2
	exit 2
}
command -v cargo >/dev/null || missing cargo 'get it from https://rustup.rs'
cargo +nightly --version >/dev/null 2>&1 || missing 'the nightly toolchain' 'rustup toolchain install nightly'
cargo fuzz --version >/dev/null 2>&1 || missing cargo-fuzz 'cargo install cargo-fuzz'

# The crates forbid unsafe code, so the address sanitizer would only slow them down.
triple=$(rustc -vV | sed -n 's/^host: //p')
CARGO_TARGET_DIR=target cargo +nightly fuzz build --sanitizer none
programs=target/$triple/release

# Prints the folders of the first inputs.
seeds() {
	for folder in "$cases/$1/real" "$cases/$1/traps" "$cases/$1/hostile" "corpus/$1"; do
		if [ -d "$folder" ]; then echo "$folder"; fi
	done
}

# A value such as the number of inputs from the last lines of a log.
told() {
	sed -n "s/^stat::$1: *//p" "$log"
}

# Sets `spent` to the processor seconds of all programs that ended so far. A subshell would know only its own.
clock() {
	times >target/times
	spent=$(($(sed -n '2s/^\([0-9]*\)m\([0-9]*\).*/\1 * 60 + \2/p' target/times)))
}

# A column of a name's line in ran.tsv, or 0.
ran() {
	awk -F '\t' -v name="$1" -v column="$2" '$1 == name { found = $column } END { print found + 0 }' ran.tsv
}

# Adds seconds and inputs to a name's line.
record() {
	{
		head -n 1 ran.tsv
		{
			awk -F '\t' -v name="$1" 'NR > 1 && $1 != name' ran.tsv
			printf '%s\t%s\t%s\n' "$1" "$(($(ran "$1" 2) + $2))" "$(($(ran "$1" 3) + $3))"
		} | LC_ALL=C sort
	} >target/ran.tsv
	mv target/ran.tsv ran.tsv
}

# Fuzzes one name; prints what was done.
fuzz() {
	program=format
	if [ -f "fuzz_targets/$1.rs" ]; then program=$1; fi
	mkdir -p "target/corpus/$1" "artifacts/$1" target/logs
	log=target/logs/$1
	clock && begun=$spent
	# Unquoted: a folder is one word.
	if STATERA_FORMAT=$1 "$programs/$program" "target/corpus/$1" $(seeds "$1") -dict=words.dict \
		-max_total_time="$now" -timeout=10 -rss_limit_mb=2048 -max_len=32768 -print_final_stats=1 \
		-artifact_prefix="artifacts/$1/" >"$log" 2>&1
	then said='nothing found'
	else said="FOUND $(grep -a -o 'artifacts/.*' "$log" | head -1)" && failed=1 found=1
	fi
	kept=$(find "target/corpus/$1" -type f | wc -l)
	clock && used=$((spent - begun)) inputs=$(told number_of_executed_units)
	record "$1" "$used" "${inputs:-0}"
	echo "$1: $used s, ${inputs:-0} inputs, $kept kept, $said"
}

if [ $# = 0 ]; then
	# The journal of a run is one of several files, for which there is a target of its own.
	for folder in "$cases"/*/; do
		name=$(basename "$folder")
		if [ "$name" != statera-run ]; then set -- "$@" "$name"; fi
	done
	set -- "$@" source statera_run cluster_logs compare
fi
failed=0
[ -f ran.tsv ] || printf 'name\tprocessor seconds\tinputs\n' >ran.tsv
for name in "$@"; do
	if [ ! -d "$cases/$name" ] && [ ! -f "fuzz_targets/$name.rs" ]; then
		missing "$cases/$name" 'name a folder of cases or a target'
	fi
	now=$seconds found=0
	if [ $until = no ]; then fuzz "$name"; fi
	# A program that shares its processor needs more than its time.
	while [ $until = yes ] && now=$((seconds - $(ran "$name" 2))) && [ $now -gt 0 ] && [ $found = 0 ]; do fuzz "$name"; done
done
exit $failed
