"""Models and features. Know nothing of crawling."""
