-- CPU of a slot: the rate of the last interval that closes in it; if none does, of the one that covers it.
-- Only slots in the host's population; null where that rate is null.
WITH closing AS (
    SELECT
        host, slot, cpu,
        row_number() OVER (PARTITION BY host, slot ORDER BY at_ns DESC) AS place
    FROM intervals
    WHERE inside
),
wide AS (
    SELECT
        i.host, i.cpu,
        CASE WHEN i.slot_before + 1 > b.first_slot THEN i.slot_before + 1 ELSE b.first_slot END AS from_slot,
        CASE WHEN i.slot - 1 < b.last_slot THEN i.slot - 1 ELSE b.last_slot END AS to_slot
    FROM intervals AS i
    JOIN bounds AS b ON b.host = i.host
    WHERE i.slot - i.slot_before > 1
),
covering AS (
    SELECT host, unnest(range(from_slot, to_slot + 1)) AS slot, cpu
    FROM wide
)
SELECT host, slot, cpu FROM closing WHERE place = 1
UNION ALL
SELECT c.host, c.slot, c.cpu
FROM covering AS c
JOIN host_slots AS h ON h.host = c.host AND h.slot = c.slot
