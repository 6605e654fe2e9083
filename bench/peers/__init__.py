"""The clients that bench/loop.py sets side by side, one process each."""
