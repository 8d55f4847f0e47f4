-- First events of blocks, one row per (host, block) that has any.
-- First: smallest log time, then reading order; all fields come from that one line.
--   *_at      log time, ns       adopted_at  the earlier of Tip and AdoptedBlock, whichever exist
--   delta     change of the chain's length by the Tip event (5.2); null: unknown
--   length    blocks asked for by the fetch request; absent counts as 1
-- Most lines of an event repeat what its first says; only those that differ are put in order.
WITH said AS (
    SELECT
        host, block, event, min(at_ns) AS at_ns,
        min(slot) AS slot, min(block_no) AS block_no, min(prev) AS prev, min(delta) AS delta, min(length) AS length,
        min(size) AS size,
        coalesce(min(slot) < max(slot), FALSE) OR count(slot) BETWEEN 1 AND count(*) - 1
        OR coalesce(min(block_no) < max(block_no), FALSE) OR count(block_no) BETWEEN 1 AND count(*) - 1
        OR coalesce(min(prev) < max(prev), FALSE) OR count(prev) BETWEEN 1 AND count(*) - 1
        OR coalesce(min(delta) < max(delta), FALSE) OR count(delta) BETWEEN 1 AND count(*) - 1
        OR coalesce(min(length) < max(length), FALSE) OR count(length) BETWEEN 1 AND count(*) - 1
        OR coalesce(min(size) < max(size), FALSE) OR count(size) BETWEEN 1 AND count(*) - 1 AS differs
    FROM events
    WHERE event IN ('Forged', 'Noticed', 'Requested', 'Fetched', 'Announced', 'Sending', 'Tip', 'AdoptedBlock')
    GROUP BY host, block, event
),
ordered AS (
    SELECT
        e.host, e.block, e.event, e.at_ns, e.slot, e.block_no, e.prev, e.delta, e.length, e.size,
        row_number() OVER (PARTITION BY e.host, e.block, e.event ORDER BY e.at_ns, e.seq) AS place
    FROM events AS e
    JOIN said AS s ON s.host = e.host AND s.block = e.block AND s.event = e.event
    WHERE s.differs
),
firsts AS (
    SELECT host, block, event, at_ns, slot, block_no, prev, delta, length, size FROM said WHERE NOT differs
    UNION ALL
    SELECT host, block, event, at_ns, slot, block_no, prev, delta, length, size FROM ordered WHERE place = 1
),
wide AS (
    SELECT
        host, block,
        max(CASE WHEN event = 'Forged' THEN at_ns END) AS forged_at,
        max(CASE WHEN event = 'Forged' THEN slot END) AS forged_slot,
        max(CASE WHEN event = 'Forged' THEN block_no END) AS forged_no,
        max(CASE WHEN event = 'Forged' THEN prev END) AS prev,
        max(CASE WHEN event = 'Noticed' THEN at_ns END) AS noticed_at,
        max(CASE WHEN event = 'Noticed' THEN slot END) AS noticed_slot,
        max(CASE WHEN event = 'Noticed' THEN block_no END) AS noticed_no,
        max(CASE WHEN event = 'Requested' THEN at_ns END) AS requested_at,
        max(CASE WHEN event = 'Requested' THEN coalesce(length, 1) END) AS length,
        max(CASE WHEN event = 'Fetched' THEN at_ns END) AS fetched_at,
        max(CASE WHEN event = 'Fetched' THEN size END) AS fetched_size,
        max(CASE WHEN event = 'Announced' THEN at_ns END) AS announced_at,
        max(CASE WHEN event = 'Sending' THEN at_ns END) AS sending_at,
        max(CASE WHEN event = 'Tip' THEN at_ns END) AS tip_at,
        max(CASE WHEN event = 'Tip' THEN delta END) AS delta,
        max(CASE WHEN event = 'AdoptedBlock' THEN at_ns END) AS adopted_block_at,
        max(CASE WHEN event = 'AdoptedBlock' THEN size END) AS adopted_size
    FROM firsts
    GROUP BY host, block
)
SELECT
    wide.*,
    CASE
        WHEN tip_at IS NULL THEN adopted_block_at
        WHEN adopted_block_at IS NULL THEN tip_at
        WHEN adopted_block_at < tip_at THEN adopted_block_at
        ELSE tip_at
    END AS adopted_at
FROM wide
