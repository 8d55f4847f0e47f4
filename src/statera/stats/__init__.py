"""The statistics of a comparison, computed by the compiled kernels."""

from statera.stats.weigh import weigh

__all__ = ["mann_whitney", "weigh"]


def __getattr__(name: str) -> object:
    """Import a procedure when it is first asked for."""
    if name == "mann_whitney":
        from statera.stats.mann_whitney import mann_whitney  # noqa: PLC0415

        # The import put the module under this name; the procedure is what is meant.
        globals()[name] = mann_whitney
        return mann_whitney
    raise AttributeError(f"module 'statera.stats' has no attribute {name!r}")
