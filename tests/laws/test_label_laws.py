"""The law of labels: they move what is like the labelled, and little else."""

import pytest

from leadline.core.crawl import LIKELY
from leadline.core.inbox import FORM, RIGHT, WRONG, Label
from leadline.core.url import Url
from leadline.page.parse import parse_page
from leadline.page.words import PageWords
from leadline.topics.background import shipped_background
from leadline.topics.critic import Topic, TopicCritic
from leadline.topics.judges import BayesTopic, open_topic
from leadline.topics.labels import FormSubject, correct_critic
from leadline.topics.pack import Example
from leadline.topics.training import learn_pack

TEXT = (
    "Novels and poetry: every book with its author, title, ISBN and publisher. Paperback and "
    "hardcover books of all authors, literature, fiction, reading and libraries. "
)
GOOD = (
    "<form action=/b role=search>Search books, novels, poetry and fiction, paperback and hardcover"
    " literature <input type=search name=q placeholder='Title or ISBN of the {}'>"
    "<button>Search books</button></form>"
)
WORDS = ("book", "novel", "paperback", "hardcover", "poetry")
JUNK = (
    "<form action=/n>Newsletter: weekly offers <input name=e><button>Sign me up</button></form>",
    "<form action=/v>Vote for your favourite colour <input name=v><button>Vote</button></form>",
    "<form action=/z>Currency converter amount <input name=a><button>Convert</button></form>",
)


def make_taught() -> Topic:
    examples = [
        Example(PageWords(parse_page(TEXT.encode() * 2, Url(f"http://s{n}.test/"))).body, str(n))
        for n in range(10)
    ]
    return BayesTopic(learn_pack("books", examples, shipped_background().without(["book"])))


@pytest.fixture(scope="module", params=["shipped", "taught"])
def topic(request: pytest.FixtureRequest) -> Topic:
    return open_topic("book") if request.param == "shipped" else make_taught()


def see(topic: Topic, host: str, form: str) -> FormSubject:
    html = f"<html lang=en><title>Books</title><p>{TEXT}</p>{form}"
    page = parse_page(html.encode(), Url(f"http://{host}.test/"))
    judgement = TopicCritic(topic).judge(page, PageWords(page))
    (judged,) = judgement.forms
    records = judged.evidence.records if judged.evidence else 0.0
    return FormSubject(
        judged.form,
        judged.signature,
        judged.relevant,
        judgement.relevance,
        "en",
        records,
    )


def label(seen: FormSubject, verdict: str) -> tuple[Label, FormSubject]:
    return Label(FORM, seen.subject, verdict, 0.0), seen


def test_wrong_labels_on_junk_leave_good_forms_accepted(topic: Topic) -> None:
    good = [see(topic, f"good{n}", GOOD.format(text)) for n, text in enumerate(WORDS)]
    accepted = [seen for seen in good if seen.score >= LIKELY]
    assert len(accepted) >= 3
    junk = [label(see(topic, f"junk{n}", form), WRONG) for n, form in enumerate(JUNK)]
    critic = correct_critic(topic, junk)
    for seen in accepted:
        assert critic.form(seen) >= LIKELY
        assert seen.score - critic.form(seen) < 0.15


def test_a_right_label_raises_the_like_more_than_the_unlike(topic: Topic) -> None:
    box = "<input name=q></label><button>Go</button></form>"
    silent = f"<form action=/s><label>Signed first {{}} {box}"
    labelled, like = (see(topic, f"rare{n}", silent.format("printings")) for n in range(2))
    unlike = see(topic, "other", JUNK[0])
    critic = correct_critic(topic, [label(labelled, RIGHT)])
    assert critic.form(like) > like.score
    assert critic.form(unlike) - unlike.score < critic.form(like) - like.score
