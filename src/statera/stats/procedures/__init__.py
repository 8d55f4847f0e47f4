"""The procedures, one module per procedure or small family of procedures."""
