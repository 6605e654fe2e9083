"""Chakrabarti's apprentice: see strategy.py for the algorithm."""

from leadline.strategies.apprentice.settings import ApprenticeSettings
from leadline.strategies.apprentice.strategy import Apprentice

__all__ = ["Apprentice", "ApprenticeSettings"]
