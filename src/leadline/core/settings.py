"""The base of every table of settings: frozen, and an unknown key is an error."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """A table of settings: in TOML, after `--set`, as flags and in Python."""

    model_config = ConfigDict(frozen=True, extra="forbid")
