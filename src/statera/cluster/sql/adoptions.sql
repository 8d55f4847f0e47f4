-- When the hosts adopted main-chain blocks: seconds since the slot began, place 1 is the first host.
SELECT
    c.block, b.host,
    (b.adopted_at - c.slot_start) / 1e9 AS adoption,
    row_number() OVER (PARTITION BY c.block ORDER BY b.adopted_at, b.host) AS place
FROM chain AS c
JOIN host_blocks AS b ON b.block = c.block
WHERE b.adopted_at IS NOT NULL
