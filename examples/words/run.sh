#!/bin/sh
# Measure both builds anew: ./run.sh python|rust|cpp|jvm. Results of before are replaced.
set -eu
cd "$(dirname "$0")/$1"
rm -rf results
mkdir results

# Each build once, the old one first in every other round.
alternate() {
  for round in $(seq "$1"); do
    for build in $([ $((round % 2)) = 1 ] && echo old new || echo new old); do measure "$build" "$round"; done
  done
}

case $1 in
python)
  measure() { PYTHONPATH=$1 python3 -m pytest -q bench_words.py --benchmark-json="results/$1-$2.json"; }
  alternate 8
  ;;
rust)
  # The target folder has a program for each build.
  program() { cargo bench --no-run $1 2>&1 | sed -n 's/.*Executable benches.*(\(.*\))/\1/p'; }
  cp "$(program '')" target/old
  cp "$(program '--features new')" target/new
  measure() { CRITERION_HOME=results/$1-$2 "target/$1" --bench --noplot; }
  alternate 8
  # What is read; the other files describe the same run.
  find results -name base -exec rm -r {} +
  find results -type f ! -name sample.json ! -name benchmark.json -delete
  ;;
cpp)
  for build in old new; do g++ -O2 -std=c++17 -I $build bench.cpp -lbenchmark -lpthread -o $build.bench; done
  measure() { "./$1.bench" --benchmark_min_time=0.1 --benchmark_out="results/$1-$2.json" --benchmark_out_format=json; }
  alternate 8
  rm -- *.bench
  ;;
jvm)
  mvn -q dependency:build-classpath -Dmdep.outputFile=target/path
  for build in old new; do
    mkdir -p target/$build
    javac -cp "$(cat target/path)" -d target/$build $build/Words.java bench/WordsBench.java
  done
  measure() {
    java -cp "target/$1:$(cat target/path)" org.openjdk.jmh.Main \
      -f 1 -wi 3 -w 300ms -i 5 -r 300ms -rf json -rff "results/$1-$2.json"
  }
  alternate 10
  ;;
esac
