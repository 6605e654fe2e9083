"""Words of generated forms: what databases ask for, and what other forms do, in twenty languages.

Written by hand for `generated_forms`, one line for a language in the order of CONCEPTS; `_` stands
for a blank inside a word group. The judges are trained on forms made of them, and a test holds the
field roles to them.
"""

# ruff: noqa: RUF001, E501 - words in many scripts, wide letters count twice

RECORD_CONCEPTS = (
    "title author publisher year subject isbn last_name first_name birth_year place company "
    "register_number city zip court case_number judge date make model price fuel rooms area "
    "district job employer salary departure destination artist material period species family "
    "habitat inventor applicant indicator country ingredient category"
).split()
ACT_CONCEPTS = (
    "username password login email your_name message send phone subscribe newsletter amount donate "
    "accept_cookies save language currency vote calculate convert quantity add_to_cart colour size "
    "request_quote your_location apply register address pay card_number agree go show ok"
).split()

_RECORDS = {
    "en": "Title Author Publisher Year Subject ISBN Surname First_name Year_of_birth Place Company"
    " Registration_number City ZIP_code Court Case_number Judge Date Make Model Price Fuel Rooms"
    " Living_area District Job_title Employer Salary Departure Destination Artist Material Period"
    " Species Family Habitat Inventor Applicant Indicator Country Ingredient Category",
    "de": "Titel Autor Verlag Jahr Thema ISBN Nachname Vorname Geburtsjahr Ort Firma"
    " Registernummer Stadt Postleitzahl Gericht Aktenzeichen Richter Datum Marke Modell Preis"
    " Kraftstoff Zimmer Wohnfläche Stadtteil Berufsbezeichnung Arbeitgeber Gehalt Abflugort"
    " Reiseziel Künstler Material Epoche Art Familie Lebensraum Erfinder Anmelder Indikator Land"
    " Zutat Kategorie",
    "fr": "Titre Auteur Éditeur Année Sujet ISBN Nom_de_famille Prénom Année_de_naissance Lieu"
    " Entreprise Numéro_d'immatriculation Ville Code_postal Tribunal Numéro_d'affaire Juge Date"
    " Marque Modèle Prix Carburant Pièces Surface Quartier Poste Employeur Salaire Départ"
    " Destination Artiste Matériau Époque Espèce Famille Habitat Inventeur Demandeur Indicateur"
    " Pays Ingrédient Catégorie",
    "es": "Título Autor Editorial Año Tema ISBN Apellido Nombre_de_pila Año_de_nacimiento Lugar"
    " Empresa Número_de_registro Ciudad Código_postal Tribunal Número_de_caso Juez Fecha Marca"
    " Modelo Precio Combustible Habitaciones Superficie Barrio Puesto Empleador Salario Salida"
    " Destino Artista Material Época Especie Familia Hábitat Inventor Solicitante Indicador País"
    " Ingrediente Categoría",
    "it": "Titolo Autore Editore Anno Argomento ISBN Cognome Nome_di_battesimo Anno_di_nascita"
    " Luogo Azienda Numero_di_registro Città Codice_postale Tribunale Numero_di_causa Giudice Data"
    " Marca Modello Prezzo Carburante Locali Superficie Quartiere Mansione Datore_di_lavoro"
    " Stipendio Partenza Destinazione Artista Materiale Epoca Specie Famiglia Habitat Inventore"
    " Richiedente Indicatore Paese Ingrediente Categoria",
    "pt": "Título Autor Editora Ano Assunto ISBN Sobrenome Primeiro_nome Ano_de_nascimento Lugar"
    " Empresa Número_de_registro Cidade Código_postal Tribunal Número_do_processo Juiz Data Marca"
    " Modelo Preço Combustível Quartos Área Bairro Cargo Empregador Salário Partida Destino Artista"
    " Material Época Espécie Família Habitat Inventor Requerente Indicador País Ingrediente"
    " Categoria",
    "nl": "Titel Auteur Uitgever Jaar Onderwerp ISBN Achternaam Voornaam Geboortejaar Plaats"
    " Bedrijf Registratienummer Stad Postcode Rechtbank Zaaknummer Rechter Datum Merk Model Prijs"
    " Brandstof Kamers Woonoppervlakte Wijk Functie Werkgever Salaris Vertrek Bestemming Kunstenaar"
    " Materiaal Periode Soort Familie Leefgebied Uitvinder Aanvrager Indicator Land Ingrediënt"
    " Categorie",
    "sv": "Titel Författare Förlag År Ämne ISBN Efternamn Förnamn Födelseår Plats Företag"
    " Organisationsnummer Stad Postnummer Domstol Målnummer Domare Datum Märke Modell Pris Bränsle"
    " Rum Boyta Stadsdel Yrke Arbetsgivare Lön Avgång Destination Konstnär Material Period Art"
    " Familj Livsmiljö Uppfinnare Sökande Indikator Land Ingrediens Kategori",
    "pl": "Tytuł Autor Wydawnictwo Rok Temat ISBN Nazwisko Imię Rok_urodzenia Miejsce Firma"
    " Numer_rejestru Miasto Kod_pocztowy Sąd Sygnatura_akt Sędzia Data_wydania Marka Model Cena"
    " Paliwo Pokoje Powierzchnia Dzielnica Stanowisko Pracodawca Wynagrodzenie Wylot Cel_podróży"
    " Artysta Materiał Okres Gatunek Rodzina Siedlisko Wynalazca Zgłaszający Wskaźnik Kraj Składnik"
    " Kategoria",
    "cs": "Název Autor Nakladatel Rok Předmět ISBN Příjmení Jméno Rok_narození Místo Společnost"
    " Identifikační_číslo Město PSČ Soud Spisová_značka Soudce Datum Značka Model Cena Palivo"
    " Pokoje Plocha Čtvrť Pozice Zaměstnavatel Mzda Odlet Cíl_cesty Umělec Materiál Období Druh"
    " Čeleď Stanoviště Vynálezce Přihlašovatel Ukazatel Země Ingredience Kategorie",
    "hu": "Cím Szerző Kiadó Év Téma ISBN Vezetéknév Keresztnév Születési_év Hely Cégnév"
    " Cégjegyzékszám Város Irányítószám Bíróság Ügyszám Bíró Dátum Márka Modell Ár Üzemanyag Szobák"
    " Alapterület Kerület Munkakör Munkáltató Fizetés Indulás Úticél Művész Anyag Korszak Faj"
    " Család Élőhely Feltaláló Bejelentő Mutató Ország Hozzávaló Kategória",
    "ro": "Titlu Autor Editura An Subiect ISBN Nume_de_familie Prenume Anul_nașterii Loc Companie"
    " Număr_de_înregistrare Oraș Cod_poștal Instanță Număr_dosar Judecător Data_publicării Marcă"
    " Model Preț Combustibil Camere Suprafață Cartier Post Angajator Salariu Plecare Destinație"
    " Artist Material Perioadă Specie Familie Habitat Inventator Solicitant Indicator Țară"
    " Ingredient Categorie",
    "tr": "Başlık Yazar Yayınevi Yıl Konu ISBN Soyadı İsim Doğum_yılı Yer Şirket Sicil_numarası"
    " Şehir Posta_kodu Mahkeme Dosya_numarası Hakim Tarih Marka Model Fiyat Yakıt Oda Metrekare"
    " Semt Pozisyon İşveren Maaş Kalkış Varış Sanatçı Malzeme Dönem Tür Familya Habitat Mucit"
    " Başvuran Gösterge Ülke Malzeme Kategori",
    "ru": "Название Автор Издательство Год Тема ISBN Фамилия Имя Год_рождения Место Компания"
    " Регистрационный_номер Город Почтовый_индекс Суд Номер_дела Судья Дата Марка Модель Цена"
    " Топливо Комнат Площадь Район Должность Работодатель Зарплата Откуда Куда Художник Материал"
    " Период Вид Семейство Среда_обитания Изобретатель Заявитель Показатель Страна Ингредиент"
    " Категория",
    "el": "Τίτλος Συγγραφέας Εκδότης Έτος Θέμα ISBN Επώνυμο Όνομα Έτος_γέννησης Τόπος Εταιρεία"
    " Αριθμός_μητρώου Πόλη Ταχυδρομικός_κώδικας Δικαστήριο Αριθμός_υπόθεσης Δικαστής Ημερομηνία"
    " Μάρκα Μοντέλο Τιμή Καύσιμο Δωμάτια Εμβαδόν Περιοχή Θέση_εργασίας Εργοδότης Μισθός Αναχώρηση"
    " Προορισμός Καλλιτέχνης Υλικό Περίοδος Είδος Οικογένεια Βιότοπος Εφευρέτης Αιτών Δείκτης Χώρα"
    " Συστατικό Κατηγορία",
    "ar": "العنوان المؤلف الناشر السنة الموضوع ISBN اسم_العائلة الاسم_الأول سنة_الميلاد المكان"
    " الشركة رقم_السجل المدينة الرمز_البريدي المحكمة رقم_القضية القاضي التاريخ الماركة الموديل"
    " السعر الوقود الغرف المساحة الحي المسمى_الوظيفي صاحب_العمل الراتب المغادرة الوجهة الفنان"
    " المادة الفترة النوع الفصيلة الموطن المخترع مقدم_الطلب المؤشر البلد المكون الفئة",
    "hi": "शीर्षक लेखक प्रकाशक वर्ष विषय ISBN उपनाम पहला_नाम जन्म_वर्ष स्थान कंपनी पंजीकरण_संख्या शहर पिन_कोड"
    " न्यायालय मामला_संख्या न्यायाधीश दिनांक ब्रांड मॉडल कीमत ईंधन कमरे क्षेत्रफल जिला पद नियोक्ता वेतन प्रस्थान गंतव्य"
    " कलाकार सामग्री काल प्रजाति कुल आवास आविष्कारक आवेदक सूचक देश सामग्री श्रेणी",
    "zh": "书名 作者 出版社 年份 主题 ISBN 姓氏 名字 出生年份 地点 公司 注册号 城市 邮编 法院 案号 法官 日期 品牌"
    " 型号 价格 燃料 房间数 面积 地区 职位 雇主 薪资 出发地 目的地 艺术家 材质 时期 物种 科 栖息地 发明人 申请人"
    " 指标 国家 食材 类别",
    "ja": "タイトル 著者 出版社 年 主題 ISBN 姓 名 生年 場所 会社名 登録番号 市区町村 郵便番号 裁判所 事件番号 裁判官"
    " 日付 メーカー 車種 価格 燃料 部屋数 面積 地域 職種 雇用主 給与 出発地 目的地 作家 材質 時代 種名 科名 生息地"
    " 発明者 出願人 指標 国 材料 カテゴリ",
    "ko": "제목 저자 출판사 연도 주제 ISBN 성 이름 출생연도 장소 회사 등록번호 도시 우편번호 법원 사건번호 판사 날짜"
    " 브랜드 모델 가격 연료 방 면적 지역 직위 고용주 급여 출발지 목적지 예술가 재료 시대 종 과 서식지 발명자 출원인"
    " 지표 국가 재료 분류",
}
_ACTS = {
    "en": "Username Password Log_in E-mail_address Your_name Message Send Phone Subscribe"
    " Newsletter Amount Donate Accept_cookies Save_settings Language Currency Vote Calculate"
    " Convert Quantity Add_to_cart Colour Size Request_a_quote Your_location Apply_now Register"
    " Street_address Pay_now Card_number I_agree Go Show OK",
    "de": "Benutzername Passwort Anmelden E-Mail-Adresse Ihr_Name Nachricht Absenden Telefon"
    " Abonnieren Newsletter Betrag Spenden Cookies_akzeptieren Einstellungen_speichern Sprache"
    " Währung Abstimmen Berechnen Umrechnen Menge In_den_Warenkorb Farbe Größe Angebot_anfordern"
    " Ihr_Standort Jetzt_bewerben Registrieren Straße Jetzt_bezahlen Kartennummer Ich_stimme_zu Los"
    " Anzeigen OK",
    "fr": "Identifiant Mot_de_passe Se_connecter Adresse_e-mail Votre_nom Message Envoyer Téléphone"
    " S'abonner Newsletter Montant Faire_un_don Accepter_les_cookies Enregistrer_les_paramètres"
    " Langue Devise Voter Calculer Convertir Quantité Ajouter_au_panier Couleur Taille"
    " Demander_un_devis Votre_position Postuler S'inscrire Adresse Payer Numéro_de_carte J'accepte"
    " Aller Afficher OK",
    "es": "Usuario Contraseña Iniciar_sesión Correo_electrónico Su_nombre Mensaje Enviar Teléfono"
    " Suscribirse Boletín Importe Donar Aceptar_cookies Guardar_ajustes Idioma Moneda Votar"
    " Calcular Convertir Cantidad Añadir_al_carrito Color Talla Pedir_presupuesto Su_ubicación"
    " Postularse Registrarse Dirección Pagar Número_de_tarjeta Acepto Ir Mostrar Aceptar",
    "it": "Nome_utente Password Accedi Indirizzo_e-mail Il_tuo_nome Messaggio Invia Telefono"
    " Iscriviti Newsletter Importo Dona Accetta_i_cookie Salva_impostazioni Lingua Valuta Vota"
    " Calcola Converti Quantità Aggiungi_al_carrello Colore Taglia Richiedi_preventivo"
    " La_tua_posizione Candidati Registrati Indirizzo Paga Numero_della_carta Accetto Vai Mostra OK",
    "pt": "Utilizador Senha Entrar E-mail Seu_nome Mensagem Enviar Telefone Inscreva-se"
    " Boletim_informativo Valor Doar Aceitar_cookies Salvar_configurações Idioma Moeda Votar"
    " Calcular Converter Quantidade Adicionar_ao_carrinho Cor Tamanho Pedir_orçamento"
    " Sua_localização Candidatar-se Cadastrar Endereço Pagar Número_do_cartão Concordo Ir Exibir"
    " OK",
    "nl": "Gebruikersnaam Wachtwoord Inloggen E-mailadres Uw_naam Bericht Versturen Telefoon"
    " Abonneren Nieuwsbrief Bedrag Doneren Cookies_accepteren Instellingen_opslaan Taal Valuta"
    " Stemmen Berekenen Omrekenen Aantal In_winkelwagen Kleur Maat Offerte_aanvragen Uw_locatie"
    " Solliciteren Registreren Adres Betalen Kaartnummer Akkoord Ga Tonen OK",
    "sv": "Användarnamn Lösenord Logga_in E-postadress Ditt_namn Meddelande Skicka Telefon"
    " Prenumerera Nyhetsbrev Belopp Donera Godkänn_kakor Spara_inställningar Språk Valuta Rösta"
    " Beräkna Omvandla Antal Lägg_i_varukorg Färg Storlek Begär_offert Din_plats Ansök_nu"
    " Registrera Gatuadress Betala Kortnummer Jag_godkänner Gå Visa OK",
    "pl": "Nazwa_użytkownika Hasło Zaloguj Adres_e-mail Twoje_imię Wiadomość Wyślij Telefon"
    " Subskrybuj Newsletter Kwota Wesprzyj Akceptuję_cookies Zapisz_ustawienia Język Waluta Głosuj"
    " Oblicz Przelicz Ilość Do_koszyka Kolor Rozmiar Zapytaj_o_ofertę Twoja_lokalizacja Aplikuj"
    " Zarejestruj Ulica Zapłać Numer_karty Zgadzam_się Idź Pokaż OK",
    "cs": "Uživatelské_jméno Heslo Přihlásit E-mail Vaše_jméno Zpráva Odeslat Telefon Odebírat"
    " Novinky_e-mailem Částka Přispět Přijmout_cookies Uložit_nastavení Jazyk Měna Hlasovat Spočítat"
    " Převést Množství Do_košíku Barva Velikost Poptat_nabídku Vaše_poloha Ucházet_se Registrovat"
    " Ulice Zaplatit Číslo_karty Souhlasím Přejít Zobrazit OK",
    "hu": "Felhasználónév Jelszó Bejelentkezés E-mail_cím Az_Ön_neve Üzenet Küldés Telefon"
    " Feliratkozás Hírlevél Összeg Adományozás Sütik_elfogadása Beállítások_mentése Nyelv Pénznem"
    " Szavazás Számítás Átváltás Mennyiség Kosárba Szín Méret Ajánlatkérés Az_Ön_helye Jelentkezés"
    " Regisztráció Utca Fizetés_most Kártyaszám Elfogadom Tovább Mutasd OK",
    "ro": "Utilizator Parolă Autentificare Adresă_e-mail Numele_dvs. Mesaj Trimite Telefon"
    " Abonează-te Newsletter Sumă Donează Acceptă_cookie Salvează_setările Limbă Monedă Votează"
    " Calculează Convertește Cantitate Adaugă_în_coș Culoare Mărime Cere_ofertă Locația_dvs. Aplică"
    " Înregistrare Stradă Plătește Numărul_cardului Sunt_de_acord Mergi Arată OK",
    "tr": "Kullanıcı_adı Şifre Giriş_yap E-posta_adresi Adınız Mesaj Gönder Telefon Abone_ol Bülten"
    " Tutar Bağış_yap Çerezleri_kabul_et Ayarları_kaydet Dil Para_birimi Oy_ver Hesapla Dönüştür"
    " Adet Sepete_ekle Renk Beden Teklif_al Konumunuz Başvur Kayıt_ol Sokak Öde Kart_numarası"
    " Kabul_ediyorum Git Göster Tamam",
    "ru": "Логин Пароль Войти Электронная_почта Ваше_имя Сообщение Отправить Телефон Подписаться"
    " Рассылка Сумма Пожертвовать Принять_cookie Сохранить_настройки Язык Валюта Голосовать"
    " Рассчитать Конвертировать Количество В_корзину Цвет Размер Запросить_цену"
    " Ваше_местоположение Откликнуться Регистрация Улица Оплатить Номер_карты Согласен Перейти"
    " Показать OK",
    "el": "Όνομα_χρήστη Κωδικός_πρόσβασης Σύνδεση Διεύθυνση_email Το_όνομά_σας Μήνυμα Αποστολή"
    " Τηλέφωνο Εγγραφή_στο_newsletter Ενημερωτικό_δελτίο Ποσό Δωρεά Αποδοχή_cookies"
    " Αποθήκευση_ρυθμίσεων Γλώσσα Νόμισμα Ψηφοφορία Υπολογισμός Μετατροπή Ποσότητα Στο_καλάθι Χρώμα"
    " Μέγεθος Ζητήστε_προσφορά Η_τοποθεσία_σας Αίτηση Εγγραφή Οδός Πληρωμή Αριθμός_κάρτας Συμφωνώ"
    " Μετάβαση Προβολή Εντάξει",
    "ar": "اسم_المستخدم كلمة_المرور تسجيل_الدخول البريد_الإلكتروني اسمك رسالة إرسال الهاتف اشترك"
    " النشرة_البريدية المبلغ تبرع قبول_ملفات_الارتباط حفظ_الإعدادات اللغة العملة تصويت احسب تحويل"
    " الكمية أضف_إلى_السلة اللون المقاس اطلب_عرض_سعر موقعك قدم_الآن تسجيل الشارع ادفع رقم_البطاقة"
    " أوافق اذهب عرض موافق",
    "hi": "उपयोगकर्ता_नाम पासवर्ड लॉगिन ईमेल_पता आपका_नाम संदेश भेजें फ़ोन सदस्यता_लें न्यूज़लेटर राशि दान_करें"
    " कुकीज़_स्वीकार_करें सेटिंग_सहेजें भाषा मुद्रा वोट_दें गणना_करें बदलें मात्रा कार्ट_में_डालें रंग आकार कोटेशन_मांगें"
    " आपका_स्थान आवेदन_करें पंजीकरण_करें सड़क_का_पता भुगतान_करें कार्ड_नंबर मैं_सहमत_हूँ जाएं दिखाएं ठीक_है",
    "zh": "用户名 密码 登录 电子邮箱 您的姓名 留言 发送 电话 订阅 电子报 金额 捐款 接受Cookie 保存设置 语言 货币 投票"
    " 计算 换算 数量 加入购物车 颜色 尺寸 索取报价 您的位置 立即申请 注册 街道地址 付款 卡号 我同意 前往 显示 确定",
    "ja": "ユーザー名 パスワード ログイン メールアドレス お名前 メッセージ 送信 電話番号 購読する メルマガ 金額 寄付する"
    " クッキーを許可 設定を保存 言語 通貨 投票する 計算する 換算する 数量 カートに入れる 色 サイズ 見積もりを依頼 現在地"
    " 応募する 会員登録 住所 支払う カード番号 同意する 移動 表示 OK",
    "ko": "아이디 비밀번호 로그인 이메일_주소 성함 메시지 보내기 전화번호 구독하기 뉴스레터 금액 기부하기 쿠키_허용"
    " 설정_저장 언어 통화 투표하기 계산하기 변환 수량 장바구니에_담기 색상 사이즈 견적_요청 현재_위치 지원하기"
    " 회원가입 상세_주소 결제하기 카드_번호 동의합니다 이동 보기 확인",
}  # fmt: skip
LANGUAGES = tuple(_RECORDS)


def read_vocabulary(language: str) -> dict[str, str]:
    """The language's words by concept."""
    found: dict[str, str] = {}
    for concepts, lines in ((RECORD_CONCEPTS, _RECORDS), (ACT_CONCEPTS, _ACTS)):
        words = [word.replace("_", " ") for word in lines[language].split()]
        found |= dict(zip(concepts, words, strict=True))
    return found
