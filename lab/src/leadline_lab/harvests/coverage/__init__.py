"""Harvests kept as traces: size estimates fitted to some, judged on others.

`python -m leadline_lab.harvests.coverage FOLDER --ask` keeps traces in a folder, `--fit` learns
from them how far off each estimate is, `--judge` says how often the interval holds the truth.
"""
