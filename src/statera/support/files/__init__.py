"""Files: writing outputs, names, sizes, TOML, CSV and JSON."""
