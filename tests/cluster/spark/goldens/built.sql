SELECT
  h.host,
  e.`event`,
  e.`at` AS at_ns,
  e.`slot`,
  e.`block`,
  e.`block_no`,
  e.`prev`,
  CASE
    WHEN e.`delta` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`delta`
  END AS `delta`,
  CASE
    WHEN e.`length` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`length`
  END AS `length`,
  CASE WHEN e.`size` BETWEEN -9007199254740992 AND 9007199254740992 THEN e.`size` END AS `size`,
  CASE
    WHEN e.`density` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`density`
  END AS `density`,
  e.`file`,
  e.`line`,
  e.`seq`
FROM logged_events AS e
JOIN host AS h
  ON h.name = e.host
WHERE
  (
    e.`at` > -4611686018427387904 AND e.`at` < 4611686018427387904
  )
  AND (
    e.slot IS NULL OR e.slot <= 2872127560
  );

SELECT
  h.host,
  e.`at` AS at_ns,
  e.`file`,
  e.`line`,
  e.`seq`,
  CASE
    WHEN e.`CentiCpu` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`CentiCpu`
  END AS `CentiCpu`,
  CASE
    WHEN e.`CentiGC` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`CentiGC`
  END AS `CentiGC`,
  CASE
    WHEN e.`CentiMut` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`CentiMut`
  END AS `CentiMut`,
  CASE
    WHEN e.`GcsMajor` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`GcsMajor`
  END AS `GcsMajor`,
  CASE
    WHEN e.`GcsMinor` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`GcsMinor`
  END AS `GcsMinor`,
  CASE
    WHEN e.`Alloc` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`Alloc`
  END AS `Alloc`,
  CASE WHEN e.`FsRd` BETWEEN -9007199254740992 AND 9007199254740992 THEN e.`FsRd` END AS `FsRd`,
  CASE WHEN e.`FsWr` BETWEEN -9007199254740992 AND 9007199254740992 THEN e.`FsWr` END AS `FsWr`,
  CASE
    WHEN e.`NetRd` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`NetRd`
  END AS `NetRd`,
  CASE
    WHEN e.`NetWr` BETWEEN -9007199254740992 AND 9007199254740992
    THEN e.`NetWr`
  END AS `NetWr`,
  CASE WHEN e.`RSS` BETWEEN -9007199254740992 AND 9007199254740992 THEN e.`RSS` END AS `RSS`,
  CASE WHEN e.`Heap` BETWEEN -9007199254740992 AND 9007199254740992 THEN e.`Heap` END AS `Heap`,
  CASE WHEN e.`Live` BETWEEN -9007199254740992 AND 9007199254740992 THEN e.`Live` END AS `Live`
FROM logged_resources AS e
JOIN host AS h
  ON h.name = e.host
WHERE
  (
    e.`at` > -4611686018427387904 AND e.`at` < 4611686018427387904
  );

SELECT
  (
    SELECT
      COUNT(*)
    FROM logged_events AS e
    WHERE
      NOT (
        (
          e.`at` > -4611686018427387904 AND e.`at` < 4611686018427387904
        )
        AND (
          e.slot IS NULL OR e.slot <= 2872127560
        )
      )
  ) + (
    SELECT
      COUNT(*)
    FROM logged_resources AS e
    WHERE
      NOT (
        e.`at` > -4611686018427387904 AND e.`at` < 4611686018427387904
      )
  );

SELECT
  COUNT(
    CASE WHEN NOT e.`delta` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END
  ),
  COUNT(
    CASE WHEN NOT e.`length` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END
  ),
  COUNT(CASE WHEN NOT e.`size` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END),
  COUNT(
    CASE WHEN NOT e.`density` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END
  )
FROM logged_events AS e;

SELECT
  COUNT(
    CASE
      WHEN NOT e.`CentiCpu` BETWEEN -9007199254740992 AND 9007199254740992
      THEN 1
    END
  ),
  COUNT(
    CASE WHEN NOT e.`CentiGC` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END
  ),
  COUNT(
    CASE
      WHEN NOT e.`CentiMut` BETWEEN -9007199254740992 AND 9007199254740992
      THEN 1
    END
  ),
  COUNT(
    CASE
      WHEN NOT e.`GcsMajor` BETWEEN -9007199254740992 AND 9007199254740992
      THEN 1
    END
  ),
  COUNT(
    CASE
      WHEN NOT e.`GcsMinor` BETWEEN -9007199254740992 AND 9007199254740992
      THEN 1
    END
  ),
  COUNT(
    CASE WHEN NOT e.`Alloc` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END
  ),
  COUNT(CASE WHEN NOT e.`FsRd` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END),
  COUNT(CASE WHEN NOT e.`FsWr` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END),
  COUNT(
    CASE WHEN NOT e.`NetRd` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END
  ),
  COUNT(
    CASE WHEN NOT e.`NetWr` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END
  ),
  COUNT(CASE WHEN NOT e.`RSS` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END),
  COUNT(CASE WHEN NOT e.`Heap` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END),
  COUNT(CASE WHEN NOT e.`Live` BETWEEN -9007199254740992 AND 9007199254740992 THEN 1 END)
FROM logged_resources AS e;

SELECT
  block,
  slot,
  block_no,
  prev,
  forger,
  forgers,
  adopters,
  battles,
  size
FROM known_blocks;

SELECT
  s.host,
  h.name,
  MIN(s.slot),
  MAX(s.slot),
  COUNT(*)
FROM slot_stamps AS s
JOIN host AS h
  ON h.host = s.host
WHERE
  s.starts > 0
GROUP BY
  s.host,
  h.name;

SELECT
  MAX(
    CASE
      WHEN i.slot - i.slot_before < b.last_slot - b.first_slot
      THEN i.slot - i.slot_before
      ELSE b.last_slot - b.first_slot
    END
  )
FROM intervals AS i
JOIN bounds AS b
  ON b.host = i.host;

SELECT
  MAX(length)
FROM spans;

SELECT
  m.metric,
  h.name AS host,
  m.n,
  m.mean
FROM measured AS m
JOIN host AS h
  USING (host);

SELECT
  *
FROM host;

SELECT
  name,
  live,
  first_slot,
  last_slot,
  slots,
  restarts,
  forged,
  chained,
  accepted
FROM host_facts;

SELECT
  h.name,
  COUNT(*),
  MIN(s.started)
FROM host_slots AS s
JOIN host AS h
  ON h.host = s.host
WHERE
  s.started < ?
GROUP BY
  h.name
ORDER BY
  COUNT(*) DESC,
  h.name NULLS LAST;

SELECT
  h.name,
  COUNT(*),
  MAX(f.forged_at - o.noticed_at)
FROM chain AS c
JOIN host_blocks AS f
  ON f.block = c.block AND f.host = c.forger
JOIN host_blocks AS o
  ON o.block = c.block AND o.host <> c.forger
JOIN host AS h
  ON h.host = o.host
WHERE
  f.forged_at - o.noticed_at > ?
GROUP BY
  h.name
ORDER BY
  COUNT(*) DESC,
  h.name NULLS LAST;

SELECT
  h.name,
  COUNT(*),
  MAX(r.above - r.at_ns)
FROM (
  SELECT
    host,
    at_ns,
    LAG(at_ns) OVER (PARTITION BY host, file ORDER BY line NULLS LAST) AS above
  FROM resources
) AS r
JOIN host AS h
  ON h.host = r.host
WHERE
  r.above - r.at_ns > ?
GROUP BY
  h.name
ORDER BY
  COUNT(*) DESC,
  h.name NULLS LAST;

SELECT
  COUNT(CASE WHEN accepted THEN 1 END),
  COUNT(*)
FROM blocks;

SELECT
  tag,
  COUNT(DISTINCT block)
FROM block_failures
GROUP BY
  tag;

SELECT
  o.class,
  COUNT(*)
FROM observations AS o
JOIN blocks AS b
  ON b.block = o.block
WHERE
  b.accepted
GROUP BY
  o.class;

SELECT
  block,
  tag
FROM block_failures
ORDER BY
  block NULLS LAST,
  number NULLS LAST;

SELECT
  b.block_no,
  b.slot,
  b.block,
  b.prev,
  h.name,
  b.size,
  b.battles,
  b.gap,
  b.accepted,
  b.adopters,
  b.valid_observers,
  b.forger_start,
  b.forger_blk_ctx,
  b.forger_lgr_state,
  b.forger_lgr_view,
  b.forger_lead,
  b.forger_ticked,
  b.forger_mem_snap,
  b.forger_forge,
  b.forger_announce,
  b.forger_send,
  b.forger_adoption,
  b.forger_announce_cum,
  b.forger_lead_to_forged,
  b.forger_added_to_chain,
  b.peer_notice_first,
  b.peer_fetch_first,
  b.adoption_50,
  b.adoption_80,
  b.adoption_90,
  b.adoption_92,
  b.adoption_94,
  b.adoption_96,
  b.adoption_98,
  b.adoption_100
FROM blocks AS b
LEFT JOIN host AS h
  ON h.host = b.forger
ORDER BY
  b.position NULLS LAST
