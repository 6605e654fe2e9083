"""What people see of a store: one read model for the command line, the REST API, the dashboard,
the Python API and Scrapy.

Types are frozen, and those of `core` are shown as they are where they say it all. Small answers
are read from the store directly; the dashboard and the REST API read from a `StoreMirror`, which
keeps what millions of visits come to in memory.
"""
