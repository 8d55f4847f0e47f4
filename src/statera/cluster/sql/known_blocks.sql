-- Known blocks: every hash with a Forged event, else with a Noticed event.
--   forger    host of the earliest Forged (equal times: the smaller name; hosts are numbered by name); null: unknown
--   forgers   hosts with a Forged event of it      adopters  hosts that adopted it
--   battles   other known blocks of its height     size      bytes (5.4): AdoptedBlock's, else Fetched's, the earliest
WITH forged AS (
    SELECT
        block, host AS forger, forged_slot AS slot, forged_no AS block_no, prev,
        row_number() OVER (PARTITION BY block ORDER BY forged_at, host) AS place,
        count(*) OVER (PARTITION BY block) AS forgers
    FROM host_blocks
    WHERE forged_at IS NOT NULL
),
noticed AS (
    SELECT
        block, noticed_slot AS slot, noticed_no AS block_no,
        row_number() OVER (PARTITION BY block ORDER BY noticed_at, host) AS place
    FROM host_blocks
    WHERE noticed_at IS NOT NULL
),
known AS (
    SELECT block, slot, block_no, prev, forger, forgers FROM forged WHERE place = 1
    UNION ALL
    SELECT n.block, n.slot, n.block_no, NULL AS prev, NULL AS forger, 0 AS forgers
    FROM noticed AS n
    LEFT JOIN forged AS f ON f.block = n.block AND f.place = 1
    WHERE n.place = 1 AND f.block IS NULL
),
sizes AS (
    SELECT
        block, size,
        row_number() OVER (PARTITION BY block ORDER BY preference, at_ns, host) AS place
    FROM (
        SELECT block, host, 1 AS preference, adopted_block_at AS at_ns, adopted_size AS size
        FROM host_blocks WHERE adopted_size IS NOT NULL
        UNION ALL
        SELECT block, host, 2 AS preference, fetched_at AS at_ns, fetched_size AS size
        FROM host_blocks WHERE fetched_size IS NOT NULL
    ) AS stated
),
adopters AS (
    SELECT block, count(*) AS adopters FROM host_blocks WHERE adopted_at IS NOT NULL GROUP BY block
)
SELECT
    k.block, k.slot, k.block_no, k.prev, k.forger, k.forgers,
    coalesce(a.adopters, 0) AS adopters,
    count(*) OVER (PARTITION BY k.block_no) - 1 AS battles,
    s.size
FROM known AS k
LEFT JOIN adopters AS a ON a.block = k.block
LEFT JOIN sizes AS s ON s.block = k.block AND s.place = 1
