"""Words by which answers speak of themselves, in the languages of the Web.

They only tip the scale where structure and the answers to nonsense leave a
question. Matched without case and accents; the patterns are folded likewise, so they
must not hold escapes in capitals.
"""

from leadline.forms.word_patterns import matcher

NOTHING = matcher(
    r"\bno (?:\w+ ){0,3}(?:result|record|match|hit|item|entr|document|listing|found|article|page)",
    r"\bnot? (?:found|match|return|any)|\bnothing|\bzero\b|\bnone\b|0 (?:result|hit|match|record)",
    r"did not|didn.t|could ?n.t|\bsorry|unfortunately|\bno \w+ were|no \w+ available|\bempty\b",
    r"\bkeine?[nr]?\b|\bnichts\b|\bleider\b|nicht gefunden|ergab nicht|ohne (?:treffer|ergebnis)",
    r"\baucune?\b|\brien\b|pas de |n.a (?:pas|rien)|introuvable|desole|sans resultat",
    r"\bningun[ao]?\b|no (?:hay|se (?:han?|enc)|se encontr|encontr)|\bnada\b|sin resultado",
    r"\bnenhum|nao (?:ha|foi|foram|encontr)|sem resultado|\bnessun|\bniente\b|non (?:ci|sono",
    r"e stat)",
    r"\bgeen\b|\bniets\b|\bingen\b|\binga\b|\binget\b|\bikke\b|\bei (?:loyt|tulok)|\bbrak\b",
    r"nie znaleziono|zadn[ey]|nenalezen|nebyl|\bnincs|nem talal|niciun|nu (?:a|s)|bulunamadi|yok\b",
    r"не найден|ничего|нет (?:резул|запис|совпад)|не дал|не знайден|немає|няма|нема",
    r"δεν βρ|κανενα|没有|沒有|未找到|无结果|無結果|找不到|0 ?[条件個个]|見つかり|ありません|該当",
    r"없습니다|없음|لا توجد|لم يتم|לא נמצא|אין תוצאות|ไม่พบ|không (?:tìm|có)|tidak (?:ada|di)",
)
REFUSING = matcher(
    r"at least \w+ (?:char|letter|word|term)|too (?:short|few|many|broad|long|general)|\bminimum\b",
    r"(?:letters?|characters?|words?) or (?:more|longer)|is required|are required|must (?:enter",
    r"be)",
    r"please (?:enter|specify|fill|type|select|provide|give)|\binvalid|bad request|not valid",
    r"missing",
    r"nothing to search|enter (?:a|some|one|your) |expired|time ?out|timed out",
    r"could not be verified",
    r"\bcsrf|\btoken\b|try again|an error|internal error|unknown parameter|syntax error",
    r"mindestens|zu (?:kurz|viele|allgemein)|bitte (?:geben|wahlen|fullen)|erforderlich|ungultig",
    r"abgelaufen|fehler|au moins|trop (?:court|de|long)|saisi(?:ssez|r)|veuillez|obligatoire",
    r"expire",
    r"erreur|al menos|demasiado|escriba|introduzca|ingrese|por favor|obligatori|caducad",
    r"invalid[ao]",
    r"pelo menos|muito curt|digite|informe|almeno|troppo|inserire|inserisci|scadut|minstens",
    r"minimaal",
    r"te kort|vul .{0,20}in\b|verplicht|verlopen|minst \w+ tecken|for kort|angiv|vahintaan",
    r"co najmniej",
    r"za krotk|wpisz|alespon|prilis|zadejte|legalabb|en az|lutfen|не менее|слишком|введите|истек",
    r"обязательн|ошибк|щонайменше|введіть|至少|太短|请输入|請輸入|过期|以上入力|短すぎ|入力して|エラー",
    r"이상 입력|입력하|만료|على الأقل|לפחות|הזן",
)
EXPIRED = matcher(
    r"expired|\bcsrf|\btoken\b|could not be verified|abgelaufen|expire|caducad|scadut|verlopen",
    r"истек|过期|過期|有効期限|만료",
)
HUMAN = matcher(
    r"captcha|are you (?:a )?human|not a (?:ro)?bot|unusual traffic|verify (?:that )?you",
    r"robot check",
    r"checking your browser|automated (?:queries|requests|access)|security check|kein roboter",
    r"pas un robot|no soy un robot|не робот|人机验证|ロボットではない|로봇이 아닙",
)
TOO_MANY = matcher(
    r"too many (?:requests|queries|searches)|rate limit|slow down|quota|limit exceeded",
    r"zu viele anfragen",
    r"trop de requetes|demasiadas (?:solicitudes|peticiones)|слишком много запросов|请求过于频繁",
)
ABOUT = matcher(
    r"(?:\babout|\bapprox\w*\.?|\baround|\bover|\bmore than|\bat least|\bcirca|\bca\.?|\bsome"
    r"|\bnearly|\balmost|\bestimated?|\bungefahr|\betwa|\brund|\bmehr als|\buber|\bmindestens"
    r"|\benviron|\bplus de|\bpres de|\bunos|\bunas|\bmas de|\baprox\w*\.?|\bcerca de|\balrededor de"
    r"|\bmais de|\bpiu di|\bongeveer|\bmeer dan|\bomkring|\bover|\bnoin|\byli|\bokolo|\bponad"
    r"|\bpriblizne|\bkorulbelul|\byaklasik|около|примерно|более|свыше|приблизно|понад"
    r"|约|約|大约|超过|およそ|약|حوالي|~|≈|>|≥)[^\w]{0,3}(?:\w+[^\w])?$"
)
"""Right before a number: it is no exact one."""
ROUGHLY_AFTER = matcher(r"^\s?(?:\+|k\b|m\b|以上|余|多|thousand|million|tsd|mio|тыс|млн|or more)")
COUNTED = matcher(
    r"result|record|\bhits?\b|match|found|\bitems?\b|entries|documents?\b|listings?\b|articles?\b",
    r"titles?\b|products?\b|\brows?\b|\bpackages?\b|\bzeilen\b|\blignes\b|\bfilas\b|\bposts?\b",
    r"\btotal|\bof\b|treffer|ergebnis|gefunden|eintrag|datensatz|insgesamt",
    r"\bvon\b|resultat|trouve|reponses|fiches|\bsur\b|resultado|encontrad|registros|coincidencia",
    r"risultat|trovat|elementi|gevonden|resultaten|traffar|\bfundet|tulos|loytyi|wynik|znalezion",
    r"vysled|nalezen|talalat|rezultat|sonuc|найден|результат|запис|всего|знайден|结果|結果|条|條|件",
    r"全部|共|개|건|نتيجة|تוצאות|תוצאות|ผลลัพธ์|kết quả|hasil|αποτελ",
)
PAGES = matcher(
    r"\bpages?\b|\bpg\b|seiten?\b|paginas?\b|pagine?\b|\bsida\b|\bside\b|\bsivu|stron[ay]|strank",
    r"oldal|sayfa|страниц|сторінк|页|頁|ページ|페이지|صفحة|עמוד|หน้า|trang|halaman|σελιδ",
)
TIMES = matcher(
    r"^ ?(?:s|sec|secs|seconds?|ms)\b|\bmillisec|^ ?sekund|^ ?secondes?|^ ?segundos?|^ ?secondi",
    r"^ ?секунд|^ ?秒|^ ?초",
)
MONEY = matcher(r"[$€£¥₹₽]|\b(?:usd|eur|gbp|chf|jpy|rub|kr|zl|kc)\b|рубл|円|元(?!素)|원")
