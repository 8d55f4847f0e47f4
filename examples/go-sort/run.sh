#!/bin/sh
# Two builds, ten rounds, every build once per round.
set -eu
cd "$(dirname "$0")"
out=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for way in insertion library; do
	(cd bench && go test -c -tags "$way" -o "$tmp/$way" .)
	rm -f "$out/$way.txt"
done
for round in 1 2 3 4 5 6 7 8 9 10; do
	for way in insertion library; do
		"$tmp/$way" -test.run '^$' -test.bench . -test.benchtime 20ms >>"$out/$way.txt"
	done
done
