"""Words by which pages speak of how many results a page shows, in many languages.

Written by hand; compared without case and accents.
"""

from leadline.forms.hazard_words import matcher

SIZE = matcher(
    r"per ?page|per ?pg|page ?size|page ?length|(?:results|hits|items|rows|records|entries|titles)"
    r" ?(?:per|/|on) ?(?:page|screen)|(?:results|hits|items|rows|records|entries) ?(?:to )?(?:show",
    r"shown|displayed|display)\b|(?:show|display|list|view) (?:me )?(?:results|hits|items|rows",
    r"records|entries)\b|number of (?:results|hits|items|rows|records|entries|matches)\b",
    r"max(?:imum)? ?(?:results|hits|rows|records|items|matches)|\bhits ?count|result ?count",
    r"(?:pro|je) seite|seiten ?grosse|(?:treffer|ergebnisse|eintrage|anzahl) (?:pro|je|auf)",
    r"trefferzahl|anzahl (?:der )?(?:treffer|ergebnisse|eintrage)|par page|resultats par",
    r"nombre de (?:resultats|reponses|notices)|por pagina|resultados por|registros por",
    r"mostrar \d*\s*(?:resultados|registros)|per pagina|risultati per|elementi per|resultaten per",
    r"aantal (?:resultaten|per)|per sida|traffar per|pr\.? side|per side|sivulla|sivua kohti",
    r"tulosta (?:per )?sivu|na stron[ei]|wynikow na|na strank|na stranu|vysledku na",
    r"zaznamu na|oldalankent|talalat oldal|pe pagina|rezultate pe|на страниц|на сторинц",
    r"на сторінц|po stranici|na strani|αποτελεσματα .{0,5}σελιδα|sayfa basina|sayfada|lehekuljel",
    r"puslapyje|per halaman|moi trang|ต่อหน้า|لكل صفحة|في الصفحة|בעמוד|در صفحه|प्रति पृष्ठ",
    r"每页|每頁|ページあたり|件ずつ|表示件数|件表示|페이지당|개씩",
)
"""In labels, and in the text beside a row of numbers."""

SIZE_NAME = matcher(
    r"\b(?:per ?page|perpage|page ?size|pagesize|ipp|rpp|epp|hpp|ppp|results ?per|rows ?per",
    r"items ?per|hits ?per|per ?pagina|page ?length|page ?limit|results? ?size|result ?count",
    r"num ?results?|nb ?results?|nresults|max ?(?:results?|hits|rows|records)|maxresults|hits ?max",
    r"num ?(?:hits|rows|rec|records|items|per)|pp|psize|list ?size|view ?size|display ?(?:num",
    r"count|size)|results ?shown|page ?count|count ?per|limit ?per|records ?per|trefferpro ?seite",
    r"pro ?seite|par ?page|por ?pagina|page ?items|show ?(?:num|count|rows|entries))\b",
)
"""In names of controls and parameters: these say it for certain."""

PERHAPS_SIZE_NAME = matcher(
    r"^(?:rows|limit|show|num|count|size|n|nb|max|display|hits|results|items|entries|records",
    r"number|length|amount|step|take|top|anzahl|treffer|nombre|cantidad|quantidade|numero|aantal",
    r"view|listing|list|len)$",
)
"""In names of controls and parameters: these say it if the numbers are those of page sizes."""

NOT_SIZE = matcher(
    r"\broom|guest|adult|child|person|people|night|\bdays?\b|week|month|year|jahr|annee|\bano\b",
    r"price|preis|prix|precio|\bcost|radius|distance|umkreis|\bkm\b|mile|within|\bage\b|\balter\b|\bbed",
    r"bath|seat|door|size ?(?:shoe|cloth)|screen ?size|font|quantity|qty|menge|zimmer|chambre",
    r"habitacion|rating|stars?\b|sterne|weight|height|width|mileage|salary|\brent\b|\barea\b|sqm|sqft",
    r"\$|€|£|¥|₽|kg\b|\bcm\b|\bm2\b|inch|%|percent|minute|hour|stunde|heure|hora\b|points|score",
    r"volume|issue|floor|etage|capacity|power|\bps\b|\bhp\b|engine|speed|carat|copies|edition",
)
"""Numbers of other things."""

ALL = frozenset(
    "all alle alles tout tous toutes todo todos todas tutti tutte allt alla kaikki wszystkie vse "
    "vsechny osszes все всі всички όλα hepsi tumu kõik visi semua tatca ทั้งหมด الكل הכל همه सभी "
    "全部 全て すべて 전체".split()
)
