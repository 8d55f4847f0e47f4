"""Engines that run the analysis of a cluster's events: all run the same SQL; one module per engine."""
