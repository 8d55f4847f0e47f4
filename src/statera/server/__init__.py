"""A server for histories: uploads over HTTP, pages with triage, an API, webhooks; on SQLite or PostgreSQL."""
