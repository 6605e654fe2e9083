"""What was read of a store so far, in memory: narrow columns that every page is made from."""
