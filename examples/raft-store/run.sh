#!/bin/sh
# Starts three nodes of a replicated store, sends requests to the leader, and keeps the logs of every node: with Raft's
# log synced to disk (sync-1 to sync-N) and without (nosync-1 to nosync-N), in turn.
# Usage: ./run.sh [RUNS] [REQUESTS]      (default: 3 runs per side of 400 requests, about 2 minutes)
set -eu

runs=${1:-3}
requests=${2:-400}
cd "$(dirname "$0")"

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
(cd bench && go build -o "$build/raftstore" .)

peers=node-0=127.0.0.1:7100,node-1=127.0.0.1:7101,node-2=127.0.0.1:7102

# cluster NAME [OPTION]: runs three nodes and puts their logs into NAME/node-N/events.json.gz.
cluster() {
	name=$1
	shift
	rm -rf "$name"
	pids=
	for node in 0 1 2; do
		mkdir -p "$build/$name/node-$node" "$name/node-$node"
		"$build/raftstore" -id "node-$node" -dir "$build/$name/node-$node" -listen "127.0.0.1:710$node" \
			-peers "$peers" -requests "$requests" "$@" &
		pids="$pids $!"
	done
	for pid in $pids; do
		wait "$pid"
	done
	for node in 0 1 2; do
		gzip -9 -n <"$build/$name/node-$node/events.json" >"$name/node-$node/events.json.gz"
	done
}

run=1
while [ "$run" -le "$runs" ]; do
	# Which side goes first changes from run to run.
	if [ $((run % 2)) -eq 1 ]; then
		cluster "sync-$run"
		cluster "nosync-$run" -no-sync
	else
		cluster "nosync-$run" -no-sync
		cluster "sync-$run"
	fi
	echo "run $run of $runs done" >&2
	run=$((run + 1))
done
