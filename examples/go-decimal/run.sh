#!/bin/sh
# Builds the same benchmarks against two versions of shopspring/decimal and
# runs them in turn. Writes old.txt, new.txt and new-again.txt beside this
# script. Usage: ./run.sh [ROUNDS]      (default: 20 rounds, about 4 minutes)
set -eu

rounds=${1:-20}
cd "$(dirname "$0")"

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

(
	cd bench
	go mod download
	go mod download -modfile=new.mod
	go test -c -o "$build/old.test" .
	go test -c -modfile=new.mod -o "$build/new.test" .
)

# side NAME BINARY: runs every benchmark once and adds the output to NAME.txt.
side() {
	"$build/$2.test" -test.run '^$' -test.bench . -test.benchmem \
		-test.count 1 -test.benchtime 100ms >>"$1.txt"
}

rm -f old.txt new.txt new-again.txt
round=0
while [ "$round" -lt "$rounds" ]; do
	# The order changes from round to round.
	case $((round % 3)) in
	0) order='old new new-again' ;;
	1) order='new new-again old' ;;
	2) order='new-again old new' ;;
	esac
	for name in $order; do
		case $name in
		old) side old old ;;
		*) side "$name" new ;;
		esac
	done
	round=$((round + 1))
	echo "round $round of $rounds done" >&2
done
