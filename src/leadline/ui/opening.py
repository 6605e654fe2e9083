"""Which store a command means."""

from leadline.config import load_config, settings_file

MEMORY = ":memory:"


def store_path(given: str | None) -> str:
    """The path given, else the one in the settings."""
    return given or load_config(settings_file(None))[0].store.path
