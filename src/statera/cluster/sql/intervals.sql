-- Intervals between consecutive Resources events of a host, and the rates over them.
--   restart   a counter that only grows has shrunk: another process; every rate is null
--   cpu, gc, mut: % of one core; gcs_*: 1/s; alloc: MiB/s; fs_*, net_*: KiB/s
--   slot_before, slot: of the earlier and the later event; the interval belongs to the later
WITH told AS (
    SELECT
        *,
        (at_ns - at_ns_0) / 1e9 AS seconds,
        coalesce(cpu < cpu_0, FALSE) OR coalesce(mut < mut_0, FALSE) OR coalesce(gcs_major < gcs_major_0, FALSE)
        OR coalesce(gcs_minor < gcs_minor_0, FALSE) OR coalesce(alloc < alloc_0, FALSE) AS restart
    FROM resources
    WHERE at_ns_0 IS NOT NULL
),
lasting AS (
    SELECT *, CASE WHEN NOT restart THEN seconds END AS lasted FROM told
)
SELECT
    host, at_ns_0, at_ns, slot_before, slot, file, line, inside, restart, seconds,
    (cpu - cpu_0) / lasted AS cpu,
    CASE WHEN gc >= gc_0 THEN (gc - gc_0) / lasted END AS gc,
    (mut - mut_0) / lasted AS mut,
    (gcs_major - gcs_major_0) / lasted AS gcs_major,
    (gcs_minor - gcs_minor_0) / lasted AS gcs_minor,
    (alloc - alloc_0) / lasted / 1048576e0 AS alloc,
    CASE WHEN fs_rd >= fs_rd_0 THEN (fs_rd - fs_rd_0) / lasted / 1024e0 END AS fs_rd,
    CASE WHEN fs_wr >= fs_wr_0 THEN (fs_wr - fs_wr_0) / lasted / 1024e0 END AS fs_wr,
    CASE WHEN net_rd >= net_rd_0 THEN (net_rd - net_rd_0) / lasted / 1024e0 END AS net_rd,
    CASE WHEN net_wr >= net_wr_0 THEN (net_wr - net_wr_0) / lasted / 1024e0 END AS net_wr
FROM lasting
