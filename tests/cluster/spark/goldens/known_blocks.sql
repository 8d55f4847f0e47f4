/* Known blocks: every hash with a Forged event, else with a Noticed event. */
/*   forger    host of the earliest Forged (equal times: the smaller name; hosts are numbered by name); null: unknown */
/*   forgers   hosts with a Forged event of it      adopters  hosts that adopted it */
/*   battles   other known blocks of its height     size      bytes (5.4): AdoptedBlock's, else Fetched's, the earliest */
WITH forged AS (
  SELECT
    block,
    host AS forger,
    forged_slot AS slot,
    forged_no AS block_no,
    prev,
    ROW_NUMBER() OVER (PARTITION BY block ORDER BY forged_at NULLS LAST, host NULLS LAST) AS place,
    COUNT(*) OVER (PARTITION BY block) AS forgers
  FROM host_blocks
  WHERE
    NOT forged_at IS NULL
), noticed AS (
  SELECT
    block,
    noticed_slot AS slot,
    noticed_no AS block_no,
    ROW_NUMBER() OVER (PARTITION BY block ORDER BY noticed_at NULLS LAST, host NULLS LAST) AS place
  FROM host_blocks
  WHERE
    NOT noticed_at IS NULL
), known AS (
  SELECT
    block,
    slot,
    block_no,
    prev,
    forger,
    forgers
  FROM forged
  WHERE
    place = 1
  UNION ALL
  SELECT
    n.block,
    n.slot,
    n.block_no,
    NULL AS prev,
    NULL AS forger,
    0 AS forgers
  FROM noticed AS n
  LEFT JOIN forged AS f
    ON f.block = n.block AND f.place = 1
  WHERE
    n.place = 1 AND f.block IS NULL
), sizes AS (
  SELECT
    block,
    size,
    ROW_NUMBER() OVER (
      PARTITION BY block
      ORDER BY preference NULLS LAST, at_ns NULLS LAST, host NULLS LAST
    ) AS place
  FROM (
    SELECT
      block,
      host,
      1 AS preference,
      adopted_block_at AS at_ns,
      adopted_size AS size
    FROM host_blocks
    WHERE
      NOT adopted_size IS NULL
    UNION ALL
    SELECT
      block,
      host,
      2 AS preference,
      fetched_at AS at_ns,
      fetched_size AS size
    FROM host_blocks
    WHERE
      NOT fetched_size IS NULL
  ) AS stated
), adopters AS (
  SELECT
    block,
    COUNT(*) AS adopters
  FROM host_blocks
  WHERE
    NOT adopted_at IS NULL
  GROUP BY
    block
)
SELECT
  k.block,
  k.slot,
  k.block_no,
  k.prev,
  k.forger,
  k.forgers,
  COALESCE(a.adopters, 0) AS adopters,
  COUNT(*) OVER (PARTITION BY k.block_no) - 1 AS battles,
  s.size
FROM known AS k
LEFT JOIN adopters AS a
  ON a.block = k.block
LEFT JOIN sizes AS s
  ON s.block = k.block AND s.place = 1
