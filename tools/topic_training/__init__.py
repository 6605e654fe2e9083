"""Makes the shipped packs and their background from real pages and written words."""
