"""What a form is for: the same form again, searchable or not."""
