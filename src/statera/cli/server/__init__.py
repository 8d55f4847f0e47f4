"""``statera server``: projects, tokens and the database of a server."""
