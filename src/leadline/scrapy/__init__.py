"""leadline's strategies for Scrapy spiders; needs `leadline[scrapy]`, see docs/guides/scrapy.md.

SPIDER_MIDDLEWARES = {"leadline.scrapy.LeadlineMiddleware": 950}
SCHEDULER_PRIORITY_QUEUE = "leadline.scrapy.RankedQueue"
LEADLINE_TOPIC = "book"
"""

from leadline.scrapy.middleware import FoundForm, LeadlineMiddleware
from leadline.scrapy.queue import RankedQueue

__all__ = ["FoundForm", "LeadlineMiddleware", "RankedQueue"]
