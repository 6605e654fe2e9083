"""What all models have in common."""

from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")

LARGEST = 10**12
"""Of any number that may be sent: far below what SQLite can count to."""
MOST = 200
"""Items of one page of a list."""


class Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Listing(Model, Generic[T]):
    """One page of a longer list."""

    model_config = ConfigDict(
        frozen=True, json_schema_extra={"description": "One page of a longer list."}
    )

    items: tuple[T, ...]
    total: int = Field(description="How many there are in all, with the filters in force.")
    offset: int
    limit: int
