// g++ -O2 -I old bench.cpp -lbenchmark -lpthread -o old.bench
#include <benchmark/benchmark.h>

#include "words.h"

static Words text() {
  Words words;
  for (int number = 0; number < 2000; ++number) words.push_back("word" + std::to_string(number * number % 97));
  return words;
}

static void Count(benchmark::State& state) {
  const Words words = text();
  for (auto _ : state) benchmark::DoNotOptimize(count(words));
}
BENCHMARK(Count);

static void Longest(benchmark::State& state) {
  const Words words = text();
  for (auto _ : state) benchmark::DoNotOptimize(longest(words));
}
BENCHMARK(Longest);

BENCHMARK_MAIN();
