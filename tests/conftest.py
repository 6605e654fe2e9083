"""Settings of the whole test suite."""

import os

from hypothesis import settings

pytest_plugins = ["tests.postgres.fixtures"]

EXAMPLES = int(os.environ.get("LEADLINE_EXAMPLES", "8"))
"""Of each property: the suite has ten minutes. Hypothesis keeps what failed and tries it again."""

# Machines are shared: how long one example takes says nothing.
settings.register_profile(
    "leadline",
    deadline=None,
    max_examples=EXAMPLES,
    # The same examples every time, unless somebody asks to look further.
    derandomize="LEADLINE_EXAMPLES" not in os.environ,
)
settings.load_profile("leadline")
