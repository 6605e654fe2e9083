"""Settings of the whole test suite."""

from hypothesis import settings

# Machines are shared: how long one example takes says nothing.
settings.register_profile("leadline", deadline=None)
settings.load_profile("leadline")
