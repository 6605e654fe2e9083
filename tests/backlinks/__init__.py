"""Providers of back-links, with real servers on loopback and small files."""
