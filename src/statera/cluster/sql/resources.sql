-- Resources events with their slots, and with time and counters of the one before (*_0).
--   inside    whether the slot is in the host's population of the forge loop
SELECT p.*, coalesce(p.slot >= b.first_slot AND p.slot <= b.last_slot, FALSE) AND f.slot IS NULL AS inside
FROM placed AS p
LEFT JOIN bounds AS b ON b.host = p.host
LEFT JOIN (SELECT DISTINCT slot FROM slot_failures) AS f ON f.slot = p.slot
