/* First events of blocks, one row per (host, block) that has any (spec 4). */
/* First: smallest log time, then reading order; all fields come from that one line. */
/*   *_at      log time, ns       adopted_at  the earlier of Tip and AdoptedBlock, whichever exist */
/*   delta     change of the chain's length by the Tip event (5.2); null: unknown */
/*   length    blocks asked for by the fetch request; absent counts as 1 */
WITH ordered AS (
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
    size,
    ROW_NUMBER() OVER (PARTITION BY host, block, event ORDER BY at_ns NULLS LAST, seq NULLS LAST) AS place
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
  FROM ordered
  WHERE
    place = 1
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
