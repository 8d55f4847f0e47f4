-- CPU spans at epoch boundaries: one row per (boundary B, span that includes a slot of B … B + 3);
-- length: slots of the span from B to the end of the epoch that begins there.
-- Epoch 0 begins with the chain, not at a boundary; of a span the first that it meets is counted out, not looked for.
WITH placed AS (
    SELECT
        s.host, s.first_slot, s.last_slot, g.epoch_length,
        CASE
            WHEN s.first_slot > g.epoch_length + 3 THEN (s.first_slot - 3 + g.epoch_length - 1) // g.epoch_length
            ELSE 1
        END AS first_epoch
    FROM spans AS s
    CROSS JOIN setting AS g
),
met AS (
    SELECT
        host, first_slot, last_slot, epoch_length,
        unnest(range(first_epoch, last_slot // epoch_length + 1)) AS epoch
    FROM placed
),
cut AS (
    SELECT
        host, epoch,
        CASE WHEN first_slot > epoch * epoch_length THEN first_slot ELSE epoch * epoch_length END AS from_slot,
        CASE
            WHEN last_slot < (epoch + 1) * epoch_length - 1 THEN last_slot
            ELSE (epoch + 1) * epoch_length - 1
        END AS to_slot
    FROM met
)
SELECT host, epoch, CASE WHEN to_slot >= from_slot THEN to_slot - from_slot + 1 ELSE 0 END AS length
FROM cut
