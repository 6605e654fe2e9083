"""Trains and measures the judges of searchable forms on real, labelled pages.

`python -m tools.form_training FOLDER` fits the judges and writes their weights;
`python -m tools.form_training.evaluation FOLDER` measures them by cross-validation.
"""
