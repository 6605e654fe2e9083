"""What a user may set about submitting forms. The safe side cannot be left."""

from pydantic import Field

from leadline.core.settings import Settings

LEAST_SEARCHABLE, LEAST_SEARCHABLE_POST = 0.5, 0.8
"""Below these no form is ever filled, whatever is set (decision 0011). Risk times confidence: a GET
that shows no hazard changes nothing, so that it needs less certainty than a POST."""


class SubmitSettings(Settings):
    """`[submit]`: which forms may be filled and sent."""

    min_searchable: float = Field(
        default=0.6,
        ge=LEAST_SEARCHABLE,
        le=1,
        description="Least probability of being searchable for a form to be sent at all.",
    )
    post: bool = Field(default=True, description="Whether forms may be sent by POST.")
    min_searchable_post: float = Field(
        default=0.85,
        ge=LEAST_SEARCHABLE_POST,
        le=1,
        description="Least probability of being searchable for a form to be sent by POST.",
    )
    certain: float = Field(
        default=0.99,
        ge=LEAST_SEARCHABLE,
        le=1,
        description="Probability from which a form is taken as searchable without a check.",
    )
    allow_changes: tuple[str, ...] = Field(
        default=(),
        description="URL patterns, as https://example.org/order/search*, of forms and next pages "
        "that are asked for although they look as if that changed something on the server.",
    )
