"""The dashboard as people see it: pages in a real browser, on stores of real crawls."""
