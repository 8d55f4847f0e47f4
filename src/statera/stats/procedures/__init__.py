"""The procedures, one or one small family a file."""
