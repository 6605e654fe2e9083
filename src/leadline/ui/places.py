"""Where an export goes: a file here, or any place that fsspec knows, such as s3://bucket/key."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from leadline.errors import ConfigError

_CREDENTIALS = (
    "give credentials that may write there: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a "
    "profile in ~/.aws"
)
_HINTS: dict[str, str] = {
    "PermissionError": _CREDENTIALS,
    "NoCredentialsError": _CREDENTIALS,
    "PartialCredentialsError": _CREDENTIALS,
    "FileNotFoundError": "make the bucket first, or check its name",
    "EndpointConnectionError": "check the network, and AWS_ENDPOINT_URL if it is set",
}


def is_remote(out: str) -> bool:
    """Whether it is a URL and not a path."""
    return "://" in out


@contextmanager
def writing(out: str) -> Iterator[BinaryIO]:
    """A stream to a file that is there under its name only when it is complete, as far as the
    place allows. Raises ConfigError when the place refuses."""
    with _writing_away(out) if is_remote(out) else _writing_here(out) as stream:
        yield stream


@contextmanager
def _writing_here(out: str) -> Iterator[BinaryIO]:
    path = Path(out)
    unfinished = path.with_name(f".{path.name}.part")
    try:
        with unfinished.open("wb") as stream:
            yield stream
        unfinished.replace(path)
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from None
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def _writing_away(out: str) -> Iterator[BinaryIO]:
    system, path = _system_of(out)
    try:
        # What is written in a transaction is thrown away unless all of it came to its end.
        with system.transaction, system.open(path, "wb") as stream:
            yield stream
    except _refusals() as error:
        hint = _HINTS.get(type(error).__name__, "")
        raise ConfigError(f"cannot write {out}: {error}{hint and '; '}{hint}") from None


def _system_of(out: str) -> tuple[Any, str]:
    """The file system of a URL, and the path there."""
    try:
        import fsspec

        system, path = fsspec.core.url_to_fs(out)
    except ImportError as error:
        raise ConfigError(
            f"{out}: writing there needs more: {error}; for s3:// install it with: "
            "pip install 'leadline[s3]'"
        ) from None
    except ValueError as error:
        raise ConfigError(f"{out}: {error}; write a path, or a URL as s3://bucket/key") from None
    if not path.strip("/").partition("/")[2] and out.startswith("s3:"):
        raise ConfigError(f"{out} names no file; write s3://bucket/key")
    return system, path


def _refusals() -> tuple[type[Exception], ...]:
    """What a place raises when it will not have a file; S3's own, where S3 was used."""
    module = sys.modules.get("botocore.exceptions")
    return (OSError, module.BotoCoreError, module.ClientError) if module else (OSError,)
