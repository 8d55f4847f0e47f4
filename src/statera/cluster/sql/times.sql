-- Times between two events of a key, one row per (definition, key, host that has the second event).
--   begun_at  log time of the first event, on whichever host it is earliest; equal times: the smaller name, then order
--   ended_at  log time of the second event on the host, the earliest
--   place     1 for the host that has it first, 2 for the next
--   seconds   may be negative where clocks differ; kept as logged
WITH begun AS (
    SELECT
        number, key_text, host, at_ns, file, line,
        row_number() OVER (PARTITION BY number, key_text ORDER BY at_ns, host, seq) AS place
    FROM keyed
    WHERE begins
),
ended AS (
    SELECT
        number, key_text, host, at_ns, file, line,
        row_number() OVER (PARTITION BY number, key_text, host ORDER BY at_ns, seq) AS place
    FROM keyed
    WHERE NOT begins
)
SELECT
    e.number, e.key_text, b.host AS begun_on, b.at_ns AS begun_at, b.file AS begun_file, b.line AS begun_line,
    e.host, e.at_ns AS ended_at, e.file, e.line,
    (e.at_ns - b.at_ns) / 1e9 AS seconds,
    row_number() OVER (PARTITION BY e.number, e.key_text ORDER BY e.at_ns, e.host) AS place
FROM ended AS e
JOIN begun AS b ON b.number = e.number AND b.key_text = e.key_text
WHERE e.place = 1 AND b.place = 1
