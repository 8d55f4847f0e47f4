-- What the peers saw, one row per (main-chain block, observer); observers are all hosts but the forger.
--   class     the first that holds of missingNotice … nonUnitary, negative, valid
--   seconds since the slot began: notice_time, fetched_time; the other phases in seconds, null where a stamp is missing
WITH phases AS (
    SELECT
        c.block, h.host, b.length, b.delta,
        b.noticed_at, b.requested_at, b.fetched_at, b.adopted_at,
        (b.noticed_at - c.slot_start) / 1e9 AS notice,
        (b.fetched_at - c.slot_start) / 1e9 AS fetched,
        (b.requested_at - b.noticed_at) / 1e9 AS request,
        (b.fetched_at - b.requested_at) / 1e9 AS fetching,
        (b.announced_at - b.fetched_at) / 1e9 AS announce,
        (b.sending_at - b.fetched_at) / 1e9 AS send,
        (b.adopted_at - b.fetched_at) / 1e9 AS adoption
    FROM chain AS c
    CROSS JOIN host AS h
    LEFT JOIN host_blocks AS b ON b.block = c.block AND b.host = h.host
    WHERE c.forger IS NULL OR h.host <> c.forger
)
SELECT
    block, host,
    CASE
        WHEN noticed_at IS NULL THEN 'missingNotice'
        WHEN requested_at IS NULL THEN 'missingRequest'
        WHEN fetched_at IS NULL THEN 'missingFetch'
        WHEN adopted_at IS NULL THEN 'missingAdoption'
        WHEN length <> 1 OR (delta IS NOT NULL AND delta <> 1) THEN 'nonUnitary'
        WHEN notice < 0 OR request < 0 OR fetching < 0 OR adoption < 0 THEN 'negative'
        ELSE 'valid'
    END AS class,
    notice, fetched, request, fetching, announce, send, adoption
FROM phases
