"""Teaches the judge of form domains, and measures what it learned.

`python -m tools.critic_training FOLDER` fits the judge and writes its weights;
`python -m tools.critic_training.evaluation FOLDER` measures it. FOLDER holds the real data.
"""
