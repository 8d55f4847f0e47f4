-- CPU spans: maximal runs of consecutive slots of one host with CPU above 85 %; length in slots.
-- CPU of a slot: the rate of the last interval that closes in it; if none does, of the one that covers it.
-- Only slots in the host's population.
WITH hot AS (
    SELECT DISTINCT host, slot FROM intervals WHERE inside AND cpu > 85
),
closing AS (
    SELECT
        host, slot, cpu,
        row_number() OVER (PARTITION BY host, slot ORDER BY at_ns DESC) AS place
    FROM intervals
    SEMI JOIN hot USING (host, slot)
    WHERE inside
),
wide AS (
    SELECT
        i.host,
        CASE WHEN i.slot_before + 1 > b.first_slot THEN i.slot_before + 1 ELSE b.first_slot END AS from_slot,
        CASE WHEN i.slot - 1 < b.last_slot THEN i.slot - 1 ELSE b.last_slot END AS to_slot
    FROM intervals AS i
    JOIN bounds AS b ON b.host = i.host
    WHERE i.slot - i.slot_before > 1 AND i.cpu > 85
),
covering AS (
    SELECT host, unnest(range(from_slot, to_slot + 1)) AS slot
    FROM wide
),
busy AS (
    SELECT host, slot FROM closing WHERE place = 1 AND cpu > 85
    UNION ALL
    SELECT host, slot FROM covering SEMI JOIN host_slots USING (host, slot)
),
numbered AS (
    SELECT host, slot, slot - row_number() OVER (PARTITION BY host ORDER BY slot) AS island
    FROM busy
)
SELECT host, min(slot) AS first_slot, max(slot) AS last_slot, max(slot) - min(slot) + 1 AS length
FROM numbered
GROUP BY host, island
