"""The synthetic web: worlds whose truth is known, to compare strategies on and to try things out.

A world is a function of (profile, seed). Read `world.py` first, then `sites/`
(what it is made of), `databases/` (what is behind its forms), `server/` (how it
is reached), `truth.py` (how crawls are graded) and `experiments/`.
"""
