"""SmartCrawler with some of its parts off, under names of their own.

scdi: the paper's yardstick. One queue, first come first served; nothing is ranked, learned,
    shared out or asked
sitewise: ours. One queue for what relevant sites link to, ranked as the two queues are, so
    that a fitting site never waits behind unfitting ones (docs/strategies/sitewise.md)
"""

from leadline.strategies.smart.settings import SCDISettings, SitewiseSettings
from leadline.strategies.smart.strategy import SmartCrawler


class SCDI(SmartCrawler):
    """SmartCrawler's two stages and stopping criteria without any of its other parts."""

    name = "scdi"

    def __init__(self, settings: SCDISettings) -> None:
        super().__init__(settings)


class Sitewise(SmartCrawler):
    """SmartCrawler's two stages with one queue of sites."""

    name = "sitewise"

    def __init__(self, settings: SitewiseSettings) -> None:
        super().__init__(settings)
