#!/bin/sh
# Six builds (three ways to count × two levels of the instruction set), ten rounds, every build once per round.
set -eu
cd "$(dirname "$0")"
out=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for way in table swar intrinsic; do
	for level in v1 v3; do
		(cd bench && GOAMD64=$level go test -c -tags "$way" -o "$tmp/$way-$level" .)
		rm -f "$out/$way-amd64$level.txt"
	done
done
for round in 1 2 3 4 5 6 7 8 9 10; do
	for way in table swar intrinsic; do
		for level in v1 v3; do
			"$tmp/$way-$level" -test.run '^$' -test.bench . -test.benchtime 20ms >>"$out/$way-amd64$level.txt"
		done
	done
done
