"""Text, Markdown, CSV and JSON of cluster analyses and comparisons. A view does no arithmetic."""
