-- Resources events (spec 6.2), one row per (host, log time): of equal times the first in reading order.
--   slot      floor((at - system start) / slot length); the modulus makes the floor right before the start too
--   inside    whether the slot is in the host's population of the forge loop
--   rss, heap, live: MiB
WITH once AS (
    SELECT
        r.*,
        row_number() OVER (PARTITION BY r.host, r.at_ns ORDER BY r.seq) AS place,
        r.at_ns - g.system_start AS since,
        g.slot_length
    FROM resources AS r
    CROSS JOIN setting AS g
),
placed AS (
    SELECT
        once.*,
        CAST(round((since - ((since % slot_length) + slot_length) % slot_length) / slot_length) AS BIGINT) AS slot
    FROM once
    WHERE place = 1
)
SELECT
    u.host, u.at_ns, u.slot, u.file, u.line, h.slot IS NOT NULL AS inside,
    u."CentiCpu" AS cpu, u."CentiGC" AS gc, u."CentiMut" AS mut, u."GcsMajor" AS gcs_major, u."GcsMinor" AS gcs_minor,
    u."Alloc" AS alloc, u."FsRd" AS fs_rd, u."FsWr" AS fs_wr, u."NetRd" AS net_rd, u."NetWr" AS net_wr,
    u."RSS" / 1048576e0 AS rss, u."Heap" / 1048576e0 AS heap, u."Live" / 1048576e0 AS live
FROM placed AS u
LEFT JOIN host_slots AS h ON h.host = u.host AND h.slot = u.slot
