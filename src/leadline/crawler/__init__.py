"""The loops that drive a crawl; the only code that joins the parts."""
