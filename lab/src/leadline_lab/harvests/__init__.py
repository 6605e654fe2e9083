"""Harvests of the lab's databases, asked directly: policies against each other and an oracle."""
