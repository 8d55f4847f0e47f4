-- The forge loop, one row per (host, slot): for each host with a Start every slot from its first to its last
-- that passes the conditions on slots, also those in which it logged nothing. Seconds; null where a stamp is missing.
WITH logged AS (
    SELECT s.*
    FROM slot_stamps AS s
    JOIN bounds AS b ON b.host = s.host AND s.slot >= b.first_slot AND s.slot <= b.last_slot
),
gaps AS (
    SELECT host, first_slot, last_slot FROM bounds WHERE NOT whole
),
silent AS (
    SELECT g.host, n.slot
    FROM gaps AS g
    JOIN slot_series AS n ON n.slot >= g.first_slot AND n.slot <= g.last_slot
    ANTI JOIN (SELECT host, slot FROM slot_stamps SEMI JOIN gaps USING (host)) AS l
    ON l.host = g.host AND l.slot = n.slot
),
population AS (
    SELECT * FROM logged
    UNION ALL BY NAME
    SELECT host, slot, 0 AS starts FROM silent
)
SELECT
    p.host, p.slot, p.starts,
    (p.start_at - (g.system_start + p.slot * g.slot_length)) / 1e9 AS started,
    (p.blk_ctx_at - p.start_at) / 1e9 AS blk_ctx,
    (p.lgr_state_at - p.blk_ctx_at) / 1e9 AS lgr_state,
    (p.lgr_view_at - p.lgr_state_at) / 1e9 AS lgr_view,
    (p.leading_at - p.lgr_view_at) / 1e9 AS leadership,
    p.density
FROM population AS p
CROSS JOIN setting AS g
ANTI JOIN slot_failures AS f ON f.slot = p.slot
