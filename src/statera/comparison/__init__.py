"""Observations → arrangement → rows → notes and findings; ``pipeline.py`` tells the whole way."""
