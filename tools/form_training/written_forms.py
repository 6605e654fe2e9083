"""Forty forms of databases, written by hand in fifteen languages: how are they judged?

`python -m tools.form_training.written_forms` prints the table of docs/critics.md; its last line is
one JSON object. None of them is taught, and a test holds each to what is written here.
"""

# ruff: noqa: RUF001, E501 - words in many scripts, wide letters count twice
import json
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.field_roles import find_roles
from leadline.forms.form_data import BUTTONS
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.submit import why_refused
from leadline.page import parse_page

_FORMS = """
en | get | Author:person Title:title ISBN:code | Search
en | get | Make*:category Model*:category ZIP:place | Go
en | get | Arrival#:date Departure#:date Guests:number | Show rates
en | get | First_name:person Last_name:person Year_of_birth:year | Search
en | get | Case_number:code Judge:person Filed_after#:date | Display
en | post | Species:title Family:category Country*:place | Find
de | get | Verfasser:person Titel:title Verlag:organisation Jahr:year | Los
de | get | Marke*:category Modell*:category Preis_bis:price | Anzeigen
de | get | Stadt:place Zimmer:number Miete_bis:price | Anzeigen
de | post | Firma:organisation Registernummer:code Ort:place | Suchen
fr | get | Auteur:person Titre:title Éditeur:organisation | OK
fr | get | Ville:place Loyer_maximum:price Pièces:number | Afficher
fr | get | Nom_de_famille:person Prénom:person Commune:place | Rechercher
es | get | Autor:person Título:title Año:year | Ver
es | get | Empresa:organisation Provincia*:place Sector*:category | Mostrar
es | post | Marca*:category Modelo*:category Precio:price | Buscar
it | get | Autore:person Titolo:title Editore:organisation | Mostra
it | get | Comune:place Prezzo_massimo:price Locali:number | Vai
pt | get | Autor:person Título:title Ano:year | Exibir
pt | get | Cidade:place Bairro:place Preço:price | Pesquisar
nl | get | Auteur:person Titel:title Uitgever:organisation | Tonen
nl | get | Plaats:place Prijs:price Kamers:number | Zoeken
sv | get | Författare:person Titel:title Förlag:organisation | Visa
pl | get | Autor:person Tytuł:title Wydawnictwo:organisation | Pokaż
pl | get | Miasto:place Cena_do:price Powierzchnia:number | Szukaj
pl | get | Sąd*:organisation Sygnatura:code Sędzia:person | Pokaż
tr | get | Yazar:person Başlık:title Yayınevi:organisation | Göster
tr | get | Şehir:place Fiyat:price Marka*:category | Ara
ru | get | Автор:person Название:title Издательство:organisation | Показать
ru | get | Город:place Цена:price Комнат:number | Найти
ru | get | Фамилия:person Имя:person Год_рождения:year | Поиск
ar | get | المؤلف:person العنوان:title الناشر:organisation | عرض
ar | get | المدينة:place السعر:price الشركة:organisation | بحث
hi | get | लेखक:person शीर्षक:title प्रकाशक:organisation | दिखाएं
hi | get | शहर:place कीमत:price श्रेणी*:category | खोजें
zh | get | 作者:person 书名:title 出版社:organisation | 显示
zh | get | 城市:place 价格:price 面积:number | 搜索
ja | get | 著者:person タイトル:title 出版社:organisation | 表示
ja | get | 会社名:organisation 職種:title 給与:price | 検索
ko | get | 저자:person 제목:title 출판사:organisation | 보기
"""
"""Language, method, labels with the role each has to have, and the button. `*` marks a list of
choices, `#` a date; `_` stands for a blank. Names of controls say nothing."""


class WrittenForm(NamedTuple):
    language: str
    form: Form
    roles: tuple[str, ...]
    """Kinds of roles, one for each visible field."""
    labels: tuple[str, ...]


def read_written_forms() -> list[WrittenForm]:
    return [_read(line) for line in _FORMS.strip().splitlines()]


def _read(line: str) -> WrittenForm:
    language, method, asked, pressed = (part.strip() for part in line.split("|"))
    labels, roles, rows = [], [], []
    for number, field in enumerate(asked.split()):
        label, _, role = field.rpartition(":")
        shown = label.rstrip("*#").replace("_", " ")
        rows.append(f"<label>{escape(shown)} {''.join(_write_control(label, number))}</label>")
        labels.append(shown)
        roles.append(role)
    html = f"<form action=/list method={method}>{''.join(rows)}<button>{escape(pressed)}</button></form>"
    page = parse_page(html.encode(), Url("https://archive.test/p"), "text/html; charset=utf-8")
    return WrittenForm(language, page.forms[0], tuple(roles), tuple(labels))


def _write_control(label: str, number: int) -> Iterator[str]:
    if label.endswith("*"):
        options = "".join(f"<option value={at}>Alpha {chr(65 + at)}" for at in range(5))
        yield f"<select name=f{number}><option value=''>-{options}</select>"
    else:
        yield f"<input type={'date' if label.endswith('#') else 'text'} name=f{number}>"


def find_kinds(form: Form) -> tuple[str, ...]:
    """The kinds of roles of the visible fields."""
    pairs = zip(form.fields, find_roles(form), strict=True)
    return tuple(role.kind for field, role in pairs if field.kind not in BUTTONS)


def main() -> None:
    judge = open_searchable_judge()
    judged = passed = right = fields = 0
    print("| | language | asks for | button | sent by | searchable | gate | roles |")
    print("|---|---|---|---|---|---|---|---|")
    for number, each in enumerate(read_written_forms(), 1):
        chance = judge.chance(each.form)
        why_not, kinds = why_refused(each.form, chance), find_kinds(each.form)
        judged += chance >= 0.5
        passed += not why_not
        right += sum(one == other for one, other in zip(kinds, each.roles, strict=True))
        fields += len(kinds)
        print(
            f"| {number} | {each.language} | {', '.join(each.labels)} | {each.form.submits[0].label}"
            f" | {each.form.method.upper()} | {chance:.2f} | {why_not or 'open'} | {', '.join(kinds)} |"
        )
    figures = {"forms": number, "judged": judged, "passed": passed, "roles": [right, fields]}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
