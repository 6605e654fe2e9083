"""Counts what real pages are made of; the lab builds its worlds from the counts.

`python -m tools.lab_statistics FOLDER` reads the real data and writes
`leadline/lab/statistics/*.json`: counts and scores, never a running text.
"""
