"""Inside one database: what to ask, what the answers hold, how much of it is held. No I/O."""
