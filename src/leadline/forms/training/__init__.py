"""Trains and measures the judges of searchable forms on real, labelled pages.

`python -m leadline.forms.training FOLDER` fits the judges and writes their weights;
`python -m leadline.forms.training.evaluation FOLDER` measures them by cross-validation.
"""
