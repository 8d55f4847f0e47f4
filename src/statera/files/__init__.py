"""Files: the one writer, names, TOML, CSV and JSON."""
