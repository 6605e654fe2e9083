"""SmartCrawler and SCDI (Zhao et al., 2015): strategy.py says how they work."""

from leadline.strategies.smart.knowledge import load_knowledge, save_knowledge
from leadline.strategies.smart.settings import SCDISettings, SmartCrawlerSettings
from leadline.strategies.smart.strategy import SCDI, SmartCrawler

__all__ = [
    "SCDI",
    "SCDISettings",
    "SmartCrawler",
    "SmartCrawlerSettings",
    "load_knowledge",
    "save_knowledge",
]
