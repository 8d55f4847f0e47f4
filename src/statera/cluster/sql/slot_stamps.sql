-- First events of the forge loop, one row per (host, slot) that has any.
--   starts    Start events with distinct log time; repeated lines count once
--   *_at      smallest log time of the event, ns; null where no line gives it
--   leading   the earlier of Leader and NotLeader
--   density   chainDensity of the first Start, else of the first LedgerMetrics; first: smallest log time, then reading order
SELECT
    host, slot,
    coalesce(start_times, 0) AS starts,
    start_at, blkctx_at AS blk_ctx_at, lgrstate_at AS lgr_state_at, lgrview_at AS lgr_view_at,
    least(leader_at, notleader_at) AS leading_at,
    leader_at, ticked_at, memsnap_at AS mem_snap_at,
    coalesce(start_density, ledgermetrics_density) AS density
FROM slots
