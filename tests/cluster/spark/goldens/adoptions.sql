/* When the hosts adopted main-chain blocks: seconds since the slot began, place 1 is the first host. */
SELECT
  c.block,
  b.host,
  (
    b.adopted_at - c.slot_start
  ) / 1e9 AS adoption,
  ROW_NUMBER() OVER (PARTITION BY c.block ORDER BY b.adopted_at NULLS LAST, b.host NULLS LAST) AS place
FROM chain AS c
JOIN host_blocks AS b
  ON b.block = c.block
WHERE
  NOT b.adopted_at IS NULL
