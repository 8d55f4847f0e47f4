"""Comparisons and inspections as HTML fragments for notebooks: the answer, then tables that sort and filter."""
