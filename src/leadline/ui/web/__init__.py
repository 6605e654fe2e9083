"""The dashboard and the REST API on a store: `leadline serve` (extra `leadline[dashboard]`)."""
