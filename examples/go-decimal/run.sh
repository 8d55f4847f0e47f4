#!/bin/sh
# Builds the same benchmarks against two versions of shopspring/decimal and
# alternates them. Writes old/NN.txt, new/NN.txt and new-again/NN.txt beside
# this script. Usage: ./run.sh [ROUNDS]      (default: 20 rounds, about 4 minutes)
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

# measure FOLDER BINARY ROUND: starts the binary, which runs every benchmark once.
measure() {
	"$build/$2.test" -test.run '^$' -test.bench . -test.benchmem \
		-test.count 1 -test.benchtime 100ms >"$1/$(printf %02d "$3").txt"
}

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
	for name in $order; do
		case $name in
		old) measure old old "$round" ;;
		*) measure "$name" new "$round" ;;
		esac
	done
	echo "round $round of $rounds done" >&2
	round=$((round + 1))
done
