"""Shipped packs: they know their pages, say why, and are plain data."""

import pickle

import pytest

from leadline.forms.domain import open_domain_judge
from leadline.topics import open_topic
from leadline.topics.judges import BayesTopic, page_ids
from leadline.topics.vocabulary import DOMAINS
from tests.topics.pages import words

ABOUT = {
    "airfare": "Compare cheap flights: choose your departure airport, airline, cabin and fares.",
    "apartment": "Two bedroom apartment to rent, furnished, deposit and monthly lease, no pets.",
    "auto": "Used cars for sale by dealers: make, model, mileage, engine, transmission, price.",
    "book": "Paperback books by author and title, ISBN, publisher, edition, hardcover novels.",
    "hotel": "Hotel rooms per night with breakfast, guests, check-in, suites, resort, spa.",
    "job": "Job vacancies: salary, employer, resume, apply, full-time position, career, hiring.",
    "movie": "Movies on DVD: director, cast, actors, genre, trailer, starring, screenplay, films.",
    "music": "Albums and songs by artist and band, CDs, lyrics, tracks, guitar, concert, vinyl.",
    "people": "Find people by surname, phone and address; staff directory, alumni, white pages.",
    "product": "Shop products by brand, compare prices, laptops, cameras, shipping, cart, deals.",
    "rental": "Car rental: pick-up and drop-off location, driver age, compact vehicle, hire rates.",
    "route": "Bus and train timetable, route planner, directions, stations, map, journey, tram.",
}
FOREIGN = {
    ("hotel", "de"): "Hotel Zimmer Übernachtung Frühstück Doppelzimmer Anreise Abreise Gäste",
    ("book", "fr"): "livre livres auteur éditeur roman librairie bibliothèque titre édition",
    ("job", "es"): "empleo trabajo ofertas vacantes salario candidatos puesto empresa contrato",
    ("music", "it"): "musica canzoni album artista concerto cantante testi dischi brani",
    ("auto", "nl"): "auto occasion tweedehands merk model kilometerstand bouwjaar dealer diesel",
    ("movie", "pt"): "filmes cinema diretor atores elenco estreia roteiro crítica trailer",
}


def judge(name: str) -> BayesTopic:
    topic = open_topic(name)
    assert isinstance(topic, BayesTopic)
    return topic


@pytest.mark.parametrize("name", DOMAINS)
def test_a_page_is_taken_for_its_own_domain_first(name: str) -> None:
    page = words(f"{ABOUT[name]} " * 3)
    chances = {domain: judge(domain).relevance(page) for domain in DOMAINS}
    assert max(chances, key=chances.__getitem__) == name
    assert chances[name] > 0.8


@pytest.mark.parametrize(("name", "language"), FOREIGN)
def test_pages_in_other_languages_are_known_too(name: str, language: str) -> None:
    assert judge(name).relevance(words(f"{FOREIGN[name, language]} " * 2, "", language)) > 0.5


@pytest.mark.parametrize("name", DOMAINS)
def test_a_page_about_nothing_is_no_domains(name: str) -> None:
    topic = judge(name)
    assert topic.relevance(words("")) < 0.5
    assert topic.relevance(words("Please log in to read this week's news and events. " * 4)) < 0.5


def test_titles_count_more_than_a_word_of_the_text() -> None:
    text = "Welcome to our pages, please have a look at everything we offer today. " * 3
    plain, titled = words(f"{text} hotel rooms"), words(text, title="Hotel rooms")
    assert judge("hotel").relevance(titled) > judge("hotel").relevance(plain)


def test_the_words_that_decided_are_named() -> None:
    topic = judge("hotel")
    page = words("Our hotel has rooms with breakfast. The university lecture was cancelled.")
    said = topic.page_reasons(page, most=40)
    parts = dict(said)
    assert parts["hotel"] > 0
    assert parts["university"] < 0
    assert [abs(part) for _, part in said] == sorted([abs(part) for _, part in said], reverse=True)
    assert sum(part for _, part in said) == pytest.approx(topic.pack.odds.score(page_ids(page)))


def test_words_run_together_in_a_host_are_heard() -> None:
    topic, page = judge("airfare"), words("Welcome. Choose where you want to go today.")
    named = topic.site_relevance(page, "www.cheapflights-airline.test")
    assert named > topic.site_relevance(page, "www.gardening.test")


def test_judges_survive_pickling_with_the_same_answers() -> None:
    topic, page = judge("movie"), words(ABOUT["movie"])
    copy = pickle.loads(pickle.dumps(topic))
    assert copy.relevance(page) == topic.relevance(page)
    assert copy.site_relevance(page, "films.test") == topic.site_relevance(page, "films.test")


def test_forms_are_judged_by_the_judge_of_their_domain() -> None:
    asked = words("Title Author ISBN Publisher").body
    book, airfare = (judge(name).find_evidence(asked, 0.5) for name in ("book", "airfare"))
    assert (book.words, book.known) == open_domain_judge("book").weigh_words(asked)
    assert book.words > airfare.words
