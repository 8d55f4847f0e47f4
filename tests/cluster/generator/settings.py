"""What is generated."""

from __future__ import annotations

from dataclasses import dataclass

COMPRESSION = ("", ".gz", ".zst")


@dataclass(frozen=True)
class Settings:
    """A run.

    Effects multiply what they name; faults are shares of lines, blocks or hosts.
    """

    hosts: int = 6
    slots: int = 600
    seed: int = 1
    system_start: str = "2025-02-14T18:40:58Z"
    epoch_length: int = 400
    block_rate: float = 0.05
    peers: int = 3
    tracing: tuple[str, ...] = ("new",)
    compression: tuple[str, ...] = ("",)
    files: int = 1
    mempool: float = 0.3
    busy: int = 0  # slots of a full core at the beginning of every epoch
    # effects
    adoption: float = 1.0
    forging: float = 1.0
    allocation: float = 1.0
    # faults
    noise: float = 0.0
    broken: float = 0.0
    other: float = 0.0
    duplicates: float = 0.0
    disorder: float = 0.0
    battles: float = 0.0
    lost_forged: float = 0.0
    cut: int = 0
    restarts: int = 0
    clock_steps: int = 0
    missing: int = 0
    silent: int = 0
    truncated: int = 0
