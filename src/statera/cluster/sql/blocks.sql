-- One row per main-chain block with every block-level value; seconds unless named otherwise.
--   gap       to the previous main-chain block; null for the base and across a bridge
--   adoption_P  when the host at place k = ceil(P × machines / 100) adopted it; null if fewer did
WITH failed AS (
    SELECT block, count(*) AS failures FROM block_failures GROUP BY block
),
seen AS (
    SELECT
        block,
        sum(CASE WHEN class = 'valid' THEN 1 ELSE 0 END) AS valid_observers,
        min(CASE WHEN notice >= 0 THEN notice END) AS peer_notice_first,
        min(CASE WHEN fetched >= 0 THEN fetched END) AS peer_fetch_first
    FROM observations
    GROUP BY block
),
adopted AS (
    SELECT
        a.block,
        max(CASE WHEN c.percent = 50 THEN a.adoption END) AS adoption_50,
        max(CASE WHEN c.percent = 80 THEN a.adoption END) AS adoption_80,
        max(CASE WHEN c.percent = 90 THEN a.adoption END) AS adoption_90,
        max(CASE WHEN c.percent = 92 THEN a.adoption END) AS adoption_92,
        max(CASE WHEN c.percent = 94 THEN a.adoption END) AS adoption_94,
        max(CASE WHEN c.percent = 96 THEN a.adoption END) AS adoption_96,
        max(CASE WHEN c.percent = 98 THEN a.adoption END) AS adoption_98,
        max(CASE WHEN c.percent = 100 THEN a.adoption END) AS adoption_100
    FROM adoptions AS a
    JOIN centiles AS c ON c.place = a.place
    GROUP BY a.block
)
SELECT
    c.position, c.block_no, c.slot, c.block, c.prev, c.forger, c.size, c.battles, c.gap, c.adopters,
    f.failures IS NULL AS accepted,
    CAST(coalesce(s.valid_observers, 0) AS BIGINT) AS valid_observers,
    p.forger_start, p.forger_blk_ctx, p.forger_lgr_state, p.forger_lgr_view, p.forger_lead, p.forger_ticked,
    p.forger_mem_snap, p.forger_forge, p.forger_announce, p.forger_send, p.forger_adoption, p.forger_announce_cum,
    p.forger_lead_to_forged, p.forger_added_to_chain,
    s.peer_notice_first, s.peer_fetch_first,
    a.adoption_50, a.adoption_80, a.adoption_90, a.adoption_92, a.adoption_94, a.adoption_96, a.adoption_98,
    a.adoption_100
FROM chain AS c
LEFT JOIN failed AS f ON f.block = c.block
LEFT JOIN seen AS s ON s.block = c.block
LEFT JOIN forging AS p ON p.block = c.block
LEFT JOIN adopted AS a ON a.block = c.block
ORDER BY c.position
