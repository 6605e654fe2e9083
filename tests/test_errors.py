"""Errors keep their facts and travel between processes."""

import pickle

import pytest

from leadline import errors

FETCH_ERRORS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.FetchError)
]


@pytest.mark.parametrize("kind", FETCH_ERRORS)
def test_errors_survive_pickling(kind: type[errors.FetchError]) -> None:
    error = kind("http://a.test/", "too slow", 3.0)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == "too slow: http://a.test/"
    assert (copy.url, copy.retry_after_s) == ("http://a.test/", 3.0)


def test_every_fetch_error_has_its_own_kind() -> None:
    assert len({kind.kind for kind in FETCH_ERRORS}) == len(FETCH_ERRORS)


def test_every_error_is_drawn_in_the_tree() -> None:
    drawn = errors.__doc__ or ""
    assert all(name in drawn for name, kind in vars(errors).items() if isinstance(kind, type))
