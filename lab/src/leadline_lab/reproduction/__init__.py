"""The tables of the papers made again, on one web with known truth."""
