"""Packs on disk: what is written is read again, what is damaged is refused, nothing is pickled."""

from pathlib import Path

import numpy as np
import pytest

from leadline.errors import ModelError
from leadline.learn.model_files import MANIFEST, WEIGHTS, Manifest
from leadline.topics.pack import (
    KIND,
    Example,
    Pack,
    make_keyword_pack,
    read_pack,
    shipped_folder,
    write_pack,
)
from leadline.topics.vocabulary import DOMAINS, read_vocabulary

PLAIN = Manifest(KIND, ("tests",), "")


def same(one: Pack, other: Pack) -> bool:
    arrays = zip(
        (one.odds.words, one.odds.weights, one.forms.words, *(e.ids for e in one.examples)),
        (other.odds.words, other.odds.weights, other.forms.words, *(e.ids for e in other.examples)),
        strict=True,
    )
    plain = [
        (p.name, p.source, p.spelled, p.page, p.site, p.form, p.queries, p.links)
        for p in (one, other)
    ]
    return plain[0] == plain[1] and all(np.array_equal(a, b) for a, b in arrays)


@pytest.mark.parametrize("name", DOMAINS)
def test_a_shipped_pack_is_complete(name: str) -> None:
    pack, manifest = read_pack(shipped_folder(name))
    assert pack.name == name
    assert pack.queries == read_vocabulary(name).queries
    assert {link.space for link in pack.links} == {"url", "anchor", "around"}
    assert len(pack.spelled) == len(pack.odds.words) == manifest.counts["words"]
    assert (np.diff(pack.odds.words) > 0).all()
    assert pack.examples == ()
    assert manifest.data_digest
    assert manifest.date


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    pack, _ = read_pack(shipped_folder("route"))
    write_pack(tmp_path / "copy", pack, PLAIN)
    assert same(read_pack(tmp_path / "copy")[0], pack)


def test_examples_and_lists_are_kept(tmp_path: Path) -> None:
    pack = make_keyword_pack("court", ("judge", "docket"))
    assert read_pack_of(tmp_path / "list", pack).queries == ("judge", "docket")
    taught = Pack(
        pack.name, pack.source, pack.odds, (), pack.page, pack.site,
        examples=(
            Example(np.array([3, 4], np.int32), "a.test"),
            Example(np.array([], np.int32), "b.test", is_about=False),
        ),
    )  # fmt: skip
    kept = read_pack_of(tmp_path / "taught", taught).examples
    assert [one.ids.tolist() for one in kept] == [[3, 4], []]
    assert [(one.owner, one.is_about) for one in kept] == [("a.test", True), ("b.test", False)]


def read_pack_of(folder: Path, pack: Pack) -> Pack:
    write_pack(folder, pack, PLAIN)
    return read_pack(folder)[0]


def test_a_damaged_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model"):
        read_pack(tmp_path)
    write_pack(tmp_path, make_keyword_pack("court", ("judge",)), PLAIN)
    (tmp_path / WEIGHTS).write_bytes(b"something else")
    with pytest.raises(ModelError, match="not the file"):
        read_pack(tmp_path)
    (tmp_path / MANIFEST).write_text("{}")
    with pytest.raises(ModelError, match="damaged"):
        read_pack(tmp_path)
