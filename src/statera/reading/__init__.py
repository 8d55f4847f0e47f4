"""Bytes of result files → observations: the table of values that every later room works on."""
