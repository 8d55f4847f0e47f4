/* CPU spans at epoch boundaries: one row per (boundary B, span that includes a slot of B … B + 3); */
/* length: slots of the span from B to the end of the epoch that begins there. step_series counts 0, 1, 2, … */
/* Epoch 0 begins with the chain, not at a boundary; of a span the first that it meets is counted out, not looked for. */
WITH placed AS (
  SELECT
    s.host,
    s.first_slot,
    s.last_slot,
    g.epoch_length,
    CASE
      WHEN s.first_slot > g.epoch_length + 3
      THEN (
        s.first_slot - 3 + g.epoch_length - 1
      ) DIV g.epoch_length
      ELSE 1
    END AS first_epoch
  FROM spans AS s
  CROSS JOIN setting AS g
), met AS (
  SELECT
    p.host,
    p.first_slot,
    p.last_slot,
    p.epoch_length,
    p.first_epoch + n.step AS epoch
  FROM placed AS p
  LATERAL VIEW
  EXPLODE(SEQUENCE(CAST(0 AS BIGINT), p.last_slot DIV p.epoch_length - p.first_epoch)) n AS step
  WHERE
    p.last_slot DIV p.epoch_length - p.first_epoch >= 0
), cut AS (
  SELECT
    host,
    epoch,
    CASE
      WHEN first_slot > epoch * epoch_length
      THEN first_slot
      ELSE epoch * epoch_length
    END AS from_slot,
    CASE
      WHEN last_slot < (
        epoch + 1
      ) * epoch_length - 1
      THEN last_slot
      ELSE (
        epoch + 1
      ) * epoch_length - 1
    END AS to_slot
  FROM met
)
SELECT
  host,
  epoch,
  CASE WHEN to_slot >= from_slot THEN to_slot - from_slot + 1 ELSE 0 END AS length
FROM cut
