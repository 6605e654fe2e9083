"""A permanent adversary: hostile pages, servers and deaths, against the whole read path."""
