#!/bin/sh
# Generates the logs of six runs again. Needs the tools of the repository (make setup).
# Usage: ./run.sh
set -eu
cd "$(dirname "$0")"

# run NAME SEED ADOPTION
run() {
	rm -rf "$1"
	PYTHONPATH=../../tests/cluster ../../.venv/bin/python -m generator "$1" --hosts 4 --slots 500 --epoch-length 200 --busy 3 --seed "$2" \
		--adoption "$3" --mempool 0.05 --peers 2 --battles 0.05 --lost-forged 0.02 --noise 0.002 --cut 1 --restarts 1 \
		--compression .zst
	rm "$1/truth.json"
}

run base-1 11 1
run slower-1 21 1.25
run base-2 12 1
run slower-2 22 1.25
run base-3 13 1
run slower-3 23 1.25
