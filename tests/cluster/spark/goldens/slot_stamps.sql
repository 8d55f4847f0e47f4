/* First events of the forge loop, one row per (host, slot) that has any. */
/*   starts    Start events with distinct log time; repeated lines count once */
/*   *_at      smallest log time of the event, ns; null where no line gives it */
/*   leading   the earlier of Leader and NotLeader */
/*   density   chainDensity of the first Start, else of the first LedgerMetrics; first: smallest log time, then reading order */
/* Most slots have one Start and one LedgerMetrics; only those that have more are put in order. */
WITH stamps AS (
  SELECT
    host,
    slot,
    MIN(CASE WHEN event = 'Start' THEN at_ns END) AS start_at,
    MIN(CASE WHEN event = 'BlkCtx' THEN at_ns END) AS blk_ctx_at,
    MIN(CASE WHEN event = 'LgrState' THEN at_ns END) AS lgr_state_at,
    MIN(CASE WHEN event = 'LgrView' THEN at_ns END) AS lgr_view_at,
    MIN(CASE WHEN event IN ('Leader', 'NotLeader') THEN at_ns END) AS leading_at,
    MIN(CASE WHEN event = 'Leader' THEN at_ns END) AS leader_at,
    MIN(CASE WHEN event = 'Ticked' THEN at_ns END) AS ticked_at,
    MIN(CASE WHEN event = 'MemSnap' THEN at_ns END) AS mem_snap_at,
    COUNT(CASE WHEN event = 'Start' THEN 1 END) AS starts,
    COUNT(CASE WHEN event = 'LedgerMetrics' THEN 1 END) AS reports,
    MIN(CASE WHEN event = 'Start' THEN density END) AS start_density,
    MIN(CASE WHEN event = 'LedgerMetrics' THEN density END) AS ledger_density
  FROM events
  WHERE
    event IN (
      'Start',
      'BlkCtx',
      'LgrState',
      'LgrView',
      'Leader',
      'NotLeader',
      'Ticked',
      'MemSnap',
      'LedgerMetrics'
    )
  GROUP BY
    host,
    slot
), several AS (
  SELECT
    host,
    slot
  FROM stamps
  WHERE
    starts > 1 OR reports > 1
), ordered AS (
  SELECT
    e.host,
    e.slot,
    e.event,
    e.at_ns,
    e.density,
    ROW_NUMBER() OVER (
      PARTITION BY e.host, e.slot, e.event
      ORDER BY e.at_ns NULLS LAST, e.seq NULLS LAST
    ) AS place,
    LAG(e.at_ns) OVER (
      PARTITION BY e.host, e.slot, e.event
      ORDER BY e.at_ns NULLS LAST, e.seq NULLS LAST
    ) AS at_before
  FROM events AS e
  JOIN several AS s
    ON s.host = e.host AND s.slot = e.slot
  WHERE
    e.event IN ('Start', 'LedgerMetrics')
), loops AS (
  SELECT
    host,
    slot,
    COUNT(
      CASE
        WHEN event = 'Start' AND (
          at_before IS NULL OR at_before < at_ns
        )
        THEN 1
      END
    ) AS starts,
    MAX(CASE WHEN event = 'Start' AND place = 1 THEN density END) AS start_density,
    MAX(CASE WHEN event = 'LedgerMetrics' AND place = 1 THEN density END) AS ledger_density
  FROM ordered
  GROUP BY
    host,
    slot
)
SELECT
  s.host,
  s.slot,
  COALESCE(l.starts, s.starts) AS starts,
  s.start_at,
  s.blk_ctx_at,
  s.lgr_state_at,
  s.lgr_view_at,
  s.leading_at,
  s.leader_at,
  s.ticked_at,
  s.mem_snap_at,
  CASE
    WHEN l.host IS NULL
    THEN COALESCE(s.start_density, s.ledger_density)
    ELSE COALESCE(l.start_density, l.ledger_density)
  END AS density
FROM stamps AS s
LEFT JOIN loops AS l
  ON l.host = s.host AND l.slot = s.slot
