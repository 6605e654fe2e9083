"""Teaches which links lead to a search form, whatever the topic, on real pages and addresses."""
