"""SmartCrawler and SCDI (Zhao et al., 2015), and Sitewise: strategy.py says how they work."""

from leadline.strategies.smart.knowledge import load_knowledge, save_knowledge
from leadline.strategies.smart.settings import (
    SCDISettings,
    SitewiseSettings,
    SmartCrawlerSettings,
)
from leadline.strategies.smart.strategy import SmartCrawler
from leadline.strategies.smart.variants import SCDI, Sitewise

__all__ = [
    "SCDI",
    "SCDISettings",
    "Sitewise",
    "SitewiseSettings",
    "SmartCrawler",
    "SmartCrawlerSettings",
    "load_knowledge",
    "save_knowledge",
]
