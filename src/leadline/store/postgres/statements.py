"""Statements that both faces of the database use."""

SAVE = "INSERT INTO saved VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value"

TALLY = """
    INSERT INTO tallies VALUES (%s, %s, %s, %s, %s) ON CONFLICT (worker, outcome) DO UPDATE
    SET visits = tallies.visits + excluded.visits,
        requests = tallies.requests + excluded.requests,
        size_bytes = tallies.size_bytes + excluded.size_bytes
"""
