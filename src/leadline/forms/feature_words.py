"""What the words in a form speak of: searching, an account, a message, a purchase ...

The classifier of `forms.searchable` is trained on these meanings, so that a change here needs a new
training (`tools/form_training`). What single controls ask for is read by `role_words`.
"""

# ruff: noqa: RUF001, E501 - words in many scripts, wide letters count twice
import re
from collections.abc import Callable

from leadline.core.text import fold
from leadline.forms.role_words import ROLE_WORDS

_STEMS = {
    "searching": """
        search find ^query ^queries query$ keyword ^lookup ^suche ^suchb ^suchf ^suchm ^suchw
        schnellsuch volltext stichwort ^schlagw cherch ^trouver motcle motscle ^clé busca ^búsq
        ^busq ^palabra pesquis ^procur cerca ricerc ^trova zoek ^søk ^sök ^sok$ ^søg ^sög ^haku
        ^hae$ ^etsi szuka ^hled vyhled hľada hľadá hlada hladá vyhľad ^keres ^caut ^căut pretraž
        pretraz pretrag ^traži ^trazi ^iskanj ^najdi ^ara$ ^arama ^arat ^bul$ paiešk paiesk
        meklē mekle ^otsi поиск иска ^найти ^найд пошук шука знайт търс ^намер тражи претра
        αναζήτ αναζητ ευρεσ εύρεσ חיפוש ^חפש بحث جستجو खोज 検索 探す さがす 搜索 搜尋 搜寻 搜一 查询 查詢 查找 關鍵 关键
        검색 찾기 ค้นหา ^tìm$ ^tim$ ^cari$ pencarian ^carian ^išči ^iskal ^ieškot ^bilatu ^bilaket
        ^leita$ ^leit$ ^cuarda ^chwilio ^chwil$ ^kërko ^kerko ^барај ^пребар ^axtar ^іздеу ^qidir
        ^хайх ^хайлт ძებნ ძიებ որոն ^փնտր অনুসন্ধান খুঁজ தேடு தேடல் వెతక శోధ തിരയ ಹುಡುಕ શોધ ਖੋਜ ^तलाश
        ^शोध تلاش ^tafuta ^maghanap ^hanap$ ^soek ^sichen$ ^fittex සොය ፈልግ ^serĉ""",
    "an account": """
        login logon ^log$ logout ^sign$ signin ^auth$ ^authent ^authoriz passw ^pass$ ^pwd
        username ^user$ ^nick forgot forget ^remember ^lost recover ^credential kennwort passwor
        benutzer vergess anmeld einlog ^passe$ ^identifi utilisat oubli connexion contrase
        usuari olvid ^acceder ^entrar ^senha esquec utent dimentic ^accedi wachtwoord gebruiker
        inloggen lösenord løsenord adgangskode användar brugernavn salasana ^hasło ^haslo
        zaloguj użytkown uzytkown ^heslo přihl prihl uživatel uzivatel jelsz belép belep ^parol
        giriş giris şifre sifre парол логин войти вход вхож забы запомн увійти κωδικ σύνδεσ
        סיסמה התחבר كلمة دخول رمز ログイン パスワード 会員 密码 密碼 登录 登錄 登入 帐号 비밀번호 로그인 đăng masuk autentific
        ^utilizator ^parolă ユーザ 用户名 アカウント 아이디 पासवर्ड लॉगिन उपयोगकर्ता المستخدم المرور χρήστη""",
    "joining": """
        ^regist registr signup ^join$ inscri enregistr ^iscriz ^créer$ ^crear$ ^crea$ create
        account member profile ^konto ^compte ^cuenta ^conta$ zarejestr založ zaloz załóż ^üye
        kayit rekister tilmeld регистр 注册 註冊 登録 회원 captcha confirm gender repeat retype verif
        înregistr kayıt zarejestruj εγγραφ تسجيل पंजीकरणकरें सदस्य""",
    "mail": """
        email mail newsletter subscrib abonn suscri ^iscriv bülten bulten correo courriel posta$
        nyhed nyhets рассыл подпис почт メール 邮箱 郵箱 邮件 电子 이메일 뉴스레터 البريد$ الإلكتروني feliratkoz
        hírlevél odebír odebir prenumer subskry abone nieuwsbrief ^bolet 订阅 訂閱 購読 メルマガ 구독 النشرة
        اشترك ईमेल न्यूज़ ενημερωτ""",
    "a message": """
        comment contact kontakt message ^reply respond feedback nachricht mensaje messagg
        mensagem ^betreff enquir inquir ^review$ ^post$ comentari comentári bericht viesti mesaj
        ^send$ сообщ коммент отзыв вопрос 留言 评论 コメント お問 문의 댓글 تعليق رسالة إرسال ^absenden
        ^abschicken envoyer ^enviar$ ^invia$ verstuur versturen skicka wyślij wyslij odeslat
        küldés trimite gönder отправ 发送 發送 送信 보내기 संदेश भेजें αποστολ μήνυμα wiadomo zpráv
        üzenet meddelan ^mesaj""",
    "a purchase": """
        ^cart$ ^carts$ cart$ addto basket ^order$ ^orders$ ^orderid ^ordernum ^orderform
        ^orderstat ^buy purchas payment quantit ^qty wishlist donat coupon promocod voucher
        ^gift warenkorb ^kauf bestell ^menge panier ^achet commande carrito ^compra carrello
        acquist winkelw koszyk ^kup kosar košík kosik sepet ostosk varukorg indkøb indkob корзин
        купить заказ купи カート 購入 购物 购买 購物 장바구니 구매 ^amount$ ^donate ^donation ^checkout$ ^pay$
        ^paynow spende ^betrag$ ^montant ^importe$ ^importo ^bedrag ^belopp ^kwota ^donar$
        ^dona$ ^doar$ donner ^don$ doneer doneren donera przekaż wesprz přispět adomány donează
        bağış пожертв оплат сумма 捐款 捐赠 捐贈 寄付 기부 결제 付款 支払 تبرع المبلغ ادفع दान राशि भुगतान δωρεά
        πληρωμ カード番号 卡号 信用卡 kreditk creditcard ^iban$ סל""",
    "a person": """
        yourname fullname contactname phone ^tel$ telef телеф 電話 电话 전화 फ़ोन الهاتف τηλέφ
        firstname lastname ^fname$ ^lname$ お名前 您的姓名 성함 ^address ^adress streetaddress ^street""",
    "showing": """
        sort ^orderby perpage ^page$ ^pages$ jump ^style theme ^lang language currency ^skin
        ^view$ ^display$ ^show$ ^goto ^limit seite$ pagina ^sprache ^langue$ ^idioma ^lingua$
        ^taal$ ^språk ^język ^jazyk ^nyelv ^limbă ^dil$ язык валют ^währung ^devise ^moneda
        ^moeda ^valuta ^waluta ^měna ^pénznem ^monedă 语言 货币 言語 通貨 언어 통화 اللغة العملة भाषा मुद्रा
        γλώσσα νόμισμα ^locale$ ^theme$ ^darkmode ^fontsize""",
    "voting": """
        ^poll$ ^polls$ ^vote ^voting ^votar umfrage encuest sondage gallup голос опрос survey
        ^rate$ ^rating abstimm stemmen rösta głosuj hlasov szavaz votează ^oy$ 投票 투표 تصويت वोट
        ψηφ""",
    "agreeing": """
        cookie consent gdpr privacy ^vendor ^accept ^agree ^termsof ^iagree akzept zustimm einwillig
        datenschutz confidential ^aceptar ^acepto ^accett aceitar concordo akkoord ^godkän
        ^akceptuj ^zgadzam souhlas přijmout elfogad sütik ^accept çerez kabul согласен принять
        同意 接受 許可 동의 허용 أوافق قبول सहमत स्वीकार αποδοχ συμφων""",
    "computing": """
        calculat ^convert ^translat berechn rechner umrechn ^calcul convertir ^converti calcola
        bereken omreken beräkn omvandla ^oblicz przelicz spočít spocit převést számít átvált
        calculeaz convertește hesapla dönüştür рассчит калькул конверт 计算 計算 换算 換算 계산 변환 احسب
        تحويل गणना υπολογ μετατρο ^bmi$ mortgage$ ^loan$ ^weight ^height$ ^gewicht$ ^calculator""",
    "an offer": """
        ^quote ^quotation ^estimate$ ^apply$ ^applynow ^demo$ ^appointment ^callback
        ^consultation ^enroll ^schedule$ ^booknow ^reserve$ ^reservation angebot beratung
        ^bewerben ^termin$ ^devis ^postuler rendezvous presupuest ^solicit$ preventivo
        ^candidati orçament ^candidatar offerte ^sollicit offert ^ansök ^ofert ^aplikuj poptat
        nabídk ajánlat ^jelentkez ^aplică teklif başvur$ заявк откликн 报价 申请$ 立即 見積 応募 견적 지원
        عرضسعر قدم कोटेशन आवेदनकरें προσφορ αίτηση""",
    "a setting": """
        ^save ^saved$ ^set$ ^setting ^preference ^update$ ^mylocation ^yourlocation ^setlocation
        ^change$ einstellung speichern ^enregistrer ^paramètre guardar ^ajuste ^salva
        ^impostazion salvar configura instelling opslaan spara$ inställ zapisz ustawien uložit
        nastaven mentés beállít salvează setări kaydet ayarlar сохран настройк 保存 设置 設定 저장 설정
        حفظ الإعدادات सहेज सेटिंग αποθήκ ρυθμίσ standort$ ^configur konfigur personali customi
        toggle""",
    "going": """
        ^go$ ^ok$ ^show$ ^display$ ^view$ ^submit$ ^continue ^next$ ^los$ ^anzeigen ^weiter$
        ^afficher ^aller$ ^valider ^mostrar ^mostra$ ^vai$ ^exibir ^tonen ^toon$ ^visa$ ^vis$
        ^pokaż ^idź$ ^zobrazit ^mutasd ^arată ^göster ^git$ показать 显示 確定 确定 前往 表示 보기 이동 확인
        عرض$ اذهب موافق दिखाएं जाएं προβολή μετάβαση εντάξει ^tamam$ 查看 ^list$ ^listall
        ^getresult ^result ^showtime ^showrate ^apply filter""",
    "narrowing": """
        filter refine ^narrow advanc facet erweitert avancé ^avanzad affin ^eingrenz zúžit szűr
        фильтр 筛选 絞り 필터""",
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


_SEARCHING = 1 << MEANINGS.index("searching")
_SEARCHABLE_THINGS = sum(
    1 << MEANINGS.index(meaning)
    for meaning in ("an account", "a message", "a purchase", "a person", "a setting", "an offer")
)


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

    def __init__(self, *, reads_roles: bool = False) -> None:
        super().__init__()
        self._words = _Words().__getitem__
        self._reads_roles = reads_roles

    def __missing__(self, text: str) -> int:
        if len(self) >= _KNOWN:
            self.clear()
        lower = text[:_MAX_TEXT_CHARS].lower()
        bits = SAYS_SEARCH if "search" in lower else 0
        packed = lower.encode("utf-8", "replace").translate(_LETTERS, b"_")
        for found in map(self._words, packed.split()):
            bits |= found
        if self._reads_roles:
            # `Search on Super User`, `Search comments`: they say what is searched.
            bits &= ~_SEARCHABLE_THINGS if bits & _SEARCHING else -1
            bits |= _find_roles(text) * _ROLE_UNIT
        if len(text) <= _MAX_PHRASE_CHARS:
            self[text] = bits
        return bits


def _find_roles(text: str) -> int:
    """One bit for each of ASKED_ROLES that a control's text names."""
    # What is longer explains, and names more than it asks for.
    if len(text) > _MAX_PHRASE_CHARS:
        return 0
    words = _camel_hump(r"\1 \2", text) if text.isascii() else text
    senses = ROLE_WORDS.read(fold(words))
    found = 0
    while senses:
        lowest = senses & -senses
        found |= _ROLE_OF_SENSE[lowest.bit_length() - 1]
        senses ^= lowest
    return found


_camel_hump = re.compile(r"([a-z])([A-Z])").sub
ASKED_ROLES = (
    "a title", "a person", "an organisation", "a place", "a code", "a kind", "a year", "a date",
    "a price", "an amount", "words", "a birth", "a name", "an order or page size", "a language",
    "a street", "a website",
)  # fmt: skip
"""What controls ask for, in groups of the senses of `role_words`."""
_GROUPS = {
    "title": "a title", "person": "a person", "organisation": "an organisation",
    "place": "a place", "place:street": "a street", "code": "a code", "id": "a code",
    "category": "a kind", "year": "a year", "date": "a date", "date:birth": "a birth",
    "price": "a price", "number": "an amount", "number:distance": "a place", "text": "words",
    "scope": "words", "name": "a name", "sort": "an order or page size",
    "page size": "an order or page size", "language": "a language", "link": "a website",
}  # fmt: skip


def _role_of_sense(sense: str) -> int:
    group = _GROUPS.get(sense) or _GROUPS.get(sense.partition(":")[0])
    return 1 << ASKED_ROLES.index(group) if group else 0


_ROLE_OF_SENSE = [_role_of_sense(sense) for sense in ROLE_WORDS.names]
ROLE_SHIFT = len(MEANINGS) + 1
"""Where the bits of ASKED_ROLES begin in what `read_control` returns."""
_ROLE_UNIT = 1 << ROLE_SHIFT

find_meanings: Callable[[str], int] = _Texts().__getitem__
"""One bit for each of MEANINGS that a text speaks of, and SAYS_SEARCH.

What underscores join is one word: `first_name` is no name to look for, `post_code` no post.
"""
read_control: Callable[[str], int] = _Texts(reads_roles=True).__getitem__
"""The same for a text at a control, with the bits of ASKED_ROLES above them."""
