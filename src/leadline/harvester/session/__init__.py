"""Draws up the records behind forms: ask, turn pages, keep, learn, stop."""
