"""For people: the command line, live progress, the report page, the demo."""
