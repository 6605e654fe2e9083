"""Models on disk: read as written, refused when damaged."""

from pathlib import Path

import numpy as np
import pytest

from leadline.errors import ModelError
from leadline.learn.model_files import (
    MANIFEST,
    WEIGHTS,
    Manifest,
    digest_of,
    read_model,
    write_model,
)

NOTE = Manifest("linear", ("a set",), "d1", {"rows": 3}, {"error": 0.02}, {"strength": 3.0})
ARRAYS = {"weights": np.array([1.0, -2.0]), "names": np.array(["one", "zwölf"])}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_model(tmp_path / "model", NOTE, ARRAYS)
    return tmp_path / "model"


def test_a_model_is_read_as_it_was_written(folder: Path) -> None:
    manifest, arrays = read_model(folder, "linear")
    assert manifest.counts == {"rows": 3}
    assert manifest.settings == {"strength": 3.0}
    assert arrays.keys() == ARRAYS.keys()
    assert all((arrays[name] == part).all() for name, part in ARRAYS.items())


def test_equal_arrays_give_equal_bytes(folder: Path, tmp_path: Path) -> None:
    write_model(tmp_path / "again", NOTE, ARRAYS)
    for name in (MANIFEST, WEIGHTS):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no model in .*nowhere"):
        read_model(tmp_path / "nowhere")


def test_a_model_of_another_kind_is_refused(folder: Path) -> None:
    with pytest.raises(ModelError, match="kind linear, not c45"):
        read_model(folder, "c45")


@pytest.mark.parametrize("text", ["", "{", '{"kind": 3}', '{"kind": "linear", "colour": "red"}'])
def test_a_damaged_manifest_is_refused(folder: Path, text: str) -> None:
    (folder / MANIFEST).write_text(text)
    with pytest.raises(ModelError, match=r"manifest\.json is damaged"):
        read_model(folder)


def test_weights_that_were_changed_are_refused(folder: Path) -> None:
    packed = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(packed[:-1] + bytes([packed[-1] ^ 1]))
    with pytest.raises(ModelError, match="not the file its manifest describes"):
        read_model(folder)


@pytest.mark.parametrize("content", [b"", b"no archive at all"])
def test_what_is_no_archive_is_refused_even_if_the_manifest_vouches_for_it(
    folder: Path, content: bytes
) -> None:
    text = (folder / MANIFEST).read_text()
    known = digest_of((folder / WEIGHTS).read_bytes())
    (folder / MANIFEST).write_text(text.replace(known, digest_of(content)))
    (folder / WEIGHTS).write_bytes(content)
    with pytest.raises(ModelError, match="cannot be read"):
        read_model(folder)


def test_python_objects_are_neither_written_nor_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="allow_pickle"):
        write_model(tmp_path, NOTE, {"weights": np.array([object()])})
    np.savez(tmp_path / WEIGHTS, weights=np.array([object()]))
    manifest = tmp_path / MANIFEST
    write_model(tmp_path / "good", NOTE, ARRAYS)
    text = (tmp_path / "good" / MANIFEST).read_text()
    known = digest_of((tmp_path / "good" / WEIGHTS).read_bytes())
    manifest.write_text(text.replace(known, digest_of((tmp_path / WEIGHTS).read_bytes())))
    with pytest.raises(ModelError, match="cannot be read"):
        read_model(tmp_path)
