-- Resources events, one row per (host, log time): of equal times the first in reading order.
--   slot      floor((at - system start) / slot length)
--   inside    whether the slot is in the host's population of the forge loop
--   rss, heap, live: MiB
SELECT
    host, at_ns, slot, file, line, inside,
    rss / 1048576e0 AS rss, heap / 1048576e0 AS heap, live / 1048576e0 AS live
FROM resources
