/* Phases of valid observers of accepted blocks, one row per (block, observer), seconds. */
/* announce and send may be missing or negative where the observation is valid; they are null then. */
SELECT
  b.position,
  o.block,
  o.host,
  o.request,
  o.fetching,
  CASE WHEN o.announce >= 0 THEN o.announce END AS announce,
  CASE WHEN o.send >= 0 THEN o.send END AS send,
  o.adoption
FROM observations AS o
JOIN blocks AS b
  ON b.block = o.block
WHERE
  b.accepted AND o.class = 'valid'
