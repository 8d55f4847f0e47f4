-- One row per host of the cluster: its slots, restarts and blocks, and the ratios between them.
WITH slots AS (
    SELECT host, count(*) AS slots, min(slot) AS first_slot, max(slot) AS last_slot FROM host_slots GROUP BY host
),
restarts AS (
    SELECT host, count(*) AS restarts FROM intervals WHERE restart GROUP BY host
),
forged AS (
    SELECT forger AS host, count(*) AS forged FROM known_blocks WHERE forger IS NOT NULL GROUP BY forger
),
chained AS (
    SELECT forger AS host, count(*) AS chained, sum(CASE WHEN accepted THEN 1 ELSE 0 END) AS accepted
    FROM blocks WHERE forger IS NOT NULL GROUP BY forger
),
whole AS (
    SELECT
        h.host, h.name, h.live, s.first_slot, s.last_slot,
        coalesce(s.slots, 0) AS slots, coalesce(r.restarts, 0) AS restarts,
        coalesce(f.forged, 0) AS forged, coalesce(c.chained, 0) AS chained,
        CAST(coalesce(c.accepted, 0) AS BIGINT) AS accepted
    FROM host AS h
    LEFT JOIN slots AS s ON s.host = h.host
    LEFT JOIN restarts AS r ON r.host = h.host
    LEFT JOIN forged AS f ON f.host = h.host
    LEFT JOIN chained AS c ON c.host = h.host
)
SELECT
    whole.*,
    CASE WHEN forged > 0 THEN chained / (forged + 0e0) END AS chained_ratio,
    CASE WHEN chained > 0 THEN accepted / (chained + 0e0) END AS filtered_ratio
FROM whole
ORDER BY host
