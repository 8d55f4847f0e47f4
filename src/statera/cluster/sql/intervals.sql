-- Intervals between consecutive Resources events of a host, and the rates over them.
--   restart   a counter that only grows has shrunk: another process; every rate is null
--   cpu, gc, mut: % of one core; gcs_*: 1/s; alloc: MiB/s; fs_*, net_*: KiB/s
--   slot_before, slot: of the earlier and the later event; the interval belongs to the later
WITH told AS (
    SELECT
        resources.*,
        (at_ns - at_ns_0) / 1e9 AS seconds,
        coalesce(cpu < cpu_0, FALSE) OR coalesce(mut < mut_0, FALSE) OR coalesce(gcs_major < gcs_major_0, FALSE)
        OR coalesce(gcs_minor < gcs_minor_0, FALSE) OR coalesce(alloc < alloc_0, FALSE) AS restart
    FROM resources
    WHERE at_ns_0 IS NOT NULL
)
SELECT
    host, at_ns_0, at_ns, slot_before, slot, file, line, inside, restart, seconds,
    CASE WHEN NOT restart THEN (cpu - cpu_0) / seconds END AS cpu,
    CASE WHEN NOT restart AND gc >= gc_0 THEN (gc - gc_0) / seconds END AS gc,
    CASE WHEN NOT restart THEN (mut - mut_0) / seconds END AS mut,
    CASE WHEN NOT restart THEN (gcs_major - gcs_major_0) / seconds END AS gcs_major,
    CASE WHEN NOT restart THEN (gcs_minor - gcs_minor_0) / seconds END AS gcs_minor,
    CASE WHEN NOT restart THEN (alloc - alloc_0) / seconds / 1048576e0 END AS alloc,
    CASE WHEN NOT restart AND fs_rd >= fs_rd_0 THEN (fs_rd - fs_rd_0) / seconds / 1024e0 END AS fs_rd,
    CASE WHEN NOT restart AND fs_wr >= fs_wr_0 THEN (fs_wr - fs_wr_0) / seconds / 1024e0 END AS fs_wr,
    CASE WHEN NOT restart AND net_rd >= net_rd_0 THEN (net_rd - net_rd_0) / seconds / 1024e0 END AS net_rd,
    CASE WHEN NOT restart AND net_wr >= net_wr_0 THEN (net_wr - net_wr_0) / seconds / 1024e0 END AS net_wr
FROM told
