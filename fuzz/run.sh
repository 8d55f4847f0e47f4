#!/bin/sh
# Runs every fuzz target for SECONDS (600), two at a time, and prints a line for each.
# Needs the nightly toolchain and cargo-fuzz. Usage: fuzz/run.sh [SECONDS]
set -eu
seconds=${1:-600}
cd "$(dirname "$0")"
cargo +nightly fuzz build
sed -n 's/^path = "fuzz_targets\/\(.*\)\.rs"/\1/p' Cargo.toml |
	xargs -P 2 -I{} sh -c '
		log=$(mktemp)
		if cargo +nightly fuzz run {} -- -max_total_time="$0" -rss_limit_mb=4096 -timeout=20 >"$log" 2>&1
		then echo "{}: $(grep -o "Done .*" "$log" | tail -1), nothing found"
		else echo "{}: FAILED"; tail -40 "$log"
		fi
	' "$seconds"
