"""Numbers of things in words."""


def counted(count: int, one: str, several: str = "") -> str:
    """Write a number of things: ``1 value``, ``2 values``."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"
