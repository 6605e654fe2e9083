"""Reads what a source answers: its kind, its records and their keys, its total."""

from leadline.harvester.answers.reader import AnswerReader, read_answer_page, read_single_answer

__all__ = ["AnswerReader", "read_answer_page", "read_single_answer"]
