"""The base of every table of settings, and what makes a setting an option of commands."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """A table of settings: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class Flag:
    """Marks a setting as an option of the command line: `Annotated[int, Flag("--pages", ...)]`."""

    name: str
    commands: tuple[str, ...] = ("crawl",)
    also: tuple[str, ...] = ()
    """Further names, as of older versions."""
