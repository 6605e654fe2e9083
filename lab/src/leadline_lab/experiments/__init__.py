"""Crawls of lab worlds, compared: trials, their statistics, figures and the report."""
