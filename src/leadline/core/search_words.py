"""Words that searches use in any topic, in 29 languages: for links, forms and answers alike.

Written by hand, in lower case; `/` parts forms. Whoever compares without accents folds them first.
"""
# ruff: noqa: E501, RUF001 - a table of other alphabets, a language a line

from collections.abc import Mapping

KINDS = (
    "search", "advanced search", "catalogue", "database", "archive", "register", "results",
    "no results", "next page", "records found",
)  # fmt: skip
"""What the words mean, in the order of the columns below."""
_TABLE = """
en|search/find|advanced search|catalogue/catalog|database|archive/archives|register/registry|results|no results/nothing found|next page/next|records found/results found
de|suche/suchen/recherche|erweiterte suche|katalog|datenbank|archiv|register/verzeichnis|ergebnisse/treffer|keine ergebnisse/keine treffer|nächste seite/weiter|datensätze gefunden/treffer gefunden
fr|recherche/rechercher/chercher|recherche avancée|catalogue|base de données|archives|registre|résultats|aucun résultat|page suivante/suivant|notices trouvées/résultats trouvés
es|buscar/búsqueda/buscador|búsqueda avanzada|catálogo|base de datos|archivo|registro|resultados|sin resultados/no se encontraron resultados|página siguiente/siguiente|registros encontrados
it|cerca/ricerca|ricerca avanzata|catalogo|banca dati/database|archivio|registro|risultati|nessun risultato|pagina successiva/successivo|risultati trovati
pt|pesquisar/pesquisa/buscar/busca|pesquisa avançada/busca avançada|catálogo|base de dados/banco de dados|arquivo/acervo|registro/registo|resultados|nenhum resultado|próxima página/próximo|registros encontrados
nl|zoeken/zoek|uitgebreid zoeken|catalogus|databank/database|archief|register|resultaten|geen resultaten|volgende pagina/volgende|resultaten gevonden
sv|sök/sökning|avancerad sökning/utökad sökning|katalog|databas|arkiv|register|resultat/träffar|inga träffar/inga resultat|nästa sida/nästa|träffar hittades
da|søg/søgning|avanceret søgning|katalog|database|arkiv|register|resultater|ingen resultater|næste side/næste|poster fundet
no|søk|avansert søk|katalog|database|arkiv|register|resultater/treff|ingen treff/ingen resultater|neste side/neste|treff funnet
fi|haku/hae/etsi|tarkennettu haku|luettelo|tietokanta|arkisto|rekisteri|tulokset/hakutulokset|ei tuloksia/ei osumia|seuraava sivu/seuraava|tulosta löytyi
pl|szukaj/wyszukaj/wyszukiwarka|wyszukiwanie zaawansowane|katalog|baza danych|archiwum|rejestr|wyniki|brak wyników/nie znaleziono|następna strona/następna|znaleziono rekordów
cs|hledat/vyhledávání/vyhledat|rozšířené hledání/pokročilé vyhledávání|katalog|databáze|archiv|rejstřík/registr|výsledky|žádné výsledky/nebyly nalezeny|další stránka/další|nalezeno záznamů
hu|keresés/kereső|részletes keresés/összetett keresés|katalógus|adatbázis|archívum/levéltár|nyilvántartás|találatok|nincs találat|következő oldal/következő|találat
ro|căutare/caută|căutare avansată|catalog|bază de date|arhivă|registru|rezultate|niciun rezultat|pagina următoare/următoarea|înregistrări găsite
tr|ara/arama|gelişmiş arama/detaylı arama|katalog|veritabanı/veri tabanı|arşiv|sicil/kayıt|sonuçlar|sonuç bulunamadı|sonraki sayfa/sonraki|kayıt bulundu
ru|поиск/найти/искать|расширенный поиск|каталог|база данных|архив|реестр|результаты|ничего не найдено/нет результатов|следующая страница/следующая|найдено записей
uk|пошук/знайти/шукати|розширений пошук|каталог|база даних|архів|реєстр|результати|нічого не знайдено|наступна сторінка/наступна|знайдено записів
el|αναζήτηση|σύνθετη αναζήτηση/προηγμένη αναζήτηση|κατάλογος|βάση δεδομένων|αρχείο|μητρώο|αποτελέσματα|δεν βρέθηκαν αποτελέσματα|επόμενη σελίδα/επόμενη|εγγραφές βρέθηκαν
ar|بحث/ابحث|بحث متقدم/البحث المتقدم|فهرس|قاعدة بيانات|أرشيف|سجل|نتائج|لا توجد نتائج|الصفحة التالية/التالي|نتيجة
he|חיפוש/חפש|חיפוש מתקדם|קטלוג|מאגר מידע/מסד נתונים|ארכיון|מרשם|תוצאות|לא נמצאו תוצאות|העמוד הבא/הבא|תוצאות נמצאו
fa|جستجو/جست‌وجو|جستجوی پیشرفته|فهرست|پایگاه داده|آرشیو/بایگانی|ثبت|نتایج|نتیجه‌ای یافت نشد|صفحه بعد/بعدی|مورد یافت شد
hi|खोज/खोजें|उन्नत खोज|सूची|डेटाबेस|अभिलेखागार|रजिस्टर/पंजी|परिणाम|कोई परिणाम नहीं|अगला पृष्ठ/अगला|परिणाम मिले
zh|搜索/检索/查询/搜尋/檢索/查詢|高级检索/高级搜索/進階搜尋|目录/目錄|数据库/資料庫|档案/檔案|名录/登记|结果/結果|没有结果/未找到/無結果|下一页/下一頁|条记录/筆資料
ja|検索/探す|詳細検索|目録/カタログ|データベース|アーカイブ|登録/名簿|検索結果/結果|該当なし/見つかりませんでした|次のページ/次へ|件見つかりました/件中
ko|검색/찾기|상세검색/고급검색|목록/카탈로그|데이터베이스|기록/아카이브|등록부|검색결과/결과|검색 결과가 없습니다|다음 페이지/다음|건이 검색되었습니다
id|cari/pencarian/telusur|pencarian lanjutan|katalog|basis data|arsip|daftar|hasil|tidak ada hasil|halaman berikutnya/berikutnya|hasil ditemukan
vi|tìm kiếm/tìm/tra cứu|tìm kiếm nâng cao|danh mục/mục lục|cơ sở dữ liệu|lưu trữ|sổ đăng ký|kết quả|không có kết quả/không tìm thấy|trang tiếp/tiếp theo|kết quả được tìm thấy
th|ค้นหา/สืบค้น|ค้นหาขั้นสูง|รายการ/แคตตาล็อก|ฐานข้อมูล|หอจดหมายเหตุ/คลังเก็บ|ทะเบียน|ผลลัพธ์/ผลการค้นหา|ไม่พบผลลัพธ์/ไม่พบข้อมูล|หน้าถัดไป/ถัดไป|พบรายการ
"""


def _read(table: str) -> dict[str, dict[str, tuple[str, ...]]]:
    rows = [line.split("|") for line in table.strip().splitlines()]
    return {
        language: {kind: tuple(cell.split("/")) for kind, cell in zip(KINDS, cells, strict=True)}
        for language, *cells in rows
    }


SEARCH_WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = _read(_TABLE)
"""By language, then by kind."""


def find_search_words(kind: str, language: str = "") -> tuple[str, ...]:
    """The words of a kind in a language, or in all of them, each once. KeyError for no kind.

    >>> find_search_words("search", "pl")
    ('szukaj', 'wyszukaj', 'wyszukiwarka')
    """
    if kind not in KINDS:
        raise KeyError(f"no kind {kind!r} of search words: there are {', '.join(KINDS)}")
    if language:
        return SEARCH_WORDS.get(language, {}).get(kind, ())
    return tuple(dict.fromkeys(word for kinds in SEARCH_WORDS.values() for word in kinds[kind]))
