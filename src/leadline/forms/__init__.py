"""What a form is for: searchable or not, of which domain, what its fields ask for, safe to send."""
