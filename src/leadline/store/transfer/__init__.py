"""Whole stores from one kind of database to another."""
