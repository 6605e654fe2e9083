"""What the user gets: tables of what a crawl found, in files of several formats."""
