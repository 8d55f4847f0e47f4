/* CPU spans at epoch boundaries (spec 6.2): one row per (boundary B, span that includes a slot of B … B + 3); */
/* length: slots of the span from B to the end of the epoch that begins there. epoch_series counts 1, 2, 3, … */
WITH met AS (
  SELECT
    s.host,
    e.epoch,
    CASE
      WHEN s.first_slot > e.epoch * g.epoch_length
      THEN s.first_slot
      ELSE e.epoch * g.epoch_length
    END AS from_slot,
    CASE
      WHEN s.last_slot < (
        e.epoch + 1
      ) * g.epoch_length - 1
      THEN s.last_slot
      ELSE (
        e.epoch + 1
      ) * g.epoch_length - 1
    END AS to_slot
  FROM spans AS s
  CROSS JOIN setting AS g
  JOIN epoch_series AS e
    ON e.epoch * g.epoch_length <= s.last_slot
    AND e.epoch * g.epoch_length + 3 >= s.first_slot
)
SELECT
  host,
  epoch,
  CASE WHEN to_slot >= from_slot THEN to_slot - from_slot + 1 ELSE 0 END AS length
FROM met
