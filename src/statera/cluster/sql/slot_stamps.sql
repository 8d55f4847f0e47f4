-- First events of the forge loop, one row per (host, slot) that has any.
--   starts    Start events with distinct log time; repeated lines count once
--   *_at      smallest log time of the event, ns; null where no line gives it
--   leading   the earlier of Leader and NotLeader
--   density   chainDensity of the first Start, else of the first LedgerMetrics; first: smallest log time, then reading order
-- Most slots have one Start and one LedgerMetrics; only those that have more are put in order.
WITH stamps AS (
    SELECT
        host, slot,
        min(CASE WHEN event = 'Start' THEN at_ns END) AS start_at,
        min(CASE WHEN event = 'BlkCtx' THEN at_ns END) AS blk_ctx_at,
        min(CASE WHEN event = 'LgrState' THEN at_ns END) AS lgr_state_at,
        min(CASE WHEN event = 'LgrView' THEN at_ns END) AS lgr_view_at,
        min(CASE WHEN event IN ('Leader', 'NotLeader') THEN at_ns END) AS leading_at,
        min(CASE WHEN event = 'Leader' THEN at_ns END) AS leader_at,
        min(CASE WHEN event = 'Ticked' THEN at_ns END) AS ticked_at,
        min(CASE WHEN event = 'MemSnap' THEN at_ns END) AS mem_snap_at,
        count(CASE WHEN event = 'Start' THEN 1 END) AS starts,
        count(CASE WHEN event = 'LedgerMetrics' THEN 1 END) AS reports,
        min(CASE WHEN event = 'Start' THEN density END) AS start_density,
        min(CASE WHEN event = 'LedgerMetrics' THEN density END) AS ledger_density
    FROM events
    WHERE event IN (
        'Start', 'BlkCtx', 'LgrState', 'LgrView', 'Leader', 'NotLeader', 'Ticked', 'MemSnap', 'LedgerMetrics'
    )
    GROUP BY host, slot
),
several AS (
    SELECT host, slot FROM stamps WHERE starts > 1 OR reports > 1
),
ordered AS (
    SELECT
        e.host, e.slot, e.event, e.at_ns, e.density,
        row_number() OVER (PARTITION BY e.host, e.slot, e.event ORDER BY e.at_ns, e.seq) AS place,
        lag(e.at_ns) OVER (PARTITION BY e.host, e.slot, e.event ORDER BY e.at_ns, e.seq) AS at_before
    FROM events AS e
    JOIN several AS s ON s.host = e.host AND s.slot = e.slot
    WHERE e.event IN ('Start', 'LedgerMetrics')
),
loops AS (
    SELECT
        host, slot,
        count(CASE WHEN event = 'Start' AND (at_before IS NULL OR at_before < at_ns) THEN 1 END) AS starts,
        max(CASE WHEN event = 'Start' AND place = 1 THEN density END) AS start_density,
        max(CASE WHEN event = 'LedgerMetrics' AND place = 1 THEN density END) AS ledger_density
    FROM ordered
    GROUP BY host, slot
)
SELECT
    s.host, s.slot,
    coalesce(l.starts, s.starts) AS starts,
    s.start_at, s.blk_ctx_at, s.lgr_state_at, s.lgr_view_at, s.leading_at, s.leader_at, s.ticked_at, s.mem_snap_at,
    CASE
        WHEN l.host IS NULL THEN coalesce(s.start_density, s.ledger_density)
        ELSE coalesce(l.start_density, l.ledger_density)
    END AS density
FROM stamps AS s
LEFT JOIN loops AS l ON l.host = s.host AND l.slot = s.slot
