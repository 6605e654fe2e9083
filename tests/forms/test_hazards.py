"""What forms show of themselves keeps them from being filled, in many languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.hazards import find_hazard, says_search
from leadline.page import parse_page

HERE = Url("http://a.test/shop")
BOX = "<input name=q><input type=submit value=Search>"


def form_of(inside: str, attributes: str = "") -> Form:
    (form,) = parse_page(f"<form {attributes}>{inside}</form>".encode(), HERE).forms
    return form


SEARCHES = [
    BOX,
    "<input name=s placeholder='Search…'><button>Go</button>",
    "<label>Titel <input name=titel></label><label>Autor <input name=autor></label><button>Suchen",
    "<input name=k><button>Rechercher</button>",
    "<input name=busca><button>Buscar</button>",
    "<input name=text><button>Найти</button>",
    "<input name=kw><button>検索</button>",
    "<input name=kw><button>搜索</button>",
    "<input name=from><input name=to><input type=date name=day><button>Find flights</button>",
    "<select name=make><option>Audi<option>BMW</select><input name=zip><button>Find cars</button>",
    "<label>First name <input name=first></label><label>Last name <input name=last></label>"
    "<button>Search people</button>",
    "<label>Palabra clave <input name=palabra></label><button>Buscar</button>",
    "<label>Parola chiave <input name=chiave></label><button>Cerca</button>",
    "<input name=isbn pattern='[0-9]{13}'><button>Look up</button>",
    "<label>Promo code <input name=promo></label><input name=city><button>Search hotels</button>",
]


@pytest.mark.parametrize("inside", SEARCHES)
def test_searches_show_no_hazard(inside: str) -> None:
    assert find_hazard(form_of(inside)) == ""
    assert find_hazard(form_of(inside, "method=post")) == ""


def test_a_box_named_after_a_newsletter_takes_no_query() -> None:
    inside = "<input name=newsletter><button>OK</button>"
    assert "mailing list" in find_hazard(form_of(inside, "action=/search/results.jsp"))
    assert find_hazard(form_of("<input name=q placeholder='Search newsletters'>")) == ""


def test_what_is_posted_by_a_button_that_sends_says_to_people_that_it_searches() -> None:
    box, address = "<input name=emai0><button>Wyślij</button>", "action=/shop/catalogsearch/result/"
    assert "message" in find_hazard(form_of(box, f"{address} method=post"))
    assert find_hazard(form_of(f"<label>Szukaj{box}", f"{address} method=post")) == ""


def test_where_a_lone_search_box_is_sent_to_says_nothing() -> None:
    box = "<input name=search><button>Go</button>"
    assert find_hazard(form_of(box, "action=/cart.php")) == ""
    assert find_hazard(form_of(box, "action=/login/index.php method=post")) == ""
    assert "orders" in find_hazard(form_of(f"{box}<input name=size>", "action=/cart.php"))
    assert "orders" in find_hazard(form_of("<input name=search><button>Buy now", "action=/s"))
    assert "account" in find_hazard(form_of("<input name=x><button>Go", "action=/login"))


PRIVATE = {
    "password": [
        "<input type=password name=p>",
        "<input name=passwd>",
        "<input name=userPwd>",
        "<label>Kennwort <input name=f1></label>",
        "<label>Mot de passe <input name=f1></label>",
        "<label>Contraseña <input name=f1></label>",
        "<label>Hasło <input name=f1></label>",
        "<label>Пароль <input name=f1></label>",
        "<label>パスワード <input name=f1></label>",
        "<label>密码 <input name=f1></label>",
        "<label>비밀번호 <input name=f1></label>",
    ],
    "user name": [
        "<input name=username>",
        "<input name=j_username>",
        "<input name=loginId>",
        "<label>Benutzername <input name=f1></label>",
        "<label>Nom d'utilisateur <input name=f1></label>",
        "<label>Логин <input name=f1></label>",
    ],
    "e-mail": [
        "<input type=email name=f1>",
        "<input name=EMAIL>",
        "<input name=f1 placeholder=you@example.com>",
        "<label>Courriel <input name=f1></label>",
        "<label>Correo electrónico <input name=f1></label>",
        "<label>メールアドレス <input name=f1></label>",
    ],
    "file": ["<input type=file name=f>"],
    "message": [
        "<textarea name=q></textarea>",
        "<label>Your message <input name=f1></label>",
        "<label>Nachricht <input name=f1></label>",
    ],
    "payment": [
        "<input name=cardNumber>",
        "<input name=cvc>",
        "<input name=iban>",
        "<label>Kreditkartennummer <input name=f1></label>",
        "<label>Numéro de carte <input name=f1></label>",
        "<label>Número de tarjeta <input name=f1></label>",
        "<label>Номер карты <input name=f1></label>",
        "<label>カード番号 <input name=f1></label>",
    ],
    "private": [
        "<input name=f1 autocomplete=cc-number>",
        "<input name=f1 autocomplete='section-a billing street-address'>",
        "<input name=f1 autocomplete=one-time-code>",
        "<input name=f1 pattern='[0-9]{13,19}'>",
        r"<input name=f1 pattern='\d{4} \d{4} \d{4} \d{4}'>",
    ],
    "human": ["<input name=captcha>", "<label>Sicherheitscode <input name=f1></label>"],
    "phone": [
        "<input name=phone><input name=street>",
        "<label>Telefon <input name=f1></label><label>Nachname <input name=f2></label>",
    ],
    "order": ["<label>Order number <input name=f1></label>"],
    "person": [
        "<input name=street><input name=birthdate>",
        "<label>Ihr Name <input name=f1></label><label>Straße <input name=f2></label>",
    ],
}


@pytest.mark.parametrize(
    ("kind", "control"), [(kind, one) for kind, many in PRIVATE.items() for one in many]
)
def test_private_data_is_never_filled_in_even_beside_a_search_button(
    kind: str, control: str
) -> None:
    assert kind in find_hazard(form_of(control + BOX))


ACTS = [
    "<input name=f1><button>Unsubscribe</button>",
    "<input name=f1><button>Delete</button>",
    "<input name=f1><button>Add to cart</button>",
    "<input name=f1><button>In den Warenkorb</button>",
    "<input name=f1><button>Ajouter au panier</button>",
    "<input name=f1><button>Comprar</button>",
    "<input name=f1><button>Купить</button>",
    "<input name=f1><button>カートに入れる</button>",
    "<input name=f1><button>Pay now</button>",
    "<input name=f1><button>Sign up</button>",
    "<input name=f1><button>Anmelden</button>",
    "<input name=f1><button>Se connecter</button>",
    "<input name=f1><button>Войти</button>",
    "<input name=f1><button>Subscribe</button>",
    "<p>Join our newsletter</p><input name=f1><button>OK</button>",
    "<input name=f1><button>Post comment</button>",
    "<input name=f1><button>Send</button>",
    "<input name=f1><button>Vote</button>",
    "<input type=hidden name=action value=unsubscribe><input name=f1><button>OK</button>",
    "<input type=hidden name=task value=user.login><input name=f1><button>OK</button>",
    "<input name=f1><button>Calculate</button>",
]


@pytest.mark.parametrize("inside", ACTS)
def test_forms_that_do_something_are_left_alone(inside: str) -> None:
    assert find_hazard(form_of(inside))


@pytest.mark.parametrize(
    "attributes",
    [
        "action=/cart/add",
        "action=/user/login",
        "action=/unsubscribe.php",
        "action='http://lists.test/subscribe?u=1'",
        "action=/checkout/step2",
        "id=loginForm",
        "class=comment-form",
        "name=newsletter",
    ],
)
def test_the_form_s_own_tag_is_read_too(attributes: str) -> None:
    assert find_hazard(form_of("<input name=f1><button>Go</button>", attributes))


@pytest.mark.parametrize(
    "inside",
    [
        "<input type=hidden name=id value=7><button>Go</button>",
        "<select name=sortBy><option>price<option>date</select>",
        "<label>Items per page <select name=n><option>10<option>20</select></label>",
        "<select name=lang><option>de<option>en</select><button>OK</button>",
        "<input name=qty value=1><button>OK</button>",
        "<input placeholder='what?'><button>OK</button>",
        "<input name=page><button>Go</button>",
    ],
)
def test_a_form_must_have_something_to_look_for(inside: str) -> None:
    assert find_hazard(form_of(inside)) == "nothing in it says what to look for"


def test_a_post_must_say_that_it_searches() -> None:
    route = "<input name=from><input name=to><button>Continue</button>"
    assert find_hazard(form_of(route)) == ""
    assert "POST" in find_hazard(form_of(route, "method=post"))
    assert not find_hazard(form_of(route, "method=post action=/search"))


def test_a_neighbour_s_text_does_not_speak_for_a_search_box() -> None:
    page = parse_page(
        b"<a>Sign up</a> <form action=/search><a>Login</a><input name=q><button>Search</form>", HERE
    )
    assert find_hazard(page.forms[0]) == ""


def test_the_text_of_a_whole_page_in_a_form_says_nothing_about_it() -> None:
    text = "<p>" + "Our contact form, your account, the newsletter. " * 10 + "</p>"
    assert find_hazard(form_of(text + BOX)) == ""


def test_a_search_of_hundreds_of_controls_is_no_hazard_in_itself() -> None:
    form = form_of("<label><input type=checkbox name=h value=1> Oak</label>" * 400 + BOX)
    assert find_hazard(form) == ""
    assert "controls" in find_hazard(structs.replace(form, fields=form.fields * 6))


def test_people_may_be_searched_for_by_name_and_year_of_birth() -> None:
    asked = (
        "<label>First name <input name=f></label><label>Last name <input name=l></label>"
        "<label>Year of birth <input name=y></label>"
    )
    search = asked + "<button>Search</button>"
    assert find_hazard(form_of(search, "action=/registry/persons")) == ""
    assert find_hazard(form_of(asked + "<button>Register</button>"))
    assert find_hazard(form_of(f"{search}<input name=street>"))


def test_words_that_name_no_act_are_no_hazard() -> None:
    assert find_hazard(form_of(BOX, "class='row order-lg-1 order-first'")) == ""
    assert find_hazard(form_of(BOX, "action=/blog/how-to-save-money-now")) == ""
    asked = "<input name=q placeholder='Search on Super User'><button>Go</button>"
    assert find_hazard(form_of(asked)) == ""


def test_a_box_of_several_lines_may_take_the_query() -> None:
    area = "<textarea name=q placeholder=Search></textarea>"
    assert find_hazard(form_of(area)) == ""
    assert find_hazard(form_of(f"{area}<input name=topic><button>Go</button>"))


@pytest.mark.parametrize("button", ["Send", "Absenden", "Enviar"])
def test_a_box_of_several_lines_with_a_button_that_sends_is_a_message(button: str) -> None:
    area = "<label>Keywords <textarea name=words></textarea></label><select name=c><option>a"
    area += "<option>b</select>"
    assert find_hazard(form_of(f"{area}<button>Search</button>", "method=post")) == ""
    assert find_hazard(form_of(f"{area}<button>{button}</button>", "method=post"))


markup = st.lists(
    st.sampled_from(
        [*SEARCHES, *ACTS, *(c for many in PRIVATE.values() for c in many), "<p>text</p>"]
    ),
    max_size=5,
)


@given(markup, st.sampled_from(["", "method=post", "role=search"]))
def test_more_controls_never_make_a_form_safer(parts: list[str], attributes: str) -> None:
    inside = "".join(parts)
    if any(part in PRIVATE["password"] + PRIVATE["e-mail"] for part in parts):
        assert find_hazard(form_of(inside + BOX, attributes))


@pytest.mark.parametrize("inside", SEARCHES[:8])
def test_searching_is_told_in_several_languages(inside: str) -> None:
    assert says_search(form_of(inside))


def test_a_form_that_comes_filled_in_edits_a_record() -> None:
    boxes = "".join(
        f"<label>{name}<input name={name} value='{value}'></label>"
        for name, value in (("title", "Emma"), ("author", "Jane Austen"), ("year", "1815"))
    )
    record = form_of(f"{boxes}<button>Apply</button>", "method=post action=/book/7")
    assert find_hazard(record) == "it edits what stands in it"
    empty = form_of(boxes.replace("value=", "placeholder=") + BOX, "method=post action=/find")
    assert find_hazard(empty) == ""
