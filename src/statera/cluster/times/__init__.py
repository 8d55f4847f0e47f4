"""Times from one event to another of the same key across hosts, for the logs of any system."""
