"""Statements that both faces of the database use."""
# ruff: noqa: S608 - the only words put into queries are column lists of store.rows

from leadline.store.rows import EVENT_COLUMNS

NOTE = f"""
    WITH seen AS MATERIALIZED (SELECT pg_current_xact_id())
    INSERT INTO events ({EVENT_COLUMNS}) SELECT %s, %s, %s, %s FROM seen
"""
"""Seen by others before it takes a number: see catalogue."""
SAVE = "INSERT INTO saved VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value"

TALLY = """
    INSERT INTO tallies VALUES (%s, %s, %s, %s, %s) ON CONFLICT (worker, outcome) DO UPDATE
    SET visits = tallies.visits + excluded.visits,
        requests = tallies.requests + excluded.requests,
        size_bytes = tallies.size_bytes + excluded.size_bytes
"""
