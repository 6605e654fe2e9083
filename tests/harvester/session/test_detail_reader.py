"""Own pages of records become fields once enough of them were seen."""

from leadline.core.harvest import Cell
from leadline.core.url import Url
from leadline.extraction.wrapper_learning import SourcePage
from leadline.harvester.session.detail_reader import LEARN_FROM, DetailReader
from leadline.page.outline import outline_of
from tests.extraction.test_wrappers import make_page


def rebuilt_page(number: int) -> SourcePage:
    html = f"""<title>Thing {number}</title><section><h2>Thing {number}</h2><dl><dt>Weight</dt>
    <dd>{number} kg</dd><dt>Maker</dt><dd>House {number}</dd></dl></section>"""
    return SourcePage(
        outline_of(html.encode(), Url(f"http://x.example/{number}")), f"Thing {number}"
    )


def test_fields_are_kept_and_the_frame_is_not() -> None:
    reader = DetailReader("shop")
    assert reader.read(make_page(7)) is None
    reader.learn([make_page(number) for number in range(LEARN_FROM)])
    cells = reader.read(make_page(7)) or ()
    assert {Cell("detail:name", "Owls"), Cell("detail:Author", "Hal Ray")} <= set(cells)
    assert not any(cell.text in ("Home", "Cart", "All rights reserved") for cell in cells)


def test_a_site_that_is_rebuilt_is_learned_again_and_both_templates_are_read() -> None:
    reader = DetailReader("shop")
    reader.learn([make_page(number) for number in range(LEARN_FROM)])
    assert reader.read(rebuilt_page(1)) is None
    second = reader.learn([rebuilt_page(number) for number in range(2, 2 + LEARN_FROM)])
    assert second is not None
    assert second.version == 2
    assert Cell("detail:Weight", "1 kg") in (reader.read(rebuilt_page(1)) or ())
    assert Cell("detail:Author", "Hal Ray") in (reader.read(make_page(7)) or ())
