# ruff: noqa: RUF001 - words of many scripts

"""Words by which forms show what they do: search, log in, order, subscribe, and what they ask for.

Written by hand, in the languages forms were met in, and matched without case and accents. ASCII
words are bound at their ends if they occur inside harmless ones; names are split before they are
matched (`userName` is `user name`), and labels are words already. `hazards` refuses forms by them,
and readers of answers use the same folding.
"""

import re
from collections.abc import Callable

from leadline.core.text import fold

Matcher = Callable[[str], re.Match[str] | None]


def matcher(*patterns: str) -> Matcher:
    """Searches for any of the patterns in folded text."""
    return re.compile(fold("|".join(patterns))).search


_layout_class = re.compile(r"\border-(?:[a-z]{2,3}-)?(?:\d+|first|last|none)\b").sub
_long_slug = re.compile(r"[\w%]+(?:-[\w%]+){3,}").sub
"""Four words or more joined by hyphens are the title of a page, and not the name of an act."""


def strip_layout(tag: str) -> str:
    """A form tag's words or an address without class names of layout and titles of pages.

    >>> strip_layout("row order-lg-1 /blog/how-to-save-money-now /search")
    'row  /blog/ /search'
    """
    if "order-" in tag:
        tag = _layout_class("", tag)
    return _long_slug("", tag) if tag.count("-") > 2 else tag


SEARCH = matcher(
    r"search|\bfind(?:en|er)?\b|\bquery|keyword|look ?up|\bbrowse|\bseek\b|\bsuch|stichwort",
    r"schlagwort|recherch|trouver|chercher|mots? ?cles?|\bbusc|busqueda",
    r"encontrar|palabra|pesquis",
    r"procur|\bcerca|ricerca|trova|parol[ae] chiave|zoek|vind\b|trefwoord",
    r"\bsok(?!ak)|\bsog|\bfinn",
    r"\bhaku\b|\bhae\b|\betsi|\botsi|\bszuk|wyszuk|znajdz|hled|vyhled|hlad",
    r"vyhlad|\bkeres|\bcauta",
    r"\btraz|pretrag|\biskanje|\bara\b|arama|meklet|paiesk|\bcari\b|pencarian|tim kiem|поиск",
    r"искать|найти|пошук|знайти|търс|претраг|αναζητ|检索|檢索|搜|查询|查詢|查找|検索|さがす|探す",
    r"검색|찾기|بحث|חפש|חיפוש|ค้นหา|खोज|جستجو",
    r"\bisci\b|\biskal|\bieskot|\bbilatu\b|\bbilaket|\bleita\b|\bleit\b|\bcuarda|\bchwil",
    r"\bkerko|\baxtar|\bqidir|\btafuta\b|\bmaghanap\b|\bcarian\b|\bsoek|\bsichen\b|\bfittex",
    r"\bserc[iu]\b|шука|тражи|барај|іздеу|хайх|хайлт|ძებნ|ძიებ|որոն|փնտր|অনুসন্ধান|খুঁজ|தேடு",
    r"தேடல்|వెతక|శోధ|തിരയ|ಹುಡುಕ|શોધ|ਖੋਜ|शोध|تلاش|සොය|ፈልግ|ຄົ້ນຫາ|ស្វែងរក|ရှာ",
)

PASSWORD = matcher(
    r"passw|\bpass ?(?:code|phrase)|pwd|\bpass\b|kennwort|mot de passe|contrasen",
    r"(?<!palabra )(?<!palabras )\bclave\b|\bsenha|palavra passe",
    r"\bparol[ae]?\b(?! chiav)|haslo\b",
    r"wachtwoord|losenord|adgangskode|kodeord|salasana|jelszo|\bheslo|\bsifre|lozinka|geslo",
    r"slaptazod|\bparool|mat khau|kata sandi|парол|κωδικο[ςσ]|密码|密碼|パスワード|暗証|비밀번호",
    r"كلمة (?:المرور|السر)|סיסמ|รหัสผ่าน|पासवर्ड",
    r"\bssid\b|wi-?fi ?key|network ?key",
)
USER = matcher(
    r"\buser(?: ?(?:name|id|login|nm))?\b|username|\busr ?(?:name|id)?\b|\buid\b|\buserid",
    r"screen ?name|\blog ?(?:in|on)\b|\blogin|login(?:name|id)?\b|sign ?in\b",
    r"\bnick ?name|\bnick\b",
    r"membership id|(?:member|customer|account) ?(?:id|name|number|no)\b|benutzer|anmeldename",
    r"kundennummer|identifiant|nom d.?utilisateur|utilisateur|\bpseudo\b",
    r"\busuari[oa]|\butilizador",
    r"nome utente|gebruiker|anvandar|brugernavn|brukernavn|kayttaja|uzytkownik|uzivatel",
    r"felhasznalo|kullanici|korisni[ck]|логин|имя пользовател|\bник\b|用户|用戶|帐号|账号|帳號",
    r"ユーザ|ログイン|会員番号|아이디|اسم المستخدم|שם משתמש|ชื่อผู้ใช้|उपयोगकर्ता|ονομα χρηστη",
    r"utilizator",
)
EMAIL = matcher(
    r"e-?mail|\be mail|\bmail\b|mail ?(?:addr|id\b)|courriel|correo|\bmejl|\be-?post|e-?posta",
    r"elettronica|sahkoposti|почт|имейл|邮箱|邮件|郵件|電郵|信箱|メール|이메일|البريد(?!ي)|דוא|อีเมล|ईमेल",
    r"your@|@example|@.+\.com",
)
PAYMENT = matcher(
    r"card ?(?:no|num|number|holder|code|type|verif|expir)|name on (?:the )?card|credit ?card",
    r"debit ?card|\bcc ?(?:no|num|number|name|type|exp|csc|cvc|cvv|month|year)|\bcv[cv]2?\b",
    r"\bcsc\b|security ?code|verification ?value|\biban\b|\bbic\b",
    r"swift ?code|routing ?(?:no|num)",
    r"sort ?code|(?:bank )?account ?(?:no\b|num)|expir|valid (?:thru|until)",
    r"\bexp ?(?:date|month|year)|kreditkart|kartennummer|karteninhaber|prufziffer|prufnummer",
    r"kontonummer|gultig bis|carte (?:bancaire|de credit|bleue)",
    r"numero de (?:la )?carte|titulaire",
    r"cryptogramme|tarjeta de (?:credito|debito)|numero de (?:la )?tarjeta|caducidad|titular\b",
    r"cartao de credito|numero do cartao|carta di credito|numero (?:della )?carta|scadenza",
    r"creditcard|kaartnummer|kredietkaart|kreditkort|kortnummer",
    r"karty (?:kredyt|platn)|numer karty",
    r"kredi karti|kart numara|номер карт|срок действия|信用卡|卡号|卡號|カード番号|有効期限",
    r"카드 ?번호|بطاقة|אשראי|कार्ड नंबर|cislo karty|kartyaszam|numarul cardului|αριθμος καρτας",
)
AMOUNT = matcher(
    r"donation|\bamount\b|\bbetrag\b|\bmontant\b|\bimporte?\b|\bbedrag\b|\bbelopp\b|\bkwota\b",
    r"\bimporto\b|\bvalor\b|\bcastka\b|\bosszeg\b|\bsuma\b|\btutar\b|сумма|ποσο\b|المبلغ|राशि",
    r"金額|金额|금액",
)
MESSAGE = matcher(
    r"\bmessage|\bcomments?\b|\bremarks?\b|feedback|your (?:question|review",
    r"opinion|story|answer)",
    r"nachricht|mitteilung|kommentar|bemerkung|bericht\b|opmerking|mensaje|comentario|mensagem",
    r"messaggio|commento|commentaire|wiadomosc|zprava|uzenet|meddelande|besked\b|viesti\b|mesaj",
    r"сообщени|комментари|留言|评论|評論|コメント|お問い合わせ|メッセージ|메시지|댓글|تعليق|رسالة|μηνυμα|संदेश|टिप्पणी",
)
CAPTCHA = matcher(
    r"captcha|verif(?:y|ication)|\bvcode|security (?:question|image)|are you human|anti ?spam",
    r"(?:enter|type) the (?:code|characters|letters|text|word|number)|sicherheitscode|spamschutz",
    r"code de securite|codigo de (?:seguridad|verificacao)|codice di sicurezza|проверочн",
    r"код на карт|验证码|驗證碼|認証|画像認証|인증",
)
PHONE = matcher(
    r"\bphone|telephone|\btel\b|mobile ?(?:no|num|phone)|\bmobile\b|\bcell ?(?:phone)?\b|\bfax\b",
    r"telefon|\bhandy|mobilnummer|portable\b|\bcelular|\bmovil\b|\bcellulare",
    r"gsm\b|puhelin|телефон",
    r"手机|手機|电话|電話|휴대|전화|هاتف|טלפון|โทรศัพท์|\bsms\b|telefoon|τηλεφων|फ़ोन|दूरभाष",
)
GIVEN_NAME = matcher(
    r"\bfirst ?name|\bfname|given ?name|\bforename|vorname|prenom|nombre de pila|\bnombre\b",
    r"\bnome\b|voornaam|fornamn|fornavn|etunimi|\bimie\b|\bjmeno|keresztnev|имя\b|名字|お名前|이름",
    r"\badiniz",
)
FAMILY_NAME = matcher(
    r"\blast ?name|\blname|sur ?name\b|family ?name|nachname|familienname",
    r"nom de famille|apellido",
    r"sobrenome|cognome|achternaam|efternamn|etternavn|sukunimi|nazwisko",
    r"prijmeni|vezeteknev|soyad",
    r"фамили|姓名|氏名|성명",
)
OWN_NAME = matcher(
    r"twoje imie|vase jmeno|az on neve|numele dvs|adiniz|το ονομα σας|اسمك",
    r"आपका नाम|您的姓名|お名前|성함|tuo nome|seu nome|uw naam",
    r"\byour ?name|\bfull ?name|\bname ?\*|contact ?(?:name|person)",
    r"\bihr name|votre nom|su nombre",
    r"nombre completo|nome completo|nome e cognome|vor und nachname|\buw naam|ditt namn|ваше имя",
)
STREET = matcher(
    r"\bstreet|\baddress ?(?:line)?\b|\baddr ?\d?\b|house ?(?:no|num)|strasse|\bstr\b ?nr",
    r"hausnummer|\badresse|\bdireccion|\bendereco|indirizzo|\bstraat\b",
    r"huisnummer|\badres\b|ulica",
    r"utca|gatuadress|\badress\b|адрес|улица|地址|住所|주소|العنوان",
)
BORN = matcher(
    r"birth|\bdob\b|geburt|naissance|nacimiento|nascimento|nascita|geboorte|fodelse|рожд|生年|生日",
    r"생년",
)
IDENTITY = matcher(
    r"\bssn\b|social security|passport (?:no|num)|\btax ?(?:id|no)\b|national id",
    r"\bvat ?(?:id|no|num)|steuernummer|personalausweis|\bdni\b|\bcpf\b|codice fiscale|身份证",
    r"身分證|주민",
)
ORDER_NUMBER = matcher(
    r"\bpin\b(?! ?code)|\border ?(?:no|num|number|id|nr)\b|tracking ?(?:no|num|number|id)",
    r"auftragsn|bestelln|kundennummer|numero de commande|numero de pedido|numero (?:d.?)?ordine",
    r"ordernummer|номер заказа|订单号|訂單|注文番号|주문번호",
)
ARRANGING = matcher(
    r"\bsort|\border ?(?:by|dir)?\b|per ?page|page ?size|\bitems?\b ?per",
    r"show ?(?:all|only|per)?\b",
    r"\bdisplay|\bview ?(?:as|mode)?\b|\bstyle ?(?:id)?|\bskin|\btheme|\btemplate",
    r"\blang ?(?:id)?\b|langid|language|\blocale|currency|\bsizing\b|\blimit\b|sprache|langue",
    r"idioma|lingua\b|\btaal\b|sprak\b|jezyk|jazyk|\bdil\b|язык|语言|語言|言語|언어|لغة|wahrung",
    r"devise|moneda|valuta|валют|sortier|trier|ordena|\bpage(?: ?n(?:o|um))?\b|\bpagina\b",
    r"\bseite\b|страниц|ページ|页码|\bjump|\bgo ?to\b|\bmenu|quantity|\bqty|anzahl|\bmenge\b",
    r"quantite|cantidad|quantidade|quantita|aantal|количеств|数量|수량|coupon|voucher|promo",
    r"discount|gutschein|cupon|промокод|remember",
)
"""Of controls: they arrange the page, count goods or name a rebate, and look for nothing."""

DANGER = matcher(
    r"unsubscribe|opt ?out|\bdelete\b|\bremove\b|\bcancel (?:my|your|order",
    r"subscription)|\berase\b",
    r"abmelden|abbestell|loschen|desabonner|desinscri|supprimer|\beliminar|\bborrar\b|cancelar",
    r"disiscri|cancella|\bexcluir\b|afmelden|verwijder|uitschrijven|avregistrera|отписаться",
    r"удалить|退订|取消订阅|删除|刪除|配信停止|削除|해지|삭제",
)
ORDER = matcher(
    r"दान करें|भुगतान|कार्ट|寄付|捐款|기부|결제|支払|付款|加入购物|betala\b|betalen|zaplat",
    r"plates|\bode\b|adauga|do koszyka",
    r"doner|donera|donea|doar\b|\bdona\b|faire un don|wesprzyj|prispet",
    r"adomany|bagis yap|пожертв|δωρεα|πληρωμ|تبرع|ادفع|أضف",
    r"(?<!sort )\border(?:s|ing|ed)?\b(?! ?(?:by|dir|asc|desc))",
    r"in ?store ?pick|pick ?up in store",
    r"check ?out|add ?to ?(?:my )?(?:cart|bag|basket|order|trolley)|\bcart\b",
    r"\bbasket\b|add ?cart",
    r"\bbuy\b|\bpurchase\b|place (?:your |my )?order|order now|\bpay(?:ment)?\b|pay ?now|paypal",
    r"faire un don|je donne|\bdoar\b|\bdonar\b|\bdona(?:re|zione)?\b|doneer|doneren|darowizn|skank",
    r"пожертв|寄付|募金|捐款|捐赠|기부|تبرع|bagis yap",
    r"subscribe now|donat|warenkorb|einkaufswagen|\bkaufen|bestellen|zahlen|zur kasse|spenden",
    r"panier|acheter|commander|paiement|carrito|carro de|\bcomprar|\bcesta\b",
    r"anadir|carrinho|pagar",
    r"carrello|acquista|ordina\b|winkelwagen|bestel\b|\bkoop|varukorg",
    r"\bkop\b|\bkob\b|koszyk|kupuj",
    r"kosik|koupit|kosar|sepet|satin al|корзин|купить|оформить заказ|заказать|оплат|кошик|购物车",
    r"購物車|购买|購買|カート|かご|購入|注文|장바구니|구매|주문|سلة|\bbid\b|place bid|\bebay bid",
)
ACCOUNT = matcher(
    r"autentific|inregistrare|εγγραφ|συνδεσ|लॉगिन|पंजीकरण करें|kayit ol|zaloguj|登録",
    r"\blog ?(?:in|on|out|off)\b|\blogin|log-?in|\bsign ?(?:in|up|on|out)\b|signin|signup",
    r"regist(?:er|r)|create (?:an? |my |your )?(?:new )?account|\bjoin (?:us|now|free)|\bauth\b",
    r"authenticat|\bsso\b",
    r"(?:forgot|lost|reset|recover|remind|retrieve|change).{0,20}(?:passw|user|pin\b)|resetpass",
    r"lostpass|anmeld|einlogg|registrier|konto erstellen|se connecter|connexion|s.?inscrire",
    r"inscription|creer (?:un|mon) compte|iniciar sesion|acceder\b|registrar|inicia sesion",
    r"\bentrar\b|cadastr|accedi\b|registrati|iscriviti|inloggen|aanmelden|logga in|registrera",
    r"log ind|logg inn|kirjaudu|rekister|zaloguj|zarejestruj|prihlas|registrac|bejelentkez",
    r"regisztr|giris\b|uye ol|kaydol|войти|вход\b|регистрац|зарегистр|увійти|登录|登錄|登入|注册",
    r"註冊|ログイン|会員登録|新規登録|로그인|회원가입|تسجيل|دخول|התחבר|הרשמה|เข้าสู่ระบบ|สมัคร",
    r"my ?account|wp-login|openid|oauth",
)
MAILING = matcher(
    r"abonnieren|prenumer|aboneaz|εγγραφη στο|اشترك|सदस्यता|न्यूज़",
    r"(?:^|[^n])subscri|news ?letter|mailing ?list|mail ?list|list-manage|feedburner|infolettre",
    r"abonnier|abonnement|\babonnez|s.?abonner|suscri|boletin|inscreva",
    r"assine|iscri(?:viti|zione)",
    r"nieuwsbrief|abonneer|nyhetsbrev|nyhedsbrev|prenumerer|tilmeld|uutiskirje|tilaa\b|subskryb",
    r"odebirat|hirlevel|feliratkoz|abone ol|bulten|рассылк|подпис|订阅|訂閱|电子报|電子報|購読",
    r"メルマガ|구독|mail ?alert|e-?mail ?me\b|get (?:the )?(?:updates|alerts|news)|notify me",
    r"stay (?:informed|up ?to ?date|in touch)",
)
WRITING = matcher(
    r"mentes|salveaz|kaydet|сохранить|αποθηκ|حفظ|सहेज|保存|저장",
    r"cookies? (?:consent|settings|preferences|policy)|consent",
    r"stemmen|voteaz|ψηφοφ|تصويت|वोट",
    r"索取报价|立即申请|見積|応募|견적|지원하기|enregistrer les|guardar|salva(?:r)?\b|opslaan",
    r"spara\b|zapisz|ulozit|speichern",
    r"jelentkez|cere ofert|aplica\b|teklif al|basvur|запросить|откликн",
    r"ζητηστε|αιτηση|اطلب|قدم الآن|कोटेशन|आवेदन करें",
    r"richiedi|candidat|pedir orc|offerte aanvr|sollicit|begar offert|ansok",
    r"zapytaj|aplikuj|poptat|uchazet|ajanlatk",
    r"request(?:ing)? (?:a |an )?(?:quote|offer)|angebot anford|bewerben",
    r"demander un devis|postuler|pedir presup",
    r"(?:set|change|update|edit) (?:your |my )?(?:location|store|region",
    r"country|settings|profile)",
    r"\bsave\b|save ?(?:location|setting|change|profile|preference)|reminder",
    r"add (?:your )?tags?\b",
    r"contact ?(?:us|form|-form)|send (?:us|to|it|comment)\b",
    r"send (?:a |your )?(?:message|e?-?mail|enquiry|inquiry|request)",
    r"(?:add|leave|post|submit|write) (?:a |an |your |my )?(?:comment|reply",
    r"message|review|rating)",
    r"comment ?form|guest ?book|\breply\b|request (?:a |an |your )?(?:quote|call|demo|info)",
    r"get a quote|free quote|\bapply (?:now|online|here|for)|\brsvp\b|upload|\bvote\b|\bpoll\b",
    r"take (?:the |our )?survey|\brate (?:it|this)|tell a friend",
    r"send to (?:a )?friend|email this",
    r"report (?:abuse|this|a )|\bbook now|make a reservation|kontakt|abstimmen|umfrage",
    r"nous contacter|\bvoter\b|contactar|\bvotar|encuesta|contatt|\bvota\b|sondaggio|\brosta\b",
    r"sign (?:the|this|our)\b|\bredeem\b|\bexecute\b|\brename\b|text message|gaste?buch|gastebuch",
    r"livre d.or|libro de (?:visitas|firmas)|libro degli ospiti|livro de visitas|gastenboek",
    r"gastbok|gjestebok|gaestebog|vieraskirja|ksiega gosci|kniha navstev|vendegkonyv|гостев",
    r"\beintragen\b|\binschrijven\b|zapisz sie|wait ?(?:ing )?list|\bsign(?:er|ez)\b|\bfirmar\b",
    r"petition|kommentar (?:abgeben|schreiben|senden)|kommentieren|\bcommenter\b|\bcomentar\b",
    r"glosuj|hlasovat|szavaz|\boy ver|связаться|голосовать|опрос|提交评论|发表|投票|投稿|투표",
)
COMPUTING = matcher(
    r"umrechn|convert|omreken|bereken|omvandla|przelicz|prevest|atvalt",
    r"donustur|конверт|μετατροπ|υπολογ|احسب|تحويل|गणना|换算|換算|변환",
    r"calculat|\bconvert(?:er)?\b|\bconversion|translat|berechn|rechner\b|umrechn|\bcalcul",
    r"convertir|traduire|traducir|calcola|traduci|bereken|vertaal|berakna|laske\b|oblicz|spocit",
    r"szamit|hesapla|рассчит|перевод|计算|計算|翻译|翻譯|翻訳|계산|번역",
)
SENDING = matcher(
    r"trimite|αποστολ|भेजें",
    r"\bsend\b|\babsenden\b|\bsenden\b|abschicken|envoyer|\benviar\b",
    r"\binvia\b|verstuur|versturen",
    r"verzenden|skicka|laheta|wyslij|odeslat|kuldes|gonder\b|отправить|надіслати|发送|發送|送信",
    r"보내기|إرسال|שלח|ส่ง",
)
"""On buttons: it sends a message, unless the form says that it searches."""
DOING = matcher(
    r"\bexecut|\brun\b|\bping\b|\breboot|\brestart|book (?:a|it|this|my|your|online|room|table)\b",
    r"\breserve\b|e-?mail (?:this|it)|\bredirect\b|\btransfer\b|\binvite\b|\brename\b|\bwipe\b",
    r"\bbuchen\b|reservieren|ausfuhren|\breserver\b|executer|\breservar\b|ejecutar|executar",
    r"\bprenota\b|esegui\b|\breserveren\b|\bboeken\b|uitvoeren|rezerwuj|wykonaj|rezervovat|spustit",
    r"\bboka\b|\bbestill\b|\bvaraa\b|foglal|rezervasyon yap|calistir|забронир|выполнить|実行",
    r"予約する|预订|預訂|执行|執行|예약하기|등록하기|신청하기|실행|احجز|تنفيذ",
)
"""On buttons: it books, runs or passes something on, unless the form says that it searches."""
CLEARING = matcher(
    r"\bclear|\breset|\bcancel|\bclose\b|\bback\b|zurucksetz|abbrechen|effacer|annuler|\bborrar",
    r"limpiar|limpar|cancelar|cancella|annulla|wissen\b|rensa|\btom\b|tyhjenna|wyczysc|vymazat",
    r"temizle|очист|сбросить|清空|清除|重置|クリア|リセット|초기화|مسح|נקה",
)
