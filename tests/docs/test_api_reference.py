"""The docs know every route, parameter, model and field of the REST API."""

from pathlib import Path
from typing import Any

import pytest
from tools.reference.rest import render, schema

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    return schema()


def test_the_reference_is_up_to_date(told: dict[str, Any]) -> None:
    made = render(told)
    assert PAGE.read_text(encoding="utf-8") == made, "run: python -m tools.reference.rest"


def test_every_route_and_parameter_has_a_word_on_it(told: dict[str, Any]) -> None:
    for path, methods in told["paths"].items():
        assert path.startswith("/api/v1/")
        for method, operation in methods.items():
            assert operation["description"], (method, path)
            for one in operation.get("parameters", ()):
                is_choice = "enum" in one["schema"]
                assert one.get("description") or is_choice, (method, path, one["name"])


def test_every_model_has_a_word_on_it(told: dict[str, Any]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    foreign = {"HTTPValidationError", "ValidationError"}
    assert not foreign & set(told["components"]["schemas"])
    for name, model in told["components"]["schemas"].items():
        assert model.get("description"), name
        _, _, section = text.partition(f"### {name}\n")
        section = section.partition("\n### ")[0]
        assert all(f"`{field}`" in section for field in model["properties"]), name


def test_every_answer_and_error_is_typed(told: dict[str, Any]) -> None:
    for path, methods in told["paths"].items():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                is_stream = status == "200" and (path.endswith("/stream") or "/download/" in path)
                assert is_stream or "$ref" in str(answer["content"]), (path, status)
