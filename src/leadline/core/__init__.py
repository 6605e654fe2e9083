"""The words every other package speaks. Imports nothing of ours and does no I/O."""
