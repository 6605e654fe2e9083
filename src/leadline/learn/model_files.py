"""Trained models on disk: a folder with `manifest.json` and `weights.npz`.

Never a pickle: reading a model that somebody sent must not run code.
"""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.errors import ModelError

Arrays = Mapping[str, NDArray[Any]]
MANIFEST, WEIGHTS = "manifest.json", "weights.npz"


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a model comes from and how good it is. Written beside its weights."""

    kind: str
    """What the arrays are: `linear`, `c45`, ..."""
    trained_on: tuple[str, ...]
    """The sets of data, by name."""
    data_digest: str
    """Of the files the model was trained on, see `digest_of`."""
    counts: dict[str, int] = {}
    """How much of what: rows, hosts, examples of each class."""
    scores: dict[str, float] = {}
    """Measured on data the model was not fitted on."""
    settings: dict[str, str | float] = {}
    """What was chosen for the fit."""
    date: str = ""
    """Of the training, as 2026-01-31."""
    weights_digest: str = ""
    """Of the file of arrays; filled in by `write_model`."""


class LoadedModel(NamedTuple):
    """The contents of a model folder."""

    manifest: Manifest
    arrays: dict[str, NDArray[Any]]


def write_model(folder: Path, manifest: Manifest, arrays: Arrays) -> Manifest:
    """Makes the folder if need be. Equal arrays give equal bytes."""
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    manifest = structs.replace(manifest, weights_digest=digest_of(packed.getvalue()))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS).write_bytes(packed.getvalue())
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    (folder / MANIFEST).write_bytes(text + b"\n")
    return manifest


def read_model(folder: Traversable, kind: str = "") -> LoadedModel:
    """The model of a folder, also of one inside a package. Raises ModelError.

    With `kind`, a model of another kind is refused.
    """
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        packed = (folder / WEIGHTS).read_bytes()
    except OSError as error:
        raise ModelError(f"no model in {folder}: {error}") from error
    except msgspec.DecodeError as error:
        raise ModelError(f"{folder / MANIFEST} is damaged: {error}") from error
    if kind and manifest.kind != kind:
        raise ModelError(f"{folder} holds a model of kind {manifest.kind}, not {kind}")
    # Half a copy, or the manifest of another training.
    if digest_of(packed) != manifest.weights_digest:
        raise ModelError(f"{folder / WEIGHTS} is not the file its manifest describes")
    return LoadedModel(manifest, _unpack(packed, folder))


def _unpack(packed: bytes, folder: Traversable) -> dict[str, NDArray[Any]]:
    try:
        with np.load(io.BytesIO(packed), allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{folder / WEIGHTS} cannot be read: {error}") from error


def digest_of(*contents: bytes) -> str:
    """SHA-256 over the contents in this order, in hexadecimal."""
    digest = hashlib.sha256()
    for content in contents:
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()
