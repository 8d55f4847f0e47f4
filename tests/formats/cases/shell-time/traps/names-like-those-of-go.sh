# Measured by hand.
# BenchmarkCopy_1
# copy of one field
# real	0m1.250s
# user	0m1.000s
# sys	0m0.125s
#
# BenchmarkCopy_2
# copy of two fields
# real	0m2.500s
# user	0m2.000s
# sys	0m0.250s
