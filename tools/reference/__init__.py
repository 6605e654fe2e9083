"""Reference pages of the documentation, made from the code."""
