"""Texts as typed values: nothing is lost, and many countries' notations are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.table import VALUE_KINDS
from leadline.extraction.values import guess_kind, parse_value


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("$1,299.00", "money", 1299.0, "USD"),
        ("1.299,00 €", "money", 1299.0, "EUR"),
        ("Price: £ 7.50 each", "money", 7.5, "GBP"),
        ("CHF 1'250.-", "money", 1250.0, "CHF"),
        ("2,5 kg", "number", 2.5, "kg"),
        ("6-10", "number", 82.0, "in"),
        ("320 pages", "number", 320, "pages"),
        ("Posted: March 3rd, 2010", "date", "2010-03-03", ""),
        ("12 марта 2019", "date", "2019-03-12", ""),
        ("2. september 2015", "date", "2015-09-02", ""),
        ("2019年4月2日", "date", "2019-04-02", ""),
        ("c. 1890", "date", "1890", ""),
        ("1 hr. 45 min.", "duration", 6300, "s"),
        ("PT2H", "duration", 7200, "s"),
        ("4.5 out of 5 stars", "rating", 4.5, "of 5"),
        ("★★★★☆", "rating", 4, "of 5"),
        ("Cinco estrellas", "rating", 5, "of 5"),
        ("87 %", "rating", 87, "of 100"),
        ("8.1", "rating", 8.1, ""),
        ("ISBN 0-471-11709-9", "identifier", "9780471117094", "isbn"),
        ("doi:10.1000/xyz123.", "identifier", "10.1000/xyz123", "doi"),
        ("Ja", "boolean", True, ""),
    ],
)
def test_a_text_is_read_as_its_kind(text: str, kind: str, value: object, unit: str) -> None:
    found = parse_value(text, kind)
    assert (found.value, found.unit) == (value, unit)


def test_a_wrong_check_digit_is_no_isbn() -> None:
    assert parse_value("0-471-11709-8", "identifier").unit != "isbn"


@given(st.text(max_size=200), st.sampled_from(VALUE_KINDS))
def test_no_text_is_lost_and_none_fails(text: str, kind: str) -> None:
    assert parse_value(text, kind).raw == " ".join(text.split())


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["Anna Smith", "John R. Doe", "Li Wei"], "person"),
        (["Boston, MA", "Austin, TX", "Lyon, France"], "place"),
        (["drama", "comedy", "drama", "drama", "comedy", "drama", "drama", "drama"], "category"),
        (["The sea of 1900", "A house by the river", "Nothing"], "text"),
        (["$5", "€ 7,20", "call us"], "money"),
    ],
)
def test_a_column_is_of_the_kind_of_most_of_its_texts(texts: list[str], kind: str) -> None:
    assert guess_kind(texts) == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A 7", "text"),
        ("Room 5", "text"),
        ("12 Main Street", "place"),
        ("6-9", "number"),
        ("6 ft 9 in", "number"),
        ("220 lbs", "number"),
        ("1234 sq ft", "number"),
        ("1.98 m", "number"),
        ("12 Mai 2010", "date"),
        ("2:19-cv-00123", "identifier"),
    ],
)
def test_a_number_is_the_whole_text(text: str, kind: str) -> None:
    assert guess_kind([text] * 3) == kind
