"""Outputs of cluster analyses and comparisons. A view does no arithmetic."""
