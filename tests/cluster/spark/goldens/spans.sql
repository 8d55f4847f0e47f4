/* CPU spans: maximal runs of consecutive slots of one host with CPU above 85 %; length in slots. */
WITH busy AS (
  SELECT
    host,
    slot,
    slot - ROW_NUMBER() OVER (PARTITION BY host ORDER BY slot NULLS LAST) AS island
  FROM cpu_slots
  WHERE
    cpu > 85
)
SELECT
  host,
  MIN(slot) AS first_slot,
  MAX(slot) AS last_slot,
  MAX(slot) - MIN(slot) + 1 AS length
FROM busy
GROUP BY
  host,
  island
