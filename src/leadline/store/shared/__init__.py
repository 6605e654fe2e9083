"""What every shared store goes by, and the one that lives in memory."""
