"""Words by which a control tells what it asks for, in the languages forms were met in.

Written by hand, as pieces of words (`WordStems`), matched without case and accents. What is
written in two words is found as one: `zip code` is `zipcode`.
"""

# ruff: noqa: RUF001, E501 - words in many scripts, wide letters count twice
import re
from collections.abc import Mapping
from typing import NamedTuple

from leadline.core.text import fold

_HEAD = 2
"""Letters by which pieces are looked up; the shortest have as many."""
_KNOWN_WORDS = 50_000
"""Words whose senses are cached."""
_MAX_WORD_CHARS = 60
split_words = re.compile(r"(?:[^\W\d_]|[\u0900-\u0dff\u0e31-\u0e4e])+").findall
"""Letters that stand together; with the vowel signs of India and Thailand, which `\\w` leaves out."""


class _Stem(NamedTuple):
    letters: str
    bit: int
    is_beginning: bool
    is_end: bool


class WordStems(dict[str, int]):
    """One bit for each of the named things a word speaks of; `stems[word]` never fails.

    Pieces are written with blanks between them: `^zip` begins a word, `name$` ends one, `^city$` is
    a whole word, `stadt` stands anywhere. Results are cached in the dict itself, which is emptied
    when it is full.
    """

    def __init__(self, pieces: Mapping[str, str]) -> None:
        super().__init__()
        self.names = tuple(pieces)
        self._by_head: dict[str, list[_Stem]] = {}
        # Of one letter: whole words of Chinese, Japanese and Korean.
        self._letters: dict[str, int] = {}
        for number, marked in enumerate(pieces.values()):
            for piece in marked.split():
                letters = fold(piece.strip("^$"))
                stem = _Stem(letters, 1 << number, piece[0] == "^", piece[-1] == "$")
                if len(letters) == 1:
                    self._letters[letters] = self._letters.get(letters, 0) | stem.bit
                self._by_head.setdefault(letters[:_HEAD], []).append(stem)

    def __missing__(self, word: str) -> int:
        if len(self) >= _KNOWN_WORDS:
            self.clear()
        bits = self._match(word[:_MAX_WORD_CHARS]) | self._letters.get(word, 0)
        # What is longer is no word of a person, and will not come again.
        if len(word) <= _MAX_WORD_CHARS:
            self[word] = bits
        return bits

    def across(self, first: str, second: str) -> int:
        """What two words speak of together, as if written in one: `zip code`, `check in`."""
        return self._match(first + second, len(first)) if first and second else 0

    def read(self, text: str, kept: int = 0) -> int:
        """The senses of all words of a folded text. Two words that say something together (`check
        in`) say nothing alone; the bits of `kept` still count then."""
        words = split_words(text)
        alone = [self[word] for word in words]
        found = 0
        for place in range(len(words) - 1):
            first, second = words[place : place + 2]
            # A lone letter is no word that makes one with another.
            together = self.across(first, second) if len(first) > 1 < len(second) else 0
            found |= together
            if together & ~kept:
                alone[place] &= kept
                alone[place + 1] &= kept
        for bits in alone:
            found |= bits
        return found

    def _match(self, word: str, seam: int = 0) -> int:
        """The bits of all pieces in a word; if it has a seam, of those that reach over it."""
        bits = 0
        for at in range(min(len(word) - _HEAD + 1, seam or len(word))):
            for stem in self._by_head.get(word[at : at + _HEAD], ()):
                end = at + len(stem.letters)
                fits = word.startswith(stem.letters, at) and not (stem.is_beginning and at)
                if fits and end > seam and not (stem.is_end and end < len(word)):
                    bits |= stem.bit
        return bits


ROLE_WORDS = WordStems(
    {
        "sort": """
            ^sort ^order$ ^orderby ^orderdir ^ordering ^ascend ^descend ^ranking$ ^sortier
            ^reihenfolge ^tri$ ^trier ^trierpar ^classer ^ordenar ^orden$ ^ordina ^sorteer
            ^lajittel ^řazen ^seřadit ^zoradi ^rendez ^sirala сортиров упоряд 排序 並び替 並べ
            정렬 ترتيب מיון""",
        "page size": """
            perpage pagesize ^sizing$ resultsper itemsper hitsper numresults ^rows$ ^limit$
            ^proseite parpage porpágina perpagina ^persida ^nastron ^nastránk oldalank настраниц
            ^show$ ^display$ ^anzeigen$ ^afficher$ ^mostrar$ 每页 每頁 表示件数 件表示""",
        "language": """
            ^lang$ ^langs$ ^language ^langid ^locale$ ^sprache ^langue ^idioma ^lingua$ ^taal$
            ^språk ^sprog$ ^kieli$ ^język ^jazyk ^nyelv ^limba$ ^dil$ ^dili$ язык ^мова$ ^език
            γλώσσα 语言 語言 言語 언어 اللغة שפה ^bahasa
            भाषा ภาษา ^ngônngữ""",
        "number:distance": """
            ^radius ^distance ^dist$ ^within ^miles ^mile$ ^km$ ^umkreis ^entfernung ^rayon$
            ^distancia ^avstånd ^afstand ^odległość""",
        "place:zip": """
            ^zip$ zipcode ^zips$ postcode postalcode ^postal$ ^pincode ^plz$ postleitzahl
            codepostal códigopostal ^cp$ ^codpostal codicepostale ^cep$ postnummer ^postnr
            postinumero kodpocztowy pocztow ^psč$ irányítószám postakodu индекс 邮编 郵便番号
            郵遞 우편번호 מיקוד
            ^codpoștal ταχυδρομικ ^τκ$ الرمزالبريدي رمزبريدي ^पिनकोड पिनकोड ^kodepos 우편""",
        "date": """
            ^date$ ^dates$ date$ datum ^fecha ^datade ^datadi ^dataod ^datado ^datawy päivämäärä
            ^termin$ ^tarih дата 日期 日付 날짜 تاريخ ^when$ ^wann$ ^quand$ ^cuándo ^posted
            ^published ^updated ^since$ ^deadline ^movein ^availablefrom ^filed$ ^modified
            ^startdate ^enddate ^calendar ^checkin ^checkout ^chkin ^chkout 入住 退房
            チェックイン チェックアウト 체크인 체크아웃 заезд выезд
            ^data$ ^dátum ^datapubl ημερομηνία दिनांक तारीख ^tanggal ^ngày$""",
        "place:country": """
            ^country ^countries ^nation$ ^nations$ ^nationality ^land$ ^länder$ ^pays$ ^país$
            ^países$ ^paese$ ^nazion ^kraj$ ^krajina ^země$ ^ország ^țara$ ^ülke ^maa$ ^страна
            ^страны ^країна ^държав ^χώρα 国家 國家 국가 البلد الدولة ^negara
            ^țară ^ţară देश ^国$ ^국가""",
        "place:airport": """
            ^airport flughafen ^aéroport ^aeropuerto ^aeroporto ^luchthaven ^lotnisk аэропорт
            空港 机场 공항""",
        "place:city": """
            ^city city$ ^cities ^town$ ^towns$ ^suburb ^municipal ^stadt ^ort$ wohnort ^ville$
            ^villes$ ^commune$ ^ciudad ^localidad ^población ^poblacion ^cidade ^città ^comune$
            ^plaats ^woonplaats ^stad$ ^postort ^kaupunki ^paikkakunta ^miasto ^miejscowo ^město
            ^mesto$ ^obec$ ^város ^oraș ^şehir ^grad$ город місто πόλη 城市 市区町村 도시
            المدينة ^kota$
            शहर ^thànhphố ^miejscowość""",
        "place:region": """
            ^state$ ^states$ ^province ^provincia ^provincie ^county$ ^counties ^region
            ^district ^prefecture ^pref$ ^territor ^neighbo ^borough bundesland ^kanton
            ^département ^departement ^comunidad ^regione ^zona$ ^zone$ ^gegend ^fylke ^kommune
            ^maakunta ^wojewódz ^powiat ^okres$ ^megye ^județ ^ilçe ^região област регион ^район
            ^край$ 都道府県 省份 地区 地區 지역 المنطقة ^area$ areaname ^wohngegend
            ^quartier ^quartiere ^barrio ^bairro ^wijk$ ^stadtteil ^bezirk ^stadsdel ^dzielnic
            ^čtvrť ^kerület ^cartier ^semt$ ^mahalle ^περιοχ ^νομός الحي$ जिला राज्य 地域 区域 행정구역
            ^okręg ^dystrykt""",
        "place:street": """
            ^rue$ ^street ^streetaddress ^address ^addr$ ^addr1 ^addr2 ^houseno ^apartment$
            ^apt$ ^straße ^strasse hausnummer ^anschrift ^adresse ^dirección ^calle$ ^endereço
            ^indirizzo ^straat huisnummer ^adres$ ^ulica ^utca ^gatuadress ^adress$ ^osoite
            адрес улица 地址 住所 주소
            ^ulice$ ^strad ^sokak ^cadde ^οδός$ διεύθυνσ الشارع सड़क पता$ 街道 상세주소""",
        "place": """
            ^location ^place$ ^places$ ^where$ ^near$ ^nearby ^nearest ^destination ^dest$
            ^origin$ ^pickup ^dropoff ^leavingfrom ^goingto ^departingfrom ^station$ ^stop$
            ^fromcity ^tocity ^depcity ^arrcity ^venue ^cemeter ^parish ^via$ ^stopover
            ^waypoint ^latitude ^longitude ^lat$ ^lng$ ^wo$ ^standort ^umgebung ^nähe$
            reiseziel zielort abflugort ^startort ^bahnhof ^lieu$ ^localisation ^dónde ^donde$
            ^ubicación ^lugar ^origen$ ^destino ^onde$ ^local$ ^dove$ ^luogo ^destinazion ^waar$
            ^locatie ^bestemming ^plats$ ^sted$ ^sijainti ^lokaliz ^gdzie$ ^lokalit ^hely$
            ^konum место откуда куда 场所 場所 地点 出发地 出発地 目的地 الموقع
            ^miejsce ^místo ^loc$ ^locul$ ^yer$ ^yeri$ ^kalkış ^varış ^wylot ^celpodróży ^odlet
            ^cílcesty ^indulás ^úticél ^plecare ^destinaț ^vertrek$ ^avgång ^ankomst ^partida$
            ^τόπος τοποθεσ ^αναχώρησ ^προορισμ المكان المغادرة الوجهة स्थान प्रस्थान गंतव्य 장소
            출발지 목적지 위치 ^fundort ^findspot ^lieudedécouverte ^habitat$ ^biotop ^lebensraum
            ^leefgebied ^livsmiljö ^siedlisk ^stanoviště ^élőhely ^βιότοπος الموطن 栖息地 生息地 서식지""",
        "phone": "^areacode ^dialcode ^vorwahl ^indicatif ^prefijo",
        "person:given": """
            ^firstname ^fname$ ^givenname ^forename ^given$ vorname ^prénom ^nombredepila
            voornaam förnamn fornavn etunimi ^imię ^jméno ^meno$ keresztnév ^имя$ 名字 이름
            ^dibattesimo ^battesimo ^primeironome ^depila ^prenume ^isim$ ^όνομα$ الاسمالأول
            الاسمالاول पहलानाम प्रथमनाम ^名$ 이름""",
        "person:family": """
            ^lastname ^lname$ surname ^familyname nachname familienname defamille ^apellido
            sobrenome ^cognome achternaam efternamn etternavn efternavn sukunimi nazwisko
            příjmen priezvisk vezetéknév ^soyad фамили 姓名 氏名 성명
            ^defamilie ^nazwisko ^soyisim ^επώνυμ اسمالعائلة اللقب उपनाम कुलनाम 姓氏 ^姓$ ^성$
            ^прізвищ""",
        "person": """
            ^author ^auth$ ^writer ^actor ^actress ^cast$ ^director ^artist ^performer ^singer
            ^composer writer$ ^directedby ^writtenby ^starring ^who$ ^personalname ^inventor
            ^investigator ^judge ^attorney ^lawyer ^doctor$ ^doctors ^physician ^agent$ ^people$
            ^person$ ^player ^athlete ^owner ^trustee ^maintainer ^collector ^creator ^teacher
            ^chef$ ^spouse ^editor$ ^translator ^narrator ^illustrator ^middlename ^secondname
            ^maidenname ^realname ^fullname ^yourname ^contactname ^contactperson ^postedby
            ^bandname ^band$ ^ihrname ^votrenom ^sunombre ^besetzung ^eigentümer ^propriét
            ^propietario ^compositeur ^compositor ^autor ^schriftsteller ^verfasser ^schauspiel
            ^regie ^künstler ^komponist ^auteur ^acteur ^réalisat ^artiste ^interprète ^escritor
            ^artista ^attore ^regista ^kunstenaar ^forfatt ^författ ^skådespel ^tekijä ^aktor
            ^reżyser ^szerző ^yazar ^oyuncu ^yönetmen автор актер актёр режисс исполнител ^фио$
            ^fio$ отчество представьтесь 作者 著者 导演 演员 監督 出演 저자 작가 감독 المؤلف
            מחבר
            ^richter$ ^juge$ ^juez$ ^giudice ^juiz$ ^rechter$ ^domare$ ^sędzia ^soudce ^bíró$
            ^judecător ^hakim$ ^судья ^суддя δικαστής القاضي न्यायाधीश 法官 裁判官 ^판사 ^erfinder
            ^inventeur ^inventore ^inventator ^uitvinder ^uppfinnare ^wynalazc ^vynález ^feltalál ^mucit
            ^изобретател εφευρέτ المخترع आविष्कारक 发明人 發明人 発明者 발명 ^applicant ^anmelder$
            ^demandeur ^solicitant ^richiedente ^requerente ^aanvrager ^sökande$ ^zgłaszając
            ^přihlašovatel ^bejelentő ^başvuran ^заявител ^αιτών مقدمالطلب आवेदक 申请人 申請人 出願人 출원인
            ^konstnär ^kunstner ^artyst ^umělec ^művész ^sanatçı ^художник καλλιτέχν الفنان
            कलाकार 艺术家 藝術家 作家 画家 예술가 ^συγγραφ लेखक ^yourname ^tuonome ^seunome ^uwnaam
            ^dittnamn ^vašejméno ^numeledvs ^adınız τοόνομάσας اسمك आपकानाम お名前 성함 ^twojeimię
            ^nachgelassener ^künstlerin ^bearer ^testator ^defendant ^plaintiff ^kläger
            ^beklagte ^avocat ^rechtsanwalt ^abogado ^avvocato ^адвокат""",
        "year": """
            ^year year$ ^years$ ^yr$ ^yyyy$ ^fy$ ^season$ ^decade ^jahr$ ^jahre$ baujahr
            erstzulassung jahrgang ^année ^año$ ^años$ ^ano$ ^anno$ ^jaar$ bouwjaar ^årsmodell
            ^årgang ^vuosi ^rok$ ^rocznik ^évjárat ^yil$ ^год$ ^года$ ^рік$ 年份 年式 年度 연식
            년도 السنة
            ^år$ ^årtal ^év$ ^éve$ ^an$ ^anul$ ^yıl$ ^έτος$ ^χρονι वर्ष ^साल ^年$ 연도 ^tahun$
            ^năm$""",
        "price": """
            price ^pricing ^cost$ ^costs$ ^budget ^fee$ ^fees$ ^fare$ ^fares$ ^rent$ ^salary
            ^salaries ^wage ^income$ ^msrp$ ^tuition ^prc$ ^pay$ ^rate$ ^rates$ ^amount
            ^nightlyrate ^dailyrate preis ^miete$ ^gehalt ^lohn$ ^kosten ^betrag ^prix ^loyer
            ^salaire ^tarif ^montant ^precio ^salario ^sueldo ^presupuesto ^importe$ ^preço
            ^prezzo ^stipendio ^prijs prijs$ ^huurprijs ^salaris ^pris$ pris$ ^hyra$ ^hinta
            ^vuokra ^palkka ^cena ^ceny$ wynagrodz ^mzda ^ár$ ^preț ^fiyat ^maaş ^цен стоимост
            зарплат ^ціна 价格 價格 価格 金額 가격 السعر מחיר ^harga ^usd$ ^eur$ ^gbp$
            ^lön$ ^fizetés ^mzda ^salariu ^plat$ ^τιμή$ μισθός الراتب कीमत मूल्य वेतन 薪资 薪資 薪水
            給与 年収 급여 연봉 ^importo ^bedrag$ ^belopp ^kwota ^částka ^összeg ^sumă ^suma$ ^tutar$
            ^сумма ^ποσό المبلغ राशि 金额 금액 ^valor$ ^giá$""",
        "code": """
            ^isbn ^issn ^ean$ ^upc$ ^sku$ ^vin$ ^doi$ ^pmid$ ^asin$ ^mpn$ ^oem$ barcode ^pn$
            partno partnum ^itemno itemnum modelno ^productno stockno stocknum ^lotno ^caseno
            casenum docket parcelid ^parcelno callno callnum serialno serialnum flightno
            flightnum ^orderno ^ordernum ^orderid accession ^articleno ^artno ^artnr catno
            ^catalogno catalogue$ ^regno registrationno registrationnum permitno ^billno
            ^reference$ ^refno ^refnum ^ref$ ^jobid ^reqid propertyid ^listingid ^plateno
            ^shelfmark ^version ^identifier modelnumber productnumber productcode itemcode
            articlecode artikelnummer bestellnummer teilenummer signatur$ kennzeichen ^référence
            ^cote$ ^referencia ^codice ^riferimento artikelnr артикул 型号 ^taxid ^vatid ^vatno
            ^nip$ ^ssn$ ^coupon voucher promocode giftcard gutschein ^cupón ^invitation ^invite
            ^registernum ^registernr ^aktenzeichen ^geschäftszeichen ^numérodimmat ^numérod’
            ^numérodaffaire ^siren$ ^siret$ ^numerodicausa ^númerodecaso ^numerodecaso
            ^númerodoproc ^numerodoproc ^processo$ ^zaaknummer ^dossiernummer ^organisationsnum
            ^målnummer ^sygnatur ^numerrejestr ^krs$ ^regon$ ^spisováznačka ^ičo$ ^identifikační
            ^ügyszám ^cégjegyzék ^adószám ^numărdosar ^deînreg ^înregistrare ^cui$ ^sicil ^dosyanum
            ^esasno ^номердела ^регистрационныйномер ^инн$ ^огрн ^αριθμόςμητρ ^αριθμόςυπόθ ^αφμ$
            رقمالسجل رقمالقضية पंजीकरणसंख्या मामलासंख्या 注册号 註冊號 案号 案號 登録番号 事件番号 등록번호 사건번호 사업자
            ^casenumber ^casenr ^patentn ^patentnum ^applicationn ^inventar ^inventory ^invno
            ^inv$ ^registrationnumber ^registernumber ^companynumber ^ecli$ ^celex$ ^cas$
            ^cadastr""",
        "number": """
            ^quantit ^qty$ ^qte$ ^howmany numberof ^noof ^count$ ^adult ^adlt ^child$ ^children
            ^childs ^chld ^kids$ ^infant ^guest ^persons$ ^passenger ^pax$ ^traveler ^traveller
            ^room$ ^rooms ^bed$ ^beds$ ^bedroom ^bath$ ^baths$ ^bathroom ^night$ ^nights ^stay$
            ^mileage ^kml$ ^kmh$ ^kilomet ^odometer ^floorarea ^sqft ^sqm$ ^squarefeet
            ^squaremet ^acre ^lotsize ^age$ ^agerange ^weight ^height ^length$ ^width ^runtime
            ^duration ^minute ^volume$ ^elevation ^altitude ^serving ^portion ^score$ ^stars$
            ^vote$ ^votes$ ^enrollment ^occupancy ^anzahl ^menge$ ^erwachsene ^kinder$ personen
            ^zimmer ^schlafzimmer ^nächte laufleistung kilometerstand fläche ^fläche ^alter$
            ^dauer$ ^quantité ^adulte ^enfant ^personnes ^chambre ^pièces ^nuits ^surface
            ^kilométrage ^durée ^cantidad ^niños ^personas ^habitacion ^dormitorio ^baños
            ^noches ^superficie ^volumen ^edad$ ^quantidade ^crianças ^pessoas ^quartos
            ^quantità ^bambini ^camere ^locali$ ^aantal ^volwassen ^kinderen ^kamers ^antal
            ^rum$ ^varelser ^voksne ^boyta ^lukumäärä ^huone ^ilość ^pokoi ^powierzchni
            ^przebieg ^počet ^szoba ^adet$ количеств комнат площад пробег взросл ^детей 数量
            人数 面積 面积 수량 인원
            ^pokoje ^pokój ^izby$ ^plocha ^výměra ^alapterület ^suprafaț ^oda$ ^odasay
            ^metrekare ^m2$ ^woonoppervl ^oppervlakte ^livingarea ^δωμάτι εμβαδ المساحة الغرف
            कमरे क्षेत्रफल 房间 房間 部屋 间数 間取り  ^방$ 면적 방개수 ^množství ^mennyiség ^cantitate ^ποσότ
            الكمية मात्रा ^área$ ^habitantes ^populat ^einwohner""",
        "date:birth": """
            birth ^dob$ ^born$ geburt naissance nacimiento nascimento nascita geboorte födelse
            fødsels syntymä ^urodz ^narozen ^szület рожд 生年 生日 생년
            ^anulnaș ^naster ^nașter ^doğum γέννησ الميلاد ^जन्म 出生 생년 출생""",
        "date:travel": """
            ^arrival ^arrive ^departure ^departing ^depart$ ^return$ ^returning ^anreise
            ^abreise hinflug rückflug ^ankunft ^abfahrt ^hinfahrt ^rückfahrt ^arrivée ^départ$
            ^retour$ ^llegada ^salida ^vuelta$ ^regreso ^ida$ ^arrivo ^partenza ^ritorno
            ^outbound$ ^inbound$ вылет обратно 返回""",
        "organisation": """
            ^company ^companies ^corporat ^organisation ^organization ^org$ ^employer ^agency
            ^institut ^universit ^publisher ^studio$ ^distributor ^recordlabel ^assignee
            ^imprint ^revista ^zeitschrift ^revue ^journal ^newspaper ^businessname ^coname$
            ^compname ^firma$ ^firmy$ ^firmen unternehmen arbeitgeber ^verlag ^société
            ^entreprise ^employeur ^éditeur ^editorial ^empresa ^compañía ^editora$ ^azienda
            ^società ^ditta$ ^editore ^bedrijf ^uitgever ^företag ^förlag ^forlag ^yritys
            ^kustantaja wydawnictw ^pracodawc ^společnost nakladatel ^cégnév ^şirket ^yayinevi
            компани организац издательств 公司 会社 出版社 회사 출판사 الشركة חברה
            ^court$ ^courtname ^gericht ^tribunal ^rechtbank ^domstol ^sąd$ ^soud$ ^bíróság
            ^instanț ^mahkeme ^суд$ ^δικαστήρ المحكمة न्यायालय अदालत 法院 裁判所 법원 ^kiadó ^editura$
            ^εκδότ ^εκδόσ الناشر प्रकाशक ^empleador ^empregador ^datoredi ^dilavoro ^werkgever
            ^arbetsgivare ^arbejdsgiver ^zaměstnavatel ^munkáltató ^angajator ^işveren ^işyeri
            ^работодател ^εργοδότ صاحبالعمل नियोक्ता 雇主 雇用主 고용주 ^companie ^εταιρ कंपनी
            ^institution ^museum$ ^sammlung$ ^archive$ ^hospital ^school$ ^schule ^école$
            ^escuela ^ministry ^authority ^behörde""",
        "link": """
            ^url$ ^urls$ url$ website homepage webseite ^siteweb ^sitioweb ^сайт 网址 ^uri$
            ^youtube ^facebook ^twitter""",
        "date:month": """
            ^month ^mm$ ^monat ^mois$ ^mes$ ^mese$ ^maand$ ^månad ^måned ^kuukausi ^miesiąc
            ^měsíc ^mesiac ^hónap ^luna$ ^ay$ месяц місяць""",
        "date:day": """
            ^day$ ^days$ ^dd$ ^jour$ ^día$ ^dia$ ^giorno ^dag$ ^päivä$ ^dzień ^den$ ^ziua$ ^gün$
            ^день$""",
        "date:time": """
            ^time$ ^hour uhrzeit ^heure ^hora$ ^horas$ ^ora$ ^tijd$ klockan ^godzina время 时间
            時間 시간""",
        "title:subject": """
            ^subject ^topic ^betreff ^sujet ^objet$ ^asunto ^assunto ^oggetto ^onderwerp ^ämne$
            ^emne$ ^aihe$ ^temat ^předmět ^predmet ^tárgy ^subiect ^konu$ ^тема$ ^темы$ 主题
            主題 件名
            ^thema$ ^themen$ ^tema$ ^argomento ^téma$ ^θέμα الموضوع विषय 주제 ^dersi""",
        "title": """
            ^title title$ ^titles ^titre ^titel ^título ^titolo ^tytuł ^název ^názov ^cím$
            ^titlu ^başlik ^otsikko назван заголов 题名 題名 标题 標題 タイトル 書名 제목 כותרת
            ^song$ ^songs ^track$ ^album ^movie ^film$ ^films$ ^book$ ^books$ ^product$ ^item$
            ^productname ^hotel$ ^hotelname ^recipe ^dish$ ^species ^drug$ ^package$ ^model$
            ^models$ ^position$ ^occupation ^headline ^listing$ ^vehicle$ ^partname ^job$
            ^jobtitle ^event$ ^events$ ^team$ ^program$ ^modell$ ^modèle ^modelo ^modello
            ^produit ^producto ^prodotto ^produkt ^tuote фильм книг товар 产品 商品 상품
            ^τίτλος العنوان عنوانالكتاب शीर्षक 书名 書名 ^naslov ^модель ^μοντέλο الموديل मॉडल 車種 모델
            ^jobtitle ^berufsbez ^beruf$ ^poste$ ^puesto ^mansione ^cargo$ ^functie ^yrke$
            ^stanowisko ^pozice ^munkakör ^post$ ^pozisyon ^meslek ^должност ^професси θέσηεργασ
            المسمىالوظيفي ^पद$ 职位 職位 職種 직위 직무 ^espèce ^especie ^espécie ^specie$ ^soort$
            ^artname ^gatunek ^druh$ ^faj$ ^είδος$ प्रजाति 物种 物種 種名 학명 ^종$ ^scientificname
            ^nomscientifique ^tür$ ^taxon ^indicator ^indikator ^indicateur ^indicador
            ^indicatore ^wskaźnik ^ukazatel ^mutató ^gösterge ^показател ^δείκτ المؤشر सूचक 指标
            指標 지표 ^objectname ^objektbez""",
        "category": """
            ^categor ^cat$ ^cats$ ^catid ^kategor ^kat$ ^type ^types$ type$ ^typ$ ^tipo ^genre
            ^kind$ ^section ^department ^dept ^brand ^make$ ^makes$ ^manufactur ^manf$ ^mfr$
            ^marke$ ^hersteller ^marque ^marca ^merk$ ^merkki ^marka ^značk ^color ^colour
            ^farbe ^couleur ^size$ ^sizes$ ^größe ^taille ^talla ^format ^style ^class$ ^status$
            ^condition ^industry ^sector ^gender ^sex$ ^fuel ^transmission ^rating ^rubri
            категори ^раздел ^рубрик ^тип$ ^вид$ жанр марка 类别 類別 分类 分類 カテゴリ
            카테고리 분류 تصنيف ^zustand ^état$
            ^material ^materiał ^matéri ^matériau ^anyag$ ^malzeme ^материал ^υλικό المادة
            सामग्री 材质 材質 재료 재질 ^period$ ^periode$ ^epoche$ ^époque ^época ^epoca$ ^okres$
            ^období ^korszak ^perioad ^dönem ^период ^περίοδο الفترة ^काल$ 时期 時代 시대 ^kraftstoff
            ^treibstoff ^carburant ^combust ^brandstof ^bränsle ^drivmedel ^paliwo ^palivo
            ^üzemanyag ^yakıt ^топлив ^καύσιμ الوقود ईंधन 燃料 연료 ^family$ ^familie$ ^famille$
            ^familia$ ^famiglia ^família ^familj$ ^rodzina ^čeleď ^család ^familya ^семейств
            ^οικογένει الفصيلة ^कुल$ 科名 ^科$ ^과$ ^genus$ ^gattung ^μάρκα الماركة ब्रांड 品牌 メーカー
            브랜드 النوع الفئة श्रेणी κατηγορ 车型 技术 ^color$ ^barva$ ^barwa ^kolor$ ^renk$ ^цвет
            ^χρώμα اللون ^रंग$ 颜色 ^色$ 색상 ^colore$ ^cor$ ^färg$ ^kleur ^szín$ ^culoare ^talla$
            ^taglia ^tamanho ^maat$ ^storlek ^rozmiar ^velikost ^méret ^mărime ^beden$ ^размер
            ^μέγεθος المقاس ^आकार 尺寸 サイズ 사이즈 ^tamaño ^nutrition ^diet$ ^cuisine ^küche$
            ^technique ^technik ^technologie ^occasion$ ^bodytype ^karosserie ^getriebe""",
        "scope": """
            searchin searchby ^searchtype searchfield ^suchenin ^suchart rechercherdans
            chercherpar buscaren buscarpor ^index$ ^fields$ ^lookin titleonly""",
        "text": """
            ^keyword ^descr ^abstract ^fulltext ^freetext ^word$ ^words$ ^plot$ ^synopsis
            ^lyrics ^summary ^resumen ^résumé$ ^zusammenfass ^ingredient ^skills ^contain ^text$
            ^texts$ ^term$ ^terms$ ^phrase ^expression ^tag$ ^tags$ ^keys$ ^stichwort
            ^stichwörter ^freitext ^volltext ^schlagw ^suchbegriff ^suchwort ^beschreib ^texte$
            ^texto$ ^motclé ^motsclé ^palabra ^descripción ^descrição ^descrizione ^omschrijv
            ^beskriv ^popis$ ^opis$ описан текст ^слово ^слова 内容 全文 キーワード 关键 關鍵
            키워드
            ^zutat ^ingrédient ^ingrediënt ^ingrediens ^składnik ^hozzávaló ^ингредиент
            ^συστατικ المكون 食材 材料 ^anahtar ^سلمات ^kulcssz ^klíčov ^kľúčov ^słow ^λέξη الكلمات
            ^कीवर्ड""",
        "id": """
            ^code$ ^codes$ ^id$ ^number$ ^no$ ^num$ ^nr$ nummer$ ^numéro ^numero$ ^número
            ^código ^numer$ ^číslo ^код$ номер 编号 番号 번호""",
        "name": """
            ^name$ name$ ^names$ ^nom$ ^nombre$ ^nome$ ^naam$ ^namn$ ^navn$ ^nimi$ ^nazwa$ ^név$
            ^nume$ ^isim$ ^adi$ имя ім'я όνομα 名前 名称 الاسم
            ^neve$ ^numele$ नाम$ 名称$ ^ім""",
        "nothing": "placeholder fulltime parttime landuse",
        "from": """
            ^from ^min$ ^minimum ^mini$ ^low$ ^lo$ ^lower$ ^lowest ^begin$ ^beginning$ ^since$
            ^after$ ^atleast ^earliest from$ ^minprice ^minsal ^minbed ^minbath ^minyear
            ^minarea ^minage ^minrent ^minrate ^minsize ^minamount pricemin yearmin ^von$ ^ab$
            ^mindest ^depuis$ ^partir$ ^desde$ ^dal$ ^vanaf$ ^från$ ^fra$ ^od$ ^от$ ^від$""",
        "to": """
            ^to$ ^max$ ^maximum ^maxi$ ^high$ ^hi$ ^upper$ ^highest ^until$ ^till$ ^before$
            ^upto$ ^latest$ ^maxprice ^maxsal ^maxbed ^maxbath ^maxyear ^maxarea ^maxage
            ^maxrent ^maxrate ^maxsize ^maxamount pricemax yearmax priceto yearto dateto ^bis$
            ^höchst ^jusqu ^hasta$ ^tot$ ^til$ ^до$""",
        "first": """
            ^between$ ^zwischen$ ^entre$ ^start ^checkin ^chkin ^depart$ ^departure ^departing
            ^outbound ^anreise ^hinflug ^hinfahrt ^ida$ ^origin ^pickup""",
        "last": """
            ^end$ ^ending$ ^enddate ^checkout ^chkout ^return ^inbound ^abreise ^rückflug
            ^rückfahrt ^retour$ ^vuelta$ ^regreso ^ritorno ^destination ^destino ^reiseziel
            ^dropoff""",
    }
)
"""Senses, with a part after a colon. A text that speaks of several has the first: `sort by price`
is no price. `from` and `to` are ends of ranges and stand beside a sense; so do `first` and `last`,
which give way to them: `return date from` is the earlier one. What `text`, `scope`, `id` and `name`
mean depends on the form; words of `nothing` would mislead and are dropped."""
