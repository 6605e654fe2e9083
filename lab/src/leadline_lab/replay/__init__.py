"""Real linked pages crawled again: collections of stored pages with known topics, as webs."""
