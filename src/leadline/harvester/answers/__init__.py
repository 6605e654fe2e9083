"""Reads what a source answers: its kind, its records and their keys, its total."""

from leadline.harvester.answers.reader import AnswerReader

__all__ = ["AnswerReader"]
