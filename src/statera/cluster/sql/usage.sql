-- Resources events, one row per (host, log time): of equal times the first in reading order.
--   slot      floor((at - system start) / slot length); the modulus makes the floor right before the start too
--   inside    whether the slot is in the host's population of the forge loop
--   rss, heap, live: MiB
WITH repeated AS (
    SELECT host, at_ns, min(seq) AS seq
    FROM resources
    GROUP BY host, at_ns
    HAVING count(*) > 1
),
once AS (
    SELECT r.*, r.at_ns - g.system_start AS since, g.slot_length
    FROM resources AS r
    CROSS JOIN setting AS g
    LEFT JOIN repeated AS d ON d.host = r.host AND d.at_ns = r.at_ns
    WHERE d.seq IS NULL OR d.seq = r.seq
),
placed AS (
    SELECT
        once.*,
        CAST(round((since - ((since % slot_length) + slot_length) % slot_length) / slot_length) AS BIGINT) AS slot
    FROM once
),
failing AS (
    SELECT DISTINCT slot FROM slot_failures
)
SELECT
    u.host, u.at_ns, u.slot, u.file, u.line,
    coalesce(u.slot >= b.first_slot AND u.slot <= b.last_slot, FALSE) AND f.slot IS NULL AS inside,
    u."CentiCpu" AS cpu, u."CentiGC" AS gc, u."CentiMut" AS mut, u."GcsMajor" AS gcs_major, u."GcsMinor" AS gcs_minor,
    u."Alloc" AS alloc, u."FsRd" AS fs_rd, u."FsWr" AS fs_wr, u."NetRd" AS net_rd, u."NetWr" AS net_wr,
    u."RSS" / 1048576e0 AS rss, u."Heap" / 1048576e0 AS heap, u."Live" / 1048576e0 AS live
FROM placed AS u
LEFT JOIN bounds AS b ON b.host = u.host
LEFT JOIN failing AS f ON f.slot = u.slot
