"""Training on a small folder made like the real one."""

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from tools.form_training import __main__ as training
from tools.form_training.evaluation import TRIALS, as_figures, errors_of, render_table
from tools.form_training.examples import (
    Judge,
    Lesson,
    Material,
    data_digest,
    hide_names,
    read_autofill,
    read_formasaurus,
    read_material,
)
from tools.form_training.fitting import (
    STRENGTHS,
    cross_validate,
    feature_signs,
    fit_c45_judge,
    fit_default,
    fit_default_judge,
)
from tools.form_training.picture import draw_calibration
from tools.form_training.speed import measure_speed
from tools.splits import is_held_out

from leadline.forms.features import FEATURES, feature_rows
from leadline.forms.searchable import open_searchable_judge
from leadline.learn.evaluation import measure_scores
from leadline.learn.linear import Linear
from leadline.learn.model_files import read_model

SEARCH = "<form action=/search><input name=q><button>{}</button></form>"
LOGIN = "<form method=post><input name=user><input type=password name=p><button>{}</button></form>"
EMPTY = "<form></form>"


def _write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)


def _host(number: int) -> str:
    """A host that is not held out."""
    names = (f"site{number}{letter}.test" for letter in "abcdefghijklmnopqrstuvwxyz")
    return next(name for name in names if not is_held_out(name))


def _page(number: int) -> dict[str, object]:
    html = SEARCH.format(f"Find {number}") + LOGIN.format("Sign in")
    kinds = ["search" if number % 9 else "other", "login"]
    return {"url": f"http://www.{_host(number)}/", "html": html, "form_types": kinds}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty hosts; on every ninth the labels call a search form something else."""
    found = tmp_path_factory.mktemp("data")
    odd: list[dict[str, object]] = [
        {"url": "http://a.test/", "html": SEARCH + EMPTY, "form_types": ["search", "other"]},
        {"url": "http://b.test/", "html": LOGIN, "form_types": ["NOT ANNOTATED"]},
    ]
    _write(found / "forms/formasaurus.jsonl.gz", [_page(n) for n in range(40)] + odd)
    logins: list[dict[str, object]] = [
        {"name": f"shop{n}_login", "html": f"<!-- https://shop{n}.test/in -->{SEARCH}{LOGIN}"}
        for n in range(6)
    ]
    logins.append({"name": "shop_search", "html": SEARCH})
    _write(found / "forms/autofill.jsonl.gz", logins)
    return found


@pytest.fixture(scope="module")
def material(folder: Path) -> Material:
    return read_material(folder)


def test_labels_go_to_forms_in_their_order_and_odd_pages_are_reported(folder: Path) -> None:
    examples, mismatches, pages = read_formasaurus(folder)
    assert pages == 42
    assert [(page.url, page.labelled, page.read) for page in mismatches] == [
        ("http://a.test/", 2, 1)
    ]
    assert len(examples) == 80
    assert [example.kind for example in examples[:4]] == ["other", "login", "search", "login"]
    assert examples[2].is_searchable
    assert examples[2].host == _host(1)


def test_of_logins_the_form_with_most_to_fill_in_is_taken(folder: Path) -> None:
    found = read_autofill(folder)
    assert [example.host for example in found] == [f"shop{n}.test" for n in range(6)]
    assert all(example.form.method == "post" for example in found)


def test_cross_validation_never_teaches_a_host_it_tests(material: Material) -> None:
    seen: list[set[str]] = []

    def fit(lesson: Lesson) -> Judge:
        seen.append(set(lesson.hosts.tolist()))
        return lambda asked: np.zeros(len(asked))

    extra = material.extra._replace(hosts=np.array([_host(3)] * len(material.extra.rows)))
    cross_validate(fit, material.wide, extra)
    assert len(seen) == 10
    assert all(len(hosts & set(material.wide.hosts)) == 36 for hosts in seen)
    assert sum(_host(3) in hosts for hosts in seen) == 9


def test_a_default_learns_and_its_signs_hold(material: Material) -> None:
    model, strength = fit_default(material.wide)
    assert strength in STRENGTHS
    assert (model.weights * feature_signs() >= 0).all()
    chances = model.chances(material.wide.rows)
    assert chances[2] > 0.7 > 0.2 > chances[3]
    # Every ninth search form is labelled otherwise, so the judge may not be surer than that.
    assert chances[2] < 0.97


def test_a_veiled_form_keeps_what_a_person_sees(folder: Path) -> None:
    form = hide_names(read_formasaurus(folder).examples[0].form)
    assert form.attributes == form.fields[0].name == ""
    assert form.submits[0].label == "Find 0"


def test_signs_are_known_for_words_and_open_for_most_structure() -> None:
    known = dict(zip(FEATURES, feature_signs().tolist(), strict=True))
    assert known["words of searching in its boxes"] == 1
    assert known["words of an account in its text"] == -1
    assert known["password boxes"] == -1
    assert known["hidden fields"] == 0


def test_training_writes_models_that_can_be_read(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["training", str(folder), "--out", str(tmp_path)])
    monkeypatch.setattr(training, "PER_KIND", 0)
    training.main()
    printed = capsys.readouterr()
    figures = json.loads(printed.out.splitlines()[-1])
    assert figures["counts"]["pages left out"] == 1
    assert figures["scores"]["default"]["error"] == pytest.approx(5 / 80)
    assert "http://a.test/: 2 labels, 1 forms" in printed.err
    manifest, arrays = read_model(tmp_path / "searchable", "linear")
    assert manifest.data_digest == data_digest(folder, manifest.trained_on)
    model = Linear.of(arrays, FEATURES)
    material = read_material(folder)
    assert (model.chances(material.wide.rows) > 0.5).sum() == 40
    assert read_model(tmp_path / "searchable-c45", "c45").arrays["feature"][0] >= 0


def test_training_needs_the_real_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["training", str(tmp_path)])
    with pytest.raises(SystemExit):
        training.main()
    assert "holds no forms/formasaurus.jsonl.gz" in capsys.readouterr().err


def test_the_table_has_a_line_for_each_judge_and_errors_are_listed(material: Material) -> None:
    chances, tree = (
        cross_validate(fit_default_judge, material.wide),
        cross_validate(fit_c45_judge, material.ffc),
    )
    scores = {
        key: measure_scores(each, material.wide.labels, material.wide.hosts.tolist())
        for key, each in (("default", chances), ("c45", tree))
    }
    lines = render_table(scores).splitlines()
    assert len(lines) == 4
    assert lines[3].startswith("| C4.5, 14 features | 8.02 | 6.25 ")
    assert len(errors_of(material, chances)) == 5
    assert as_figures(scores["default"])["error"][0] == 0.0625


def test_the_picture_is_the_same_each_time(material: Material) -> None:
    pytest.importorskip("matplotlib")
    chances = np.linspace(0, 1, len(material.wide.labels))
    svg = draw_calibration({"default": chances}, material.wide.labels)
    assert svg.startswith("<?xml")
    assert svg == draw_calibration({"default": chances}, material.wide.labels)


@pytest.mark.parametrize("name", ["svm", "naive_bayes", "perceptron"])
def test_the_peers_of_ffc_judge_too(material: Material, name: str) -> None:
    pytest.importorskip("sklearn")
    chances = TRIALS[name].judged(material)
    assert ((chances >= 0.5) == material.wide.labels).mean() > 0.9


def test_the_clock_looks_at_forms_one_by_one_and_by_the_page(material: Material) -> None:
    forms = [example.form for example in material.collection.examples]
    taken = measure_speed(open_searchable_judge(), forms)
    assert all(each > 0 for each in taken.values())
    assert taken.keys() >= {"first_pass", "page_by_page"}
    assert feature_rows(forms).shape == material.wide.rows.shape
