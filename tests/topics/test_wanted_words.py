"""What a user's words say of pages, hosts and forms."""

from leadline.core.url import Url
from leadline.page import parse_page
from leadline.page.words import PageWords, form_words
from leadline.topics.background import shipped_background
from leadline.topics.judges import BayesTopic, KeywordTopic, open_judge
from leadline.topics.teaching import PageExample, TopicExamples, make_pack
from leadline.topics.wanted_words import WantedWords

WORDS = ("judgment", "case law", "court")
COURTS = KeywordTopic("courts", WORDS)


def words_of(text: str, language: str = "en", title: str = "") -> PageWords:
    html = f"<html lang={language}><title>{title}</title><body><p>{text}"
    return PageWords(parse_page(html.encode(), Url(f"http://{language}.test/")))


def weigh_form(wanted: WantedWords, label: str, language: str = "en") -> tuple[float, int]:
    html = f"<form action=/s><label>{label} <input name=q></label><button>Go</button></form>"
    (form,) = parse_page(html.encode(), Url("http://a.test/")).forms
    return wanted.weigh_form(form_words(form, language))


def test_a_page_that_names_the_topic_is_about_it() -> None:
    plain = "The library opens every day, and the garden is free for all visitors. " * 5
    about = "All judgments of the court since 1990, with case law and comments. " * 5
    assert COURTS.relevance(words_of(about)) > 0.9
    assert COURTS.relevance(words_of(plain)) < 0.25


def test_a_word_in_the_title_says_more_than_one_in_the_text() -> None:
    text = "We collect what was decided, day by day. " * 5
    named = COURTS.relevance(words_of(text, title="Judgments"))
    passing = COURTS.relevance(words_of(text + " A judgment was mentioned."))
    assert named > passing


def test_a_common_word_says_less_than_a_rare_one() -> None:
    text = "It stands here once among others that say nothing of either: {} . " + "Some more. " * 40
    topics = {word: KeywordTopic("", (word,)) for word in ("service", "runway")}
    common, rare = (topic.relevance(words_of(text.format(w))) for w, topic in topics.items())
    assert common < rare


def test_names_of_one_thing_count_once() -> None:
    one = WantedWords(("books", "Bücher", "livres", "libros"))
    assert weigh_form(one, "Books / livres") == weigh_form(one, "Books")


def test_a_form_in_another_language_names_the_topic_by_its_translation() -> None:
    said, known = weigh_form(WantedWords(("books",)), "Книги", "ru")
    assert known == 1
    assert said > 1


def test_words_that_many_domains_ask_for_say_less() -> None:
    wanted = WantedWords(("title", "isbn"))
    assert weigh_form(wanted, "Title")[0] < weigh_form(wanted, "ISBN")[0]


def test_a_taught_topic_hears_its_users_words_and_leaves_out_pages_without_them() -> None:
    about = ["Judgments and case law of the court. " * 8, "The court publishes its judgments. " * 8]
    other = "Shop for shoes, jackets and hats at low prices, with free delivery. " * 8
    pages = [
        parse_page(f"<html lang=en><p>{text}".encode(), Url(f"http://s{at}.test/"))
        for at, text in enumerate([*about, other])
    ]
    samples = [PageExample(page, f"s{at}") for at, page in enumerate(pages)]
    pack = make_pack("courts", TopicExamples(samples, [], WORDS), (), shipped_background())
    assert pack.wanted == WORDS
    assert {one.owner for one in pack.pages} == {"s0", "s1"}
    judge = open_judge(pack)
    assert isinstance(judge, BayesTopic)
    assert judge.relevance(words_of(about[0])) > 0.9
    assert judge.relevance(words_of(other)) < 0.25


def test_seeds_without_any_of_the_words_leave_the_words() -> None:
    page = parse_page(b"<html lang=en><p>Shoes and hats for sale", Url("http://a.test/"))
    given = TopicExamples([PageExample(page, "a")], [], WORDS)
    pack = make_pack("courts", given, (), shipped_background())
    assert isinstance(open_judge(pack), KeywordTopic)
