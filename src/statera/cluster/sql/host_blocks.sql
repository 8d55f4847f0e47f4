-- First events of blocks, one row per (host, block) that has any.
-- First: smallest log time, then reading order; all fields come from that one line.
--   *_at      log time, ns       adopted_at  the earlier of Tip and AdoptedBlock, whichever exist
--   delta     change of the chain's length by the Tip event (5.2); null: unknown
--   length    blocks asked for by the fetch request; absent counts as 1
SELECT
    host, block,
    forged_at, forged_slot, forged_block_no AS forged_no, forged_prev AS prev,
    noticed_at, noticed_slot, noticed_block_no AS noticed_no,
    requested_at, CASE WHEN requested_at IS NOT NULL THEN coalesce(requested_length, 1) END AS length,
    fetched_at, fetched_size, announced_at, sending_at,
    tip_at, tip_delta AS delta,
    adoptedblock_at AS adopted_block_at, adoptedblock_size AS adopted_size,
    least(tip_at, adoptedblock_at) AS adopted_at
FROM block_events
