#!/bin/sh
# Fuzzes formats and other targets one after another, each for SECONDS (60), and prints a line for each.
# Usage: fuzz/run.sh [SECONDS] [NAME…]    NAME is a folder of tests/formats/cases or a target; without one, all.
# It ends with 1 if it found something, which stands under fuzz/artifacts, and with 2 if a tool is missing.
#
# A format begins with its cases and with fuzz/corpus/NAME, and continues next time with what it found meanwhile
# (fuzz/target/corpus/NAME). What it finds is mended, and kept as a file of tests/formats/cases/NAME/hostile:
#     STATERA_FORMAT=NAME cargo +nightly fuzz tmin -s none format fuzz/artifacts/NAME/crash-…
set -eu
seconds=60
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

# Fuzzes one name; prints what was done.
fuzz() {
	program=format
	if [ -f "fuzz_targets/$1.rs" ]; then program=$1; fi
	mkdir -p "target/corpus/$1" "artifacts/$1" target/logs
	log=target/logs/$1
	begun=$(date +%s)
	# Unquoted: a folder is one word.
	if STATERA_FORMAT=$1 "$programs/$program" "target/corpus/$1" $(seeds "$1") -dict=words.dict \
		-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=32768 -print_final_stats=1 \
		-artifact_prefix="artifacts/$1/" >"$log" 2>&1
	then said='nothing found'
	else said="FOUND $(grep -a -o 'artifacts/.*' "$log" | head -1)" && failed=1
	fi
	kept=$(find "target/corpus/$1" -type f | wc -l)
	echo "$1: $(($(date +%s) - begun)) s, $(told number_of_executed_units) inputs, $kept kept, $said"
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
for name in "$@"; do
	if [ ! -d "$cases/$name" ] && [ ! -f "fuzz_targets/$name.rs" ]; then
		missing "$cases/$name" 'name a folder of cases or a target'
	fi
	fuzz "$name"
done
exit $failed
