"""Search answers written by hand in the styles of many kinds of software and times."""
