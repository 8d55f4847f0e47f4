-- Slots that fail a condition on slots, one row per (slot, condition); epochs are compared without division.
WITH slots AS (
    SELECT slot FROM slot_series
    UNION
    SELECT slot FROM chain
),
leaders AS (
    SELECT DISTINCT slot FROM slot_stamps WHERE leader_at IS NOT NULL
)
SELECT s.slot, c.number, c.tag
FROM slots AS s
CROSS JOIN setting AS g
CROSS JOIN conditions AS c
LEFT JOIN leaders AS l ON l.slot = s.slot
WHERE c.kind = 'CSlot' AND NOT CASE c.tag
    WHEN 'SlotGEq' THEN s.slot >= c.value
    WHEN 'SlotLEq' THEN s.slot <= c.value
    WHEN 'EpochGEq' THEN s.slot - s.slot % g.epoch_length >= c.value * g.epoch_length
    WHEN 'EpochLEq' THEN s.slot - s.slot % g.epoch_length <= c.value * g.epoch_length
    WHEN 'EpSlotGEq' THEN s.slot % g.epoch_length >= c.value
    WHEN 'EpSlotLEq' THEN s.slot % g.epoch_length <= c.value
    WHEN 'EpochSafeIntGEq' THEN floor((s.slot % g.epoch_length) * g.active_slots / g.security_param) >= c.value
    WHEN 'EpochSafeIntLEq' THEN floor((s.slot % g.epoch_length) * g.active_slots / g.security_param) <= c.value
    WHEN 'SlotHasLeaders' THEN (l.slot IS NOT NULL) = (c.value = 1)
END
