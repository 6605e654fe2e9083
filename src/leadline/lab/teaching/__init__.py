"""Teaches the judge of form domains, and measures what it learned.

`python -m leadline.lab.teaching FOLDER` fits the judge and writes its weights;
`python -m leadline.lab.teaching.evaluation FOLDER` measures it. FOLDER holds the real data.
"""
