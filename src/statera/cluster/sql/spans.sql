-- CPU spans: maximal runs of consecutive slots of one host with CPU above 85 %; length in slots.
WITH busy AS (
    SELECT host, slot, slot - row_number() OVER (PARTITION BY host ORDER BY slot) AS island
    FROM cpu_slots
    WHERE cpu > 85
)
SELECT host, min(slot) AS first_slot, max(slot) AS last_slot, max(slot) - min(slot) + 1 AS length
FROM busy
GROUP BY host, island
