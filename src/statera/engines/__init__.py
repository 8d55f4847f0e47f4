"""Engines that run the analysis of a cluster's events: the same SQL, one file an engine."""
