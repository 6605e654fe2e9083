"""Where harvests are remembered, in each kind of store."""
