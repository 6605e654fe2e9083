"""Settings of the apprentice, and what they make of a link."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from leadline.core.crawl import LinkFeatures

Mode = Literal["online", "offline", "offline-online", "watching"]
NEIGHBOURS = 3
"""Links on each side whose relevance counts with `co_citation`; farther ones are of other lists."""


class ApprenticeSettings(BaseModel):
    """Settings of `apprentice`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: Mode = Field(
        "online",
        description="online: learns as it crawls; offline: ranks by `model` and learns nothing; "
        "offline-online: begins with `model` and learns on; watching: crawls as baseline does and "
        "learns for a later crawl.",
    )
    model: str = Field("", description="Folder with a model from `leadline train apprentice`.")
    threshold: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Links of pages less relevant than this are not followed (Figure 2 of the "
        "paper); 0: all links are.",
    )
    d_max: int = Field(
        5,
        ge=0,
        le=12,
        description="Leaves before and after a link whose words count (the paper's).",
    )
    bag_of_words: bool = Field(
        False, description="Forget how far from the link a word stands, for comparison."
    )
    batch_pages: int = Field(
        250,
        ge=1,
        description="Pages between two lessons; the paper has a few hundred to a few thousand. "
        "After twenty batches they grow with the crawl.",
    )
    least_examples: int = Field(
        20, ge=1, description="Links of each class before the apprentice is believed."
    )
    learns_from: Literal["relevance", "reward"] = Field(
        "relevance",
        description="What a page is worth that a link led to: its relevance, whatever the goal "
        "(the paper's), or what counts for the goal.",
    )
    split: Literal["half", "median"] = Field(
        "half",
        description="Where high begins: at 0.5, or so that both classes are equally large as far "
        "as possible.",
    )
    length: int = Field(
        0,
        ge=0,
        description="A link with more known features than this weighs as if it had so many; 0: "
        "all count (the paper's).",
    )
    anchor_words: int = Field(8, ge=0, le=64, description="Words of the anchor, at most.")
    around_words: int = Field(
        24, ge=0, le=128, description="Words on each side within d_max leaves, at most."
    )
    url_words: int = Field(
        0, ge=0, le=32, description="Words of the link's path; the paper has none of them."
    )
    class_feature: bool = Field(
        False, description="The relevance of the link's page is a feature too."
    )
    co_citation: bool = Field(
        False, description="Whether the links beside it led to relevant pages is a feature too."
    )

    @model_validator(mode="after")
    def _has_a_model(self) -> "ApprenticeSettings":
        if self.mode.startswith("offline") and not self.model:
            raise ValueError(
                f"mode {self.mode!r} needs a model: set strategy.model to a folder made by "
                "'leadline train apprentice'"
            )
        return self

    @property
    def features(self) -> LinkFeatures:
        return LinkFeatures(
            url=self.url_words,
            anchor=self.anchor_words,
            around=self.around_words,
            by_offset=True,
            d_max=self.d_max,
            own=int(self.class_feature) + 2 * NEIGHBOURS * self.co_citation,
            is_bag=self.bag_of_words,
        )

    @property
    def encoding(self) -> dict[str, str | float]:
        """What must be the same when a model is made and when it is used."""
        return {
            "d_max": self.d_max,
            "bag_of_words": int(self.bag_of_words),
            "url_words": self.url_words,
            "class_feature": int(self.class_feature),
            "co_citation": int(self.co_citation),
        }
