"""What a world is made of: its sites, the links between them, their pages."""
