"""The statistics of a comparison, computed by the compiled kernels."""

from statera.stats.weigh import weigh

__all__ = ["weigh"]
