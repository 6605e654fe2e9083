"""Tells which GET requests would change something on a server: /delete/1, /cart/add, ?do=logout.

A crawler must be able to follow any link. Not every site keeps to the rule that GET is safe, so a
link, a detail page, a next page and a redirect are judged by their URL and by the words of the
link before they are requested. Commands count where commands stand: a whole path segment, the
first or last word of a short one, a parameter's name, the value of a parameter that names an
action. A word inside a long slug (/how-to-delete-your-account) or a search (?q=delete) is text.
"""

import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote_plus

# What a command does, and the words for it, folded (no case, no accents). One word is matched as a
# token; words with a space are matched as neighbouring tokens. English first, then de fr es pt it
# nl pl cs sv da no fi tr hu ro ru uk el id vi; scripts without spaces stand in UNSPACED.
_STRONG = {
    "delete something": (
        "delete deletes deleting del destroy remove removing erase wipe purge truncate"
        " discard loschen loeschen entfernen geloscht supprimer effacer enlever retirer eliminar"
        " borrar suprimir quitar excluir apagar remover elimina eliminare cancella rimuovi"
        " verwijderen verwijder wissen usun usunac skasuj smazat smaz odstranit odstran tabort"
        " slet slett fjern ta+bort poista sil kaldir torles torol eltavolit sterge stergere"
        " elimina удалить удали видалити удаление hapus xoa διαγραφη"
    ),
    "log out": (
        "logout logoff signout signoff log+out log+off sign+out sign+off abmelden ausloggen"
        " deconnexion deconnecter se+deconnecter cerrarsesion cerrar+sesion salir+sesion"
        " desconectar"
        " desconectarse sair encerrar+sessao esci disconnetti disconnettersi uitloggen afmelden"
        " wyloguj wylogowanie odhlasit odhlaseni loggaut logga+ut logud log+ud loggut logg+ut"
        " kirjauduulos kirjaudu+ulos cikis cikis+yap kijelentkezes deconectare выйти выход вийти"
        " αποσυνδεση keluar dangxuat dang+xuat"
    ),
    "unsubscribe": (
        "unsubscribe optout opt+out unregister abbestellen austragen desabonner desabonnement"
        " desinscription desuscribir desuscribirse cancelar+suscripcion darse+de+baja descadastrar"
        " cancelar+inscricao disiscriviti cancellati uitschrijven wypisz odhlasit+odber"
        " avregistrera"
        " afmeld avmeld tilbakekall abonelikten+cik leiratkozas dezabonare отписаться відписатися"
        " huy+dang+ky berhenti+berlangganan"
    ),
    "change a rating or vote": (
        "upvote downvote unvote unlike votar+si hochwerten abstimmen jetzt+abstimmen"
        " glosuj zaglosuj hlasovat aanestaminen проголосовать проголосувати голосовать oyla"
    ),
    "change what is followed or marked": (
        "mark+as+read mark+read mark+all+read unfollow unfriend unsave"
        " unstar unpin deactivate unban unblock"
    ),
    "change the system": (
        "execute uninstall shutdown reboot revoke impersonate drop+table drop+database"
        " kill+process deinstallieren"
        " herunterfahren desinstaller desinstalar disinstalla odinstaluj"
    ),
    "change a cart": (
        "addtocart addtobasket addtobag add+to+cart add+to+basket add+to+bag add+to+trolley"
        " removefromcart remove+from+cart buyitnow in+den+warenkorb inwarenkorb"
        " warenkorb+hinzufugen warenkorb+hinzufuegen"
        " ajouter+au+panier ajouter+panier anadir+al+carrito agregar+al+carrito anadir+carrito"
        " adicionar+ao+carrinho aggiungi+al+carrello in+winkelwagen in+winkelmandje"
        " toevoegen+winkelwagen"
        " do+koszyka dodaj+do+koszyka do+kosiku vlozit+do+kosiku pridat+do+kosiku lagg+i+varukorg"
        " laeg+i+kurv legg+i+handlekurv lisaa+ostoskoriin sepete+ekle kosarba adauga+in+cos"
        " добавить+в+корзину в+корзину додати+в+кошик tambah+ke+keranjang them+vao+gio"
    ),
    "change a list": (
        "addtowishlist add+to+wishlist add+to+favorites add+to+favourites add+to+list"
        " add+to+compare"
        " addtofavorites merken+hinzufugen ajouter+aux+favoris anadir+a+favoritos"
        " adicionar+aos+favoritos aggiungi+ai+preferiti"
    ),
}
# Commands that are also ordinary words: they need an id or a token beside them, or a parameter
# that names an action.
_WEAK = {
    "delete something": "trash drop kill exec",
    "change a rating or vote": (
        "vote like dislike thumbsup thumbsdown voter votar vota stem glos голосовать"
    ),
    "change what is followed or marked": (
        "follow subscribe bookmark favorite favourite markread rsvp enroll suivre seguir segui"
        " volgen folgen abonnieren s+abonner inscrever suscribir iscriviti подписаться"
    ),
    "approve, confirm or cancel something": (
        "approve reject confirm cancel accept decline verify activate enable disable publish"
        " unpublish toggle promote demote bestatigen stornieren genehmigen confirmer annuler"
        " confirmar cancelar aprovar conferma annulla bevestigen annuleren potwierdz anuluj"
        " potvrdit zrusit подтвердить отменить onayla iptal"
    ),
    "save or send something": (
        "save send submit insert import upload reset clear empty sendmail invite speichern senden"
        " envoyer enviar invia verzenden wyslij odeslat отправить gonder"
    ),
    "change the system": "cron runjob",
    "buy or pay something": (
        "buy purchase pay checkout donate bid transfer withdraw redeem kaufen spenden acheter"
        " payer comprar pagar acquista paga kopen betalen kup zaplac koupit zaplatit купить"
        " оплатить satinal ode"
    ),
}
# Words that only a parameter which names an action turns into a command.
_IN_ACTIONS = {
    "change something": (
        "add create update edit+save set install run start stop restart mark rate report flag"
        " block mute"
        " lock unlock move rename merge archive restore ban join leave apply grant transfer post"
        " hinzufugen hinzufuegen ajouter anadir agregar adicionar aggiungi toevoegen dodaj"
        " pridat добавить ekle"
    )
}
_UNSPACED = {
    "delete something": "削除 删除 刪除 移除 삭제 حذف מחק מחיקה हटाएं ลบ",
    "log out": (
        "ログアウト 退出登录 退出登錄 登出 注销 로그아웃 تسجيل+الخروج התנתק יציאה"
        " लॉग+आउट ออกจากระบบ"
    ),
    "unsubscribe": (
        "配信停止 購読解除 退订 取消订阅 取消訂閱 구독+취소 구독취소"
        " إلغاء+الاشتراك ביטול+מנוי ยกเลิกการสมัคร"
    ),
    "change a cart": (
        "カートに入れる カートに追加 加入购物车 加入購物車 장바구니+담기 장바구니담기"
        " أضف+إلى+السلة أضف+للسلة הוסף+לסל कार्ट+में+जोड़ें"
    ),
    "change a rating or vote": "投票する 去投票 투표하기 صوت+الآن",
}
_CARTS = frozenset(
    "cart basket bag trolley wishlist warenkorb panier carrito carrinho carrello winkelwagen koszyk"
    " kosik varukorg kurv handlekurv sepet корзина compare watchlist favorites favourites".split()
)
_CART_COMMANDS = frozenset(
    "add remove update empty clear delete plus minus increase decrease increment decrement"
    " hinzufugen hinzufuegen ajouter anadir agregar adicionar aggiungi toevoegen dodaj pridat"
    " ekle добавить".split()
)
_ACTION_NAMES = frozenset(
    "action act do op oper operation cmd command task func function method event verb todo"
    " aktion accion acao azione actie akcja akce действие".split()
)
# They name an action as often as a way of showing: only commands beyond doubt count there.
_MODE_NAMES = frozenset("mode type view page m a act sub step".split())
# What follows is text about commands, unless an id follows that.
_TEXT_FOLDERS = frozenset(
    "docs doc documentation api reference manual man tag tags tagged topic topics category"
    " categories wiki blog article articles news question questions help faq glossary dictionary"
    " definition define word words kb commands command".split()
)
# Pages with these names at the end count a vote when they are asked for.
_VOTES = frozenset({("vote",), ("like",), ("dislike",)})
# Parameters whose value runs something, whatever it is.
_COMMAND_NAMES = frozenset({"cmd", "exec", "command", "execute"})
_SEARCH_NAMES = frozenset(
    "q s p query search keyword keywords text term terms name title tag tags lang language".split()
)
# They come with requests that a site wants to be sure of, and with no other.
_TOKEN_NAMES = frozenset(
    "token csrf csrftoken csrf_token _csrf nonce _wpnonce wpnonce authenticity_token form_key"
    " formkey security_token crumb".split()
)
# Parameters that say what a command is for.
_OBJECT_NAMES = frozenset(
    "id item pid uid sku product article amount email mail option choice answer user post comment"
    " value rating score key code seat course event job ref to betrag montant importe".split()
)
_NAMED = _TOKEN_NAMES | _OBJECT_NAMES | _COMMAND_NAMES
_MOST_SLUG_WORDS = 3
"""Segments of more words are taken for titles: a choice by judgement, not measured."""
_MOST_ANCHOR_WORDS = 4
_MOST_ANCHOR_CHARS = 40

_words = re.compile(r"[^\W_]+").findall
_letters = re.compile(r"[a-z]+").findall
_camel = re.compile(r"(?<=[a-z])(?=[A-Z])").sub
_identifier = re.compile(r"\d+|[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]{0,3}\d{2,}").fullmatch
_extension = re.compile(r"\.(?:php\d?|aspx?|jsp|jspx|do|action|cgi|pl|cfm|html?|py|rb)$").sub
_split_url = re.compile(r"https?://[^/?#]*([^?#]*)(?:\?([^#]*))?").match


_PLAIN_LETTERS = str.maketrans("øłđ\u0131", "oldi")


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN_LETTERS))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _index(table: dict[str, str]) -> dict[tuple[str, ...], str]:
    """From the words of a command to what it does."""
    return {
        tuple(_fold(phrase).split("+")): does
        for does, phrases in table.items()
        for phrase in phrases.split()
    }


STRONG, WEAK = _index(_STRONG), _index(_WEAK)
IN_ACTIONS = STRONG | WEAK | _index(_IN_ACTIONS)
UNSPACED = {
    "".join(_words(unicodedata.normalize("NFKC", phrase).casefold())): does
    for does, phrases in _UNSPACED.items()
    for phrase in phrases.split()
}
_FIRST_WORDS = frozenset(words[0] for words in IN_ACTIONS) | _CARTS | _ACTION_NAMES
_LONGEST = max(map(len, STRONG))


def find_state_change(url: str, text: str = "") -> str:
    """What a GET of the URL would change, in words, or '' when nothing speaks for it.

    `text` is the link's or button's own text.

    >>> find_state_change("https://shop.example/cart/add?id=5")
    'change a cart (cart/add)'
    >>> find_state_change("https://example.org/how-to-delete-an-account-in-five-steps")
    ''
    """
    found = _split_url(url)
    path, query = (found[1] or "", found[2] or "") if found else (url, "")
    if _may_hold_command(path, query):
        does = _judge_path(path, query) or _judge_query(query)
        if does:
            return does
    return _judge_text(text) if text and len(text) <= _MOST_ANCHOR_CHARS else ""


def _may_hold_command(path: str, query: str) -> bool:
    """A quick look that lets nine links in ten pass: whether any command's word is there at all."""
    whole = f"{path}?{query}" if query else path
    if not whole.isascii() or "%" in whole:
        return True
    if not whole.islower():
        whole = _camel(" ", whole).lower()
    return not _FIRST_WORDS.isdisjoint(_letters(whole))


def _split_words(text: str) -> list[str]:
    return _words(_fold(_camel(" ", text)).replace("_", " "))


def _judge_path(path: str, query: str) -> str:
    segments = [
        _split_words(_extension("", unquote_plus(part))) for part in path.split("/") if part
    ]
    if 0 < len(segments) <= 2 and tuple(segments[-1]) in _VOTES and not path.endswith("/"):
        return f"change a rating or vote ({segments[-1][0]})"
    is_for_something = any(
        name in _NAMED or name.endswith("id") for name, _ in _list_parameters(query)
    )
    for place, words in enumerate(segments):
        before = segments[place - 1] if place else []
        after = segments[place + 1] if place + 1 < len(segments) else []
        if not after and before and before[-1] in _TEXT_FOLDERS:
            continue
        has_object = _is_identifier(after) or (not after and is_for_something)
        does = _judge_segment(words, before, has_object=has_object)
        if does:
            return f"{does} ({'/'.join('-'.join(one) for one in (before, words) if one)})"
    return ""


def _judge_segment(words: list[str], before: list[str], *, has_object: bool) -> str:
    """`has_object`: an id follows, or a parameter says what the command would be for."""
    if not words or len(words) > _MOST_SLUG_WORDS + 1:
        return ""
    does = _find_unspaced("".join(words)) or _find_command(words, STRONG)
    if does:
        return does
    is_cart = words[-1] in _CARTS or words[0] in _CARTS or (before and before[-1] in _CARTS)
    if is_cart and (words[0] in _CART_COMMANDS or words[-1] in _CART_COMMANDS):
        return "change a cart"
    # `reset-database`, `empty-trash`: a weak command with its object is no ordinary word.
    if words[0] in ("reset", "clear", "empty", "drop") and words[-1] in _STORED:
        return "delete something"
    if len(words) > 1:
        return ""
    if _is_identifier(before):  # /comment/5/report
        return IN_ACTIONS.get((words[0],), "")
    return WEAK.get((words[0],), "") if has_object else ""


def _is_identifier(words: list[str]) -> bool:
    return len(words) == 1 and _identifier(words[0]) is not None


_STORED = frozenset(
    "database db data all everything cache account table index history log logs trash".split()
)


def _find_command(words: list[str], commands: dict[tuple[str, ...], str]) -> str:
    """A command at the beginning or the end of a short phrase."""
    if len(words) > _MOST_SLUG_WORDS and tuple(words) not in commands:
        return ""
    for length in range(min(_LONGEST, len(words)), 0, -1):
        does = commands.get(tuple(words[:length])) or commands.get(tuple(words[-length:]))
        if does:
            return does
    return ""


def _find_unspaced(text: str) -> str:
    if text.isascii():
        return ""
    text = unicodedata.normalize("NFKC", text)
    return next((does for word, does in UNSPACED.items() if word in text), "")


def _list_parameters(query: str) -> Iterable[tuple[str, str]]:
    for pair in query.replace(";", "&").split("&"):
        if pair:
            name, _, value = pair.partition("=")
            yield _fold(unquote_plus(name)), unquote_plus(value)


def _judge_query(query: str) -> str:
    for name, value in _list_parameters(query):
        words, values = _split_words(name), _split_words(value)
        if not words or name in _SEARCH_NAMES:
            continue
        does = ""
        if words[-1] in _ACTION_NAMES:
            does = _find_command(values, IN_ACTIONS) or _find_unspaced(value)
            if not does and name in _COMMAND_NAMES and not values:
                # An empty command line waits for one; `?cmd=view` names a page, as many sites do.
                does = "change the system"
        elif name in _MODE_NAMES:
            does = STRONG.get(tuple(values), "")
        elif len(words) <= _MOST_SLUG_WORDS:
            does = _find_command(words, STRONG) or _find_unspaced(name)
            if not does and len(words) == 1 and values and len(values) == 1:
                does = _judge_flag(words[0], values[0])
        if does:
            return f"{does} (?{name}={value[:20]})"
    return ""


def _judge_flag(name: str, value: str) -> str:
    """`?vote=up`, `?like=1`: a weak command as a parameter that is switched on."""
    is_on = value in {"1", "true", "yes", "up", "down", "on"}
    return WEAK.get((name,), "") if is_on else ""


def _judge_text(text: str) -> str:
    """A link or button whose whole text is a command."""
    if text.isascii() and text.count(" ") >= _MOST_ANCHOR_WORDS:
        return ""
    words = _split_words(text)
    if not words or len(words) > _MOST_ANCHOR_WORDS:
        return ""
    does = STRONG.get(tuple(words), "") or _find_unspaced("".join(words))
    return f"{does} ({text.strip()[:30]!r})" if does else ""
