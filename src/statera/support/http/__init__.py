"""Requests to servers of others: limits, retries, and tokens that appear in no message."""
