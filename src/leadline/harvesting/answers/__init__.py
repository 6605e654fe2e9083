"""Reads what a source answers: its kind, its records and their keys, its total."""

from leadline.harvesting.answers.reader import AnswerReader

__all__ = ["AnswerReader"]
