"""What the words in a form speak of: searching, an account, a message, a purchase ...

The classifier of `forms.searchable` is trained on these meanings, so that a change here needs a new
training (`tools/form_training`). `role_words` has the words for what single fields ask for.
"""

from collections.abc import Callable

_STEMS = {
    "searching": """
        search find ^query ^queries query$ keyword ^lookup
        ^suche ^suchb ^suchf ^suchm ^suchw schnellsuch volltext stichwort ^schlagw
        cherch ^trouver motcle motscle ^clé busca ^búsq ^busq ^palabra pesquis ^procur
        cerca ricerc ^trova zoek ^søk ^sök ^sok$ ^søg ^sög ^haku ^hae$ ^etsi
        szuka ^hled vyhled hľada hľadá hlada hladá vyhľad ^keres ^caut ^căut
        pretraž pretraz pretrag ^traži ^trazi ^iskanj ^najdi ^ara$ ^arama ^arat ^bul$
        paiešk paiesk meklē mekle ^otsi
        поиск иска ^найти ^найд пошук шука знайт търс ^намер тражи претра
        αναζήτ αναζητ ευρεσ εύρεσ חיפוש ^חפש بحث جستجو खोज
        検索 探す さがす 搜索 搜尋 搜寻 搜一 查询 查詢 查找 關鍵 关键 검색 찾기 ค้นหา
        ^tìm$ ^tim$ ^cari$ pencarian""",
    "an account": """
        login logon ^log$ logout ^sign$ signin ^auth passw ^pass$ ^pwd username ^user$ ^nick
        forgot forget ^remember ^lost recover ^credential
        kennwort passwor benutzer vergess anmeld einlog ^passe$ ^identifi utilisat oubli connexion
        contrase usuari olvid ^acceder ^entrar ^senha esquec utent dimentic ^accedi
        wachtwoord gebruiker inloggen lösenord løsenord adgangskode användar brugernavn salasana
        ^hasło ^haslo zaloguj użytkown uzytkown ^heslo přihl prihl uživatel uzivatel jelsz
        belép belep ^parol giriş giris şifre sifre
        парол логин войти вход вхож забы запомн увійти κωδικ σύνδεσ סיסמה התחבר كلمة دخول رمز
        ログイン パスワード 会員 密码 密碼 登录 登錄 登入 帐号 비밀번호 로그인 đăng masuk""",
    "joining": """
        ^regist registr signup ^join$ inscri enregistr ^iscriz ^créer$ ^crear$ ^crea$ create account
        member profile ^konto ^compte ^cuenta ^conta$ zarejestr založ zaloz załóż ^üye kayit
        rekister tilmeld регистр 注册 註冊 登録 회원
        captcha confirm birth gender ^terms ^agree repeat retype verif""",
    "mail": """
        email mail newsletter subscrib abonn suscri ^iscriv bülten bulten correo courriel posta$
        nyhed nyhets рассыл подпис почт メール 邮箱 郵箱 邮件 电子 이메일 뉴스레터 البريد""",
    "a message": """
        comment contact kontakt message ^reply respond feedback nachricht mensaje messagg mensagem
        ^subject ^betreff enquir inquir ^quote$ review ^post$ ^publish comentari comentári
        bericht viesti mesaj ^send$
        сообщ коммент отзыв вопрос 留言 评论 コメント お問 문의 댓글 تعليق""",
    "a purchase": """
        ^cart cart$ addto basket ^order$ ^orders$ ^orderid ^ordernum ^orderform ^orderstat
        ^buy purchas payment quantit ^qty wishlist donat coupon promocod voucher ^gift
        warenkorb ^kauf bestell ^menge panier ^achet commande carrito ^compra carrello acquist
        winkelw koszyk ^kup kosar košík kosik sepet ostosk varukorg indkøb indkob
        корзин купить заказ купи カート 購入 购物 购买 購物 장바구니 구매""",
    "a person": """
        ^name$ firstname lastname ^fname ^lname fullname surname vorname nachname prénom prenom
        cognome apellid sobrenome achternaam imię imie nazwisko jméno jmeno příjmen prijmen
        ^имя фамил お名前 姓名 phone ^tel$ telef телеф 電話 电话 전화
        address adress""",
    "showing": """
        sort ^orderby perpage ^page$ ^pages$ jump ^style theme ^lang language currency ^skin
        ^view$ ^display ^show ^goto ^limit seite$ pagina""",
    "voting": """
        ^poll$ ^polls$ ^vote ^voting ^votar umfrage encuest sondage gallup голос опрос survey
        ^rate$ ^rating""",
    "choosing": """
        filter refine categor kategor brand marke marque ^make$ ^makes$ ^model$ ^models$ modell
        manufact herstell fabricant ^min$ ^max$ ^minimum ^maximum price preis ^prix precio prezzo
        ^from$ depart ^return arriv checkin checkout$ pickup dropoff flight ^trip ^cabin
        passenger ^adult ^child ^guest night$ nights$ hotel ^room ^stay bedroom bathroom ^beds
        ^rent ^sale$ ^property mileage ^fuel ^type$ ^types$
        artist album ^song author autor auteur autore isbn publisher ^genre director actor
        ^movie ^film theater theatre showtime ^event ^date$ ^dates$ ^datum ^fecha
        salary ^job employer industry ^skill ^species advanc""",
    "a place": """
        ^zip zip$ zipcode postal postcode ^plz ^cap$ city ^cities ^ville ^stadt ^ort$ ^ciudad
        ^citt ^miast ^state$ ^province ^locat ^region ^town ^country ^county neighb ^near radius
        distance ^umkreis ^within ^miles destination ^destin город ^регион ^улиц""",
}
"""Pieces of words by what they speak of, ^ and $ for a word's beginning and end. Written by hand
for the languages that most of the Web is in; those of searching for all in which it was known."""

MEANINGS = tuple(_STEMS)
_ASCII_LETTERS = bytes(ord(chr(i).lower()) if chr(i).isalpha() else 0x20 for i in range(128))
_LETTERS = _ASCII_LETTERS + bytes(range(128, 256))
"""ASCII letters in lower case, blanks for the rest of ASCII; other characters stay."""
_KNOWN = 50_000
"""Words, and short phrases, whose meaning is cached: some 10 MB when full."""
_MAX_WORD_BYTES = 60
_MAX_PHRASE_CHARS = 40
_MAX_TEXT_CHARS = 300
"""Of a text, read: what a form is for stands in its first lines."""

SAYS_SEARCH = 1 << len(MEANINGS)
"""The bit of texts that hold "search", in the middle of a word too: FFC's feature."""


class _Heads(dict[str, list[tuple[str, int]]]):
    """Stems and their bits by their first letters, so that a word is compared with few of them."""

    def __init__(self, letters: int) -> None:
        super().__init__()
        self.letters = letters

    def add(self, stem: str, bit: int) -> None:
        self.setdefault(stem[: self.letters], []).append((stem, bit))

    def inside(self, word: str) -> int:
        bits, size = 0, self.letters
        heads = [word[at : at + size] for at in range(len(word) - size + 1)]
        for head in [head for head in heads if head in self]:
            for stem, bit in self[head]:
                bits |= bit if stem in word else 0
        return bits


class _Stems:
    """All stems, by where in a word they may stand."""

    def __init__(self) -> None:
        self.whole: dict[str, int] = {}
        self.beginnings = _Heads(3)
        self.endings: dict[str, list[tuple[str, int]]] = {}
        self.inner = _Heads(4)
        self.foreign = _Heads(2)
        """Of two or three letters, which only scripts other than Latin have."""

    def add(self, marked: str, bit: int) -> None:
        stem = marked.strip("^$")
        if marked == f"^{stem}$":
            self.whole[stem] = self.whole.get(stem, 0) | bit
        elif marked[0] == "^":
            self.beginnings.add(stem, bit)
        elif marked[-1] == "$":
            self.endings.setdefault(stem[-3:], []).append((stem, bit))
        else:
            (self.inner if len(stem) >= self.inner.letters else self.foreign).add(stem, bit)

    def meaning_of(self, word: str) -> int:
        bits = self.whole.get(word, 0) | self.inner.inside(word)
        for stem, bit in self.beginnings.get(word[:3], ()):
            bits |= bit if word.startswith(stem) else 0
        for stem, bit in self.endings.get(word[-3:], ()):
            bits |= bit if word.endswith(stem) else 0
        return bits if word.isascii() else bits | self.foreign.inside(word)


def _index_stems() -> _Stems:
    found = _Stems()
    for number, stems in enumerate(_STEMS.values()):
        for marked in stems.split():
            found.add(marked, 1 << number)
    return found


_meaning_of = _index_stems().meaning_of


class _Words(dict[bytes, int]):
    """The meanings of words, computed when a word is first met; emptied when full."""

    def __missing__(self, word: bytes) -> int:
        if len(self) >= _KNOWN:
            self.clear()
        bits = _meaning_of(word[:_MAX_WORD_BYTES].decode("utf-8", "ignore"))
        if len(word) <= _MAX_WORD_BYTES:
            self[word] = bits
        return bits


class _Texts(dict[str, int]):
    """The same for short texts: most fields of the Web share a few thousand names and labels."""

    def __init__(self) -> None:
        super().__init__()
        self._words = _Words().__getitem__

    def __missing__(self, text: str) -> int:
        if len(self) >= _KNOWN:
            self.clear()
        lower = text[:_MAX_TEXT_CHARS].lower()
        bits = SAYS_SEARCH if "search" in lower else 0
        packed = lower.encode("utf-8", "replace").translate(_LETTERS, b"_")
        for found in map(self._words, packed.split()):
            bits |= found
        if len(text) <= _MAX_PHRASE_CHARS:
            self[text] = bits
        return bits


find_meanings: Callable[[str], int] = _Texts().__getitem__
"""One bit for each of MEANINGS that a text speaks of, and SAYS_SEARCH.

What underscores join is one word: `first_name` is no name to look for, `post_code` no post.
"""
