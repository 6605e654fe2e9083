"""The store in a PostgreSQL database (`leadline[postgres]`): for one process, or shared by many."""
