/**
 * Of the laptop:
 *
 * Benchmark    Mode  Cnt   Score   Error  Units
 * Maps.get    thrpt   10  30.500 ± 1.250  ops/s
 *
 * Maps.put    thrpt   10  20.125 ± 0.750  ops/s
 */
