"""Analysis of cluster runs: from the logs of every host to events, metrics, comparisons and reports."""
