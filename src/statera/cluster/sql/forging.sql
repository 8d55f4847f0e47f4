-- Phases of forging, one row per main-chain block with known forger; all stamps on the forger's host.
-- Seconds; null where a stamp is missing; negative values are kept.
WITH stamps AS (
    SELECT s.* FROM slot_stamps AS s SEMI JOIN chain AS c ON c.forger = s.host AND c.slot = s.slot
)
SELECT
    c.block,
    b.delta,
    (s.start_at - c.slot_start) / 1e9 AS forger_start,
    (s.blk_ctx_at - s.start_at) / 1e9 AS forger_blk_ctx,
    (s.lgr_state_at - s.blk_ctx_at) / 1e9 AS forger_lgr_state,
    (s.lgr_view_at - s.lgr_state_at) / 1e9 AS forger_lgr_view,
    (s.leader_at - s.lgr_view_at) / 1e9 AS forger_lead,
    (s.ticked_at - s.leader_at) / 1e9 AS forger_ticked,
    (s.mem_snap_at - s.ticked_at) / 1e9 AS forger_mem_snap,
    (b.forged_at - s.mem_snap_at) / 1e9 AS forger_forge,
    (b.announced_at - b.forged_at) / 1e9 AS forger_announce,
    (b.sending_at - b.forged_at) / 1e9 AS forger_send,
    (b.adopted_block_at - b.forged_at) / 1e9 AS forger_adoption,
    (b.announced_at - c.slot_start) / 1e9 AS forger_announce_cum,
    (b.forged_at - s.leader_at) / 1e9 AS forger_lead_to_forged,
    (b.tip_at - b.forged_at) / 1e9 AS forger_added_to_chain
FROM chain AS c
JOIN host_blocks AS b ON b.host = c.forger AND b.block = c.block
LEFT JOIN stamps AS s ON s.host = c.forger AND s.slot = c.slot
