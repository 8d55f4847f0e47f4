/* The forge loop, one row per (host, slot): for each host with a Start every slot from its first to its last */
/* that passes the conditions on slots, also those in which it logged nothing. Seconds; null where a stamp is missing. */
WITH passing AS (
  SELECT
    s.slot
  FROM slot_series AS s
  LEFT JOIN slot_failures AS f
    ON f.slot = s.slot
  WHERE
    f.slot IS NULL
), population AS (
  SELECT
    b.host,
    p.slot
  FROM bounds AS b
  JOIN passing AS p
    ON p.slot >= b.first_slot AND p.slot <= b.last_slot
)
SELECT
  p.host,
  p.slot,
  COALESCE(s.starts, 0) AS starts,
  (
    s.start_at - (
      g.system_start + p.slot * g.slot_length
    )
  ) / 1e9 AS started,
  (
    s.blk_ctx_at - s.start_at
  ) / 1e9 AS blk_ctx,
  (
    s.lgr_state_at - s.blk_ctx_at
  ) / 1e9 AS lgr_state,
  (
    s.lgr_view_at - s.lgr_state_at
  ) / 1e9 AS lgr_view,
  (
    s.leading_at - s.lgr_view_at
  ) / 1e9 AS leadership,
  s.density
FROM population AS p
CROSS JOIN setting AS g
LEFT JOIN slot_stamps AS s
  ON s.host = p.host AND s.slot = p.slot
