"""SmartCrawler and SCDI (Zhao et al., 2015), and Sitewise: strategy.py says how they work."""

from leadline.strategies.smart.settings import (
    SCDISettings,
    SitewiseSettings,
    SmartCrawlerSettings,
)
from leadline.strategies.smart.strategy import SCDI, Sitewise, SmartCrawler

__all__ = [
    "SCDI",
    "SCDISettings",
    "Sitewise",
    "SitewiseSettings",
    "SmartCrawler",
    "SmartCrawlerSettings",
]
