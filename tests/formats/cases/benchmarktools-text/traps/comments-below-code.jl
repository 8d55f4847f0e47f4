using BenchmarkTools

@benchmark total(values)
# BenchmarkTools.Trial: 500 samples with 1 evaluation.
#  Range (min … max):  1.500 ms …   2.500 ms  ┊ GC (min … max): 0.00% … 0.00%
#  Time  (median):     1.750 ms               ┊ GC (median):    0.00%
#  Time  (mean ± σ):   1.800 ms ± 90.250 μs   ┊ GC (mean ± σ):  0.00% ± 0.00%

#  Memory estimate: 16 bytes, allocs estimate: 1.
