"""Comparisons → text, pictures, pages and comments."""
