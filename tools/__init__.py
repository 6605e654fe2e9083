"""What makes parts of leadline from data, and pages from its code. Not installed."""
