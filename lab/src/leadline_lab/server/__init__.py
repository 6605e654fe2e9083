"""The transports and services of a world: in-process, over HTTP, back-links, search."""
