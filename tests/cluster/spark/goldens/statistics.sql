SELECT
  host AS host_number,
  COUNT(starts),
  (
    CAST(SUM(
      CAST((
        (
          starts
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          starts
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          starts
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(starts),
  MAX(starts),
  COUNT(started),
  (
    CAST(SUM(
      CAST((
        (
          started
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          started
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          started
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(started),
  MAX(started),
  COUNT(blk_ctx),
  (
    CAST(SUM(
      CAST((
        (
          blk_ctx
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          blk_ctx
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          blk_ctx
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(blk_ctx),
  MAX(blk_ctx),
  COUNT(lgr_state),
  (
    CAST(SUM(
      CAST((
        (
          lgr_state
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          lgr_state
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          lgr_state
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(lgr_state),
  MAX(lgr_state),
  COUNT(lgr_view),
  (
    CAST(SUM(
      CAST((
        (
          lgr_view
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          lgr_view
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          lgr_view
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(lgr_view),
  MAX(lgr_view),
  COUNT(leadership),
  (
    CAST(SUM(
      CAST((
        (
          leadership
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          leadership
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          leadership
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(leadership),
  MAX(leadership),
  COUNT(density),
  (
    CAST(SUM(
      CAST((
        (
          density
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          density
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          density
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(density),
  MAX(density)
FROM host_slots
WHERE
  TRUE
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  host AS host_number,
  COUNT(starts),
  SUM(CAST((
    starts
  ) AS DOUBLE)) * 1152921504606846976e0,
  MIN(starts),
  MAX(starts)
FROM host_slots
WHERE
  TRUE
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  PERCENTILE(
    starts,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              starts - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              starts - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              starts - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              starts - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              starts - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              starts - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  PERCENTILE(
    started,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              started - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              started - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              started - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              started - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              started - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              started - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  )
FROM host_slots
WHERE
  TRUE AND (
    NOT starts IS NULL OR NOT started IS NULL
  );

SELECT
  host AS host_number,
  COUNT(cpu),
  (
    CAST(SUM(
      CAST((
        (
          cpu
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          cpu
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          cpu
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(cpu),
  MAX(cpu),
  COUNT(gc),
  (
    CAST(SUM(
      CAST((
        (
          gc
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          gc
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          gc
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(gc),
  MAX(gc),
  COUNT(mut),
  (
    CAST(SUM(
      CAST((
        (
          mut
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          mut
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          mut
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(mut),
  MAX(mut),
  COUNT(gcs_major),
  (
    CAST(SUM(
      CAST((
        (
          gcs_major
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          gcs_major
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          gcs_major
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(gcs_major),
  MAX(gcs_major),
  COUNT(gcs_minor),
  (
    CAST(SUM(
      CAST((
        (
          gcs_minor
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          gcs_minor
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          gcs_minor
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(gcs_minor),
  MAX(gcs_minor),
  COUNT(alloc),
  (
    CAST(SUM(
      CAST((
        (
          alloc
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          alloc
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          alloc
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(alloc),
  MAX(alloc),
  COUNT(fs_rd),
  (
    CAST(SUM(
      CAST((
        (
          fs_rd
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          fs_rd
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          fs_rd
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(fs_rd),
  MAX(fs_rd),
  COUNT(fs_wr),
  (
    CAST(SUM(
      CAST((
        (
          fs_wr
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          fs_wr
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          fs_wr
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(fs_wr),
  MAX(fs_wr),
  COUNT(net_rd),
  (
    CAST(SUM(
      CAST((
        (
          net_rd
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          net_rd
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          net_rd
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(net_rd),
  MAX(net_rd),
  COUNT(net_wr),
  (
    CAST(SUM(
      CAST((
        (
          net_wr
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          net_wr
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          net_wr
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(net_wr),
  MAX(net_wr)
FROM intervals
WHERE
  inside
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  host AS host_number,
  COUNT(cpu),
  SUM(CAST((
    cpu
  ) AS DOUBLE)) * 1152921504606846976e0,
  MIN(cpu),
  MAX(cpu)
FROM intervals
WHERE
  inside
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  PERCENTILE(
    cpu,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              cpu - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              cpu - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              cpu - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              cpu - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              cpu - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              cpu - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  PERCENTILE(
    gc,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              gc - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              gc - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              gc - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              gc - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              gc - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              gc - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  )
FROM intervals
WHERE
  inside AND (
    NOT cpu IS NULL OR NOT gc IS NULL
  );

SELECT
  host AS host_number,
  COUNT(rss),
  (
    CAST(SUM(
      CAST((
        (
          rss
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          rss
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          rss
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(rss),
  MAX(rss),
  COUNT(heap),
  (
    CAST(SUM(
      CAST((
        (
          heap
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          heap
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          heap
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(heap),
  MAX(heap),
  COUNT(live),
  (
    CAST(SUM(
      CAST((
        (
          live
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          live
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          live
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(live),
  MAX(live)
FROM usage
WHERE
  inside
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  host AS host_number,
  COUNT(rss),
  SUM(CAST((
    rss
  ) AS DOUBLE)) * 1152921504606846976e0,
  MIN(rss),
  MAX(rss)
FROM usage
WHERE
  inside
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  PERCENTILE(
    rss,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              rss - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              rss - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              rss - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              rss - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              rss - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              rss - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  PERCENTILE(
    heap,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              heap - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              heap - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              heap - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              heap - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              heap - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              heap - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  )
FROM usage
WHERE
  inside AND (
    NOT rss IS NULL OR NOT heap IS NULL
  );

SELECT
  host AS host_number,
  COUNT(length),
  (
    CAST(SUM(
      CAST((
        (
          length
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          length
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          length
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(length),
  MAX(length)
FROM spans
WHERE
  TRUE
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  host AS host_number,
  COUNT(length),
  SUM(CAST((
    length
  ) AS DOUBLE)) * 1152921504606846976e0,
  MIN(length),
  MAX(length)
FROM spans
WHERE
  TRUE
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  PERCENTILE(
    length,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  )
FROM spans
WHERE
  TRUE AND (
    NOT length IS NULL
  );

SELECT
  host AS host_number,
  COUNT(forged),
  (
    CAST(SUM(
      CAST((
        (
          forged
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forged
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forged
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forged),
  MAX(forged),
  COUNT(filtered_ratio),
  (
    CAST(SUM(
      CAST((
        (
          filtered_ratio
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          filtered_ratio
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          filtered_ratio
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(filtered_ratio),
  MAX(filtered_ratio),
  COUNT(chained_ratio),
  (
    CAST(SUM(
      CAST((
        (
          chained_ratio
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          chained_ratio
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          chained_ratio
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(chained_ratio),
  MAX(chained_ratio)
FROM host_facts
WHERE
  live
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  host AS host_number,
  COUNT(forged),
  SUM(CAST((
    forged
  ) AS DOUBLE)) * 1152921504606846976e0,
  MIN(forged),
  MAX(forged)
FROM host_facts
WHERE
  live
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  PERCENTILE(
    forged,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              forged - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              forged - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              forged - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              forged - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              forged - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              forged - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  PERCENTILE(
    filtered_ratio,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              filtered_ratio - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              filtered_ratio - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              filtered_ratio - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              filtered_ratio - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              filtered_ratio - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              filtered_ratio - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  )
FROM host_facts
WHERE
  live AND (
    NOT forged IS NULL OR NOT filtered_ratio IS NULL
  );

SELECT
  0 AS host_number,
  COUNT(battles),
  (
    CAST(SUM(
      CAST((
        (
          battles
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          battles
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          battles
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(battles),
  MAX(battles),
  COUNT(size),
  (
    CAST(SUM(
      CAST((
        (
          size
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          size
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          size
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(size),
  MAX(size),
  COUNT(forger_start),
  (
    CAST(SUM(
      CAST((
        (
          forger_start
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_start
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_start
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_start),
  MAX(forger_start),
  COUNT(forger_blk_ctx),
  (
    CAST(SUM(
      CAST((
        (
          forger_blk_ctx
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_blk_ctx
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_blk_ctx
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_blk_ctx),
  MAX(forger_blk_ctx),
  COUNT(forger_lgr_state),
  (
    CAST(SUM(
      CAST((
        (
          forger_lgr_state
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_lgr_state
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_lgr_state
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_lgr_state),
  MAX(forger_lgr_state),
  COUNT(forger_lgr_view),
  (
    CAST(SUM(
      CAST((
        (
          forger_lgr_view
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_lgr_view
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_lgr_view
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_lgr_view),
  MAX(forger_lgr_view),
  COUNT(forger_lead),
  (
    CAST(SUM(
      CAST((
        (
          forger_lead
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_lead
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_lead
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_lead),
  MAX(forger_lead),
  COUNT(forger_ticked),
  (
    CAST(SUM(
      CAST((
        (
          forger_ticked
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_ticked
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_ticked
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_ticked),
  MAX(forger_ticked),
  COUNT(forger_mem_snap),
  (
    CAST(SUM(
      CAST((
        (
          forger_mem_snap
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_mem_snap
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_mem_snap
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_mem_snap),
  MAX(forger_mem_snap),
  COUNT(forger_forge),
  (
    CAST(SUM(
      CAST((
        (
          forger_forge
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_forge
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_forge
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_forge),
  MAX(forger_forge),
  COUNT(forger_announce),
  (
    CAST(SUM(
      CAST((
        (
          forger_announce
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_announce
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_announce
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_announce),
  MAX(forger_announce),
  COUNT(forger_send),
  (
    CAST(SUM(
      CAST((
        (
          forger_send
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_send
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_send
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_send),
  MAX(forger_send),
  COUNT(forger_adoption),
  (
    CAST(SUM(
      CAST((
        (
          forger_adoption
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_adoption
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_adoption
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_adoption),
  MAX(forger_adoption),
  COUNT(forger_announce_cum),
  (
    CAST(SUM(
      CAST((
        (
          forger_announce_cum
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_announce_cum
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_announce_cum
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_announce_cum),
  MAX(forger_announce_cum),
  COUNT(peer_notice_first),
  (
    CAST(SUM(
      CAST((
        (
          peer_notice_first
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          peer_notice_first
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          peer_notice_first
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(peer_notice_first),
  MAX(peer_notice_first),
  COUNT(peer_fetch_first),
  (
    CAST(SUM(
      CAST((
        (
          peer_fetch_first
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          peer_fetch_first
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          peer_fetch_first
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(peer_fetch_first),
  MAX(peer_fetch_first),
  COUNT(adoption_50),
  (
    CAST(SUM(
      CAST((
        (
          adoption_50
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          adoption_50
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          adoption_50
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(adoption_50),
  MAX(adoption_50),
  COUNT(adoption_80),
  (
    CAST(SUM(
      CAST((
        (
          adoption_80
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          adoption_80
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          adoption_80
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(adoption_80),
  MAX(adoption_80),
  COUNT(adoption_90),
  (
    CAST(SUM(
      CAST((
        (
          adoption_90
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          adoption_90
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          adoption_90
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(adoption_90),
  MAX(adoption_90),
  COUNT(adoption_92),
  (
    CAST(SUM(
      CAST((
        (
          adoption_92
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          adoption_92
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          adoption_92
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(adoption_92),
  MAX(adoption_92),
  COUNT(adoption_94),
  (
    CAST(SUM(
      CAST((
        (
          adoption_94
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          adoption_94
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          adoption_94
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(adoption_94),
  MAX(adoption_94),
  COUNT(adoption_96),
  (
    CAST(SUM(
      CAST((
        (
          adoption_96
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          adoption_96
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          adoption_96
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(adoption_96),
  MAX(adoption_96),
  COUNT(adoption_98),
  (
    CAST(SUM(
      CAST((
        (
          adoption_98
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          adoption_98
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          adoption_98
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(adoption_98),
  MAX(adoption_98),
  COUNT(adoption_100),
  (
    CAST(SUM(
      CAST((
        (
          adoption_100
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          adoption_100
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          adoption_100
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(adoption_100),
  MAX(adoption_100),
  COUNT(gap),
  (
    CAST(SUM(
      CAST((
        (
          gap
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          gap
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          gap
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(gap),
  MAX(gap),
  COUNT(forger_lead_to_forged),
  (
    CAST(SUM(
      CAST((
        (
          forger_lead_to_forged
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_lead_to_forged
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_lead_to_forged
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_lead_to_forged),
  MAX(forger_lead_to_forged),
  COUNT(forger_added_to_chain),
  (
    CAST(SUM(
      CAST((
        (
          forger_added_to_chain
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          forger_added_to_chain
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          forger_added_to_chain
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(forger_added_to_chain),
  MAX(forger_added_to_chain)
FROM blocks
WHERE
  accepted
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  0 AS host_number,
  COUNT(battles),
  SUM(CAST((
    battles
  ) AS DOUBLE)) * 1152921504606846976e0,
  MIN(battles),
  MAX(battles)
FROM blocks
WHERE
  accepted
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  PERCENTILE(
    battles,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              battles - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              battles - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              battles - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              battles - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              battles - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              battles - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  PERCENTILE(
    size,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              size - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              size - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              size - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              size - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              size - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              size - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  )
FROM blocks
WHERE
  accepted AND (
    NOT battles IS NULL OR NOT size IS NULL
  );

SELECT
  0 AS host_number,
  COUNT(request),
  (
    CAST(SUM(
      CAST((
        (
          request
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          request
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          request
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(request),
  MAX(request),
  COUNT(fetching),
  (
    CAST(SUM(
      CAST((
        (
          fetching
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          fetching
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          fetching
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(fetching),
  MAX(fetching),
  COUNT(announce),
  (
    CAST(SUM(
      CAST((
        (
          announce
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          announce
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          announce
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(announce),
  MAX(announce),
  COUNT(send),
  (
    CAST(SUM(
      CAST((
        (
          send
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          send
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          send
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(send),
  MAX(send),
  COUNT(adoption),
  (
    CAST(SUM(
      CAST((
        (
          adoption
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          adoption
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          adoption
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(adoption),
  MAX(adoption)
FROM peers
WHERE
  TRUE
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  0 AS host_number,
  COUNT(request),
  SUM(CAST((
    request
  ) AS DOUBLE)) * 1152921504606846976e0,
  MIN(request),
  MAX(request)
FROM peers
WHERE
  TRUE
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  PERCENTILE(
    request,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              request - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              request - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              request - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              request - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              request - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              request - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  PERCENTILE(
    fetching,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              fetching - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              fetching - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              fetching - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              fetching - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              fetching - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              fetching - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  )
FROM peers
WHERE
  TRUE AND (
    NOT request IS NULL OR NOT fetching IS NULL
  );

SELECT
  host AS host_number,
  COUNT(length),
  (
    CAST(SUM(
      CAST((
        (
          length
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          length
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          length
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  ),
  MIN(length),
  MAX(length)
FROM epoch_spans
WHERE
  TRUE
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  host AS host_number,
  COUNT(length),
  SUM(CAST((
    length
  ) AS DOUBLE)) * 1152921504606846976e0,
  MIN(length),
  MAX(length)
FROM epoch_spans
WHERE
  TRUE
GROUP BY
  1
ORDER BY
  1 NULLS LAST;

SELECT
  PERCENTILE(
    length,
    ARRAY(
      0,
      0.01,
      0.05,
      0.1,
      0.2,
      0.3,
      0.4,
      0.5,
      0.6,
      0.7,
      0.75,
      0.8,
      0.85,
      0.875,
      0.9,
      0.925,
      0.95,
      0.97,
      0.98,
      0.99,
      0.995,
      0.997,
      0.998,
      0.999,
      0.9995,
      0.9997,
      0.9998,
      0.9999,
      1
    )
  ),
  (
    CAST(SUM(
      CAST((
        (
          (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) / 1152921504606846976e0 AS BIGINT)
    ) AS DECIMAL(38, 0)) * 1152921504606846976 + SUM(
      CAST(CAST((
        (
          (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1152921504606846976e0 AS BIGINT) + CAST((
        (
          (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          ) * (
            (
              length - (
                1.00000000000000000e+00
              )
            ) / 2.00000000000000000e+00
          )
        ) * 1152921504606846976e0
      ) % 1e0 * 2e0 AS BIGINT) AS DECIMAL(38, 0))
    )
  )
FROM epoch_spans
WHERE
  TRUE AND (
    NOT length IS NULL
  )
