"""leadline for Python: what `import leadline` offers, and what its calls give back."""
