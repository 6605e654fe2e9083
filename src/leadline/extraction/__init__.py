"""PAGES TO FIELDS: typed values, structured data, wrappers learned from pages; pure."""
