/* First events of blocks, one row per (host, block) that has any. */
/* First: smallest log time, then reading order; all fields come from that one line. */
/*   *_at      log time, ns       adopted_at  the earlier of Tip and AdoptedBlock, whichever exist */
/*   delta     change of the chain's length by the Tip event (5.2); null: unknown */
/*   length    blocks asked for by the fetch request; absent counts as 1 */
/* Most lines of an event repeat what its first says; only those that differ are put in order. */
WITH said AS (
  SELECT
    host,
    block,
    event,
    MIN(at_ns) AS at_ns,
    MIN(slot) AS slot,
    MIN(block_no) AS block_no,
    MIN(prev) AS prev,
    MIN(delta) AS delta,
    MIN(length) AS length,
    MIN(size) AS size,
    COALESCE(MIN(slot) < MAX(slot), FALSE)
    OR COUNT(slot) BETWEEN 1 AND COUNT(*) - 1
    OR COALESCE(MIN(block_no) < MAX(block_no), FALSE)
    OR COUNT(block_no) BETWEEN 1 AND COUNT(*) - 1
    OR COALESCE(MIN(prev) < MAX(prev), FALSE)
    OR COUNT(prev) BETWEEN 1 AND COUNT(*) - 1
    OR COALESCE(MIN(delta) < MAX(delta), FALSE)
    OR COUNT(delta) BETWEEN 1 AND COUNT(*) - 1
    OR COALESCE(MIN(length) < MAX(length), FALSE)
    OR COUNT(length) BETWEEN 1 AND COUNT(*) - 1
    OR COALESCE(MIN(size) < MAX(size), FALSE)
    OR COUNT(size) BETWEEN 1 AND COUNT(*) - 1 AS differs
  FROM events
  WHERE
    event IN (
      'Forged',
      'Noticed',
      'Requested',
      'Fetched',
      'Announced',
      'Sending',
      'Tip',
      'AdoptedBlock'
    )
  GROUP BY
    host,
    block,
    event
), ordered AS (
  SELECT
    e.host,
    e.block,
    e.event,
    e.at_ns,
    e.slot,
    e.block_no,
    e.prev,
    e.delta,
    e.length,
    e.size,
    ROW_NUMBER() OVER (
      PARTITION BY e.host, e.block, e.event
      ORDER BY e.at_ns NULLS LAST, e.seq NULLS LAST
    ) AS place
  FROM events AS e
  JOIN said AS s
    ON s.host = e.host AND s.block = e.block AND s.event = e.event
  WHERE
    s.differs
), firsts AS (
  SELECT
    host,
    block,
    event,
    at_ns,
    slot,
    block_no,
    prev,
    delta,
    length,
    size
  FROM said
  WHERE
    NOT differs
  UNION ALL
  SELECT
    host,
    block,
    event,
    at_ns,
    slot,
    block_no,
    prev,
    delta,
    length,
    size
  FROM ordered
  WHERE
    place = 1
), wide AS (
  SELECT
    host,
    block,
    MAX(CASE WHEN event = 'Forged' THEN at_ns END) AS forged_at,
    MAX(CASE WHEN event = 'Forged' THEN slot END) AS forged_slot,
    MAX(CASE WHEN event = 'Forged' THEN block_no END) AS forged_no,
    MAX(CASE WHEN event = 'Forged' THEN prev END) AS prev,
    MAX(CASE WHEN event = 'Noticed' THEN at_ns END) AS noticed_at,
    MAX(CASE WHEN event = 'Noticed' THEN slot END) AS noticed_slot,
    MAX(CASE WHEN event = 'Noticed' THEN block_no END) AS noticed_no,
    MAX(CASE WHEN event = 'Requested' THEN at_ns END) AS requested_at,
    MAX(CASE WHEN event = 'Requested' THEN COALESCE(length, 1) END) AS length,
    MAX(CASE WHEN event = 'Fetched' THEN at_ns END) AS fetched_at,
    MAX(CASE WHEN event = 'Fetched' THEN size END) AS fetched_size,
    MAX(CASE WHEN event = 'Announced' THEN at_ns END) AS announced_at,
    MAX(CASE WHEN event = 'Sending' THEN at_ns END) AS sending_at,
    MAX(CASE WHEN event = 'Tip' THEN at_ns END) AS tip_at,
    MAX(CASE WHEN event = 'Tip' THEN delta END) AS delta,
    MAX(CASE WHEN event = 'AdoptedBlock' THEN at_ns END) AS adopted_block_at,
    MAX(CASE WHEN event = 'AdoptedBlock' THEN size END) AS adopted_size
  FROM firsts
  GROUP BY
    host,
    block
)
SELECT
  wide.*,
  CASE
    WHEN tip_at IS NULL
    THEN adopted_block_at
    WHEN adopted_block_at IS NULL
    THEN tip_at
    WHEN adopted_block_at < tip_at
    THEN adopted_block_at
    ELSE tip_at
  END AS adopted_at
FROM wide
