-- Main-chain blocks that fail a condition, one row per (block, condition). No row: the block is accepted.
WITH negatives AS (
    SELECT block FROM observations
    WHERE notice < 0 OR request < 0 OR fetching < 0 OR announce < 0 OR send < 0 OR adoption < 0
    UNION
    SELECT block FROM forging
    WHERE forger_start < 0 OR forger_blk_ctx < 0 OR forger_lgr_state < 0 OR forger_lgr_view < 0 OR forger_lead < 0
        OR forger_ticked < 0 OR forger_mem_snap < 0 OR forger_forge < 0 OR forger_announce < 0 OR forger_send < 0
        OR forger_adoption < 0 OR forger_announce_cum < 0 OR forger_lead_to_forged < 0 OR forger_added_to_chain < 0
)
SELECT b.block, c.number, c.tag
FROM chain AS b
CROSS JOIN setting AS g
CROSS JOIN conditions AS c
LEFT JOIN forging AS f ON f.block = b.block
LEFT JOIN negatives AS n ON n.block = b.block
WHERE c.kind = 'CBlock' AND NOT CASE c.tag
    WHEN 'BUnitaryChainDelta' THEN c.value = 0 OR coalesce(f.delta, 1) = 1
    WHEN 'BSizeGEq' THEN coalesce(b.size >= c.value, FALSE)
    WHEN 'BSizeLEq' THEN coalesce(b.size <= c.value, FALSE)
    WHEN 'BFullnessGEq' THEN coalesce(b.size >= c.value * g.max_body, FALSE)
    WHEN 'BFullnessLEq' THEN coalesce(b.size <= c.value * g.max_body, FALSE)
    WHEN 'BMinimumAdoptions' THEN b.adopters >= c.value
    WHEN 'BNonNegatives' THEN n.block IS NULL
END
UNION ALL
SELECT b.block, s.number, s.tag
FROM chain AS b
JOIN slot_failures AS s ON s.slot = b.slot
WHERE s.tag <> 'SlotHasLeaders'
