"""Harvests as a crawl or a team runs them: put together from the settings."""
