"""From a form to what can be asked through it, and to what must be asked to learn that."""
