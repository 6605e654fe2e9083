"""A store's contents in memory, in narrow columns, kept up to date: what the dashboard and the
REST API answer from."""
