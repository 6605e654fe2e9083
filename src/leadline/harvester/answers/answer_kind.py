"""What kind of answer a page without results is, as far as statuses, words and forms tell.

The words only tip the scale if structure and the answers to nonsense leave a question. They are
matched without case and accents; the patterns are folded likewise, so they must not hold escapes in
capitals.
"""

from collections.abc import Iterable, Sequence

from leadline.core.harvest import BLOCKED, NOTHING, REFUSED
from leadline.core.page import Form
from leadline.core.text import fold
from leadline.forms.word_patterns import Matcher, matcher
from leadline.harvester.reply import Reply

FORBIDDEN = 403
GONE = frozenset({404, 410})
_SHUT = frozenset({401, 402, 403, 407, 429, 451, 503})
"""Statuses of logins, bans and overload."""
_MAX_TEXTS = 400
_MAX_CHARS = 20_000
"""Of all texts that are searched: sentences about the answer stand early, or are few."""
_SAME_FORM = 0.7
"""Share of a form's controls that another must have to be the same: sites change some by state."""
_CHALLENGES = ("captcha", "turnstile", "challenge-form", "challenge-platform", "cf-challenge")

_DENYING = matcher(
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
    r"\bnenasli\b|nenajden|\bnema (?:rez|zap|pod)|\bni (?:zadet|rezult|najden)|\bei leitud",
    r"nekas nav|nav atras|nerasta\b|nerado|no s.h[ae]n? trobat|\bcap result|ez da \w+ ?aurkitu",
    r"\bengar? ni|fannst ekki|یافت نشد|نیافت|नहीं मिल|नहीं है|পাওয়া যায়নি|இல்லை",
    r"не найден|ничего|нет (?:резул|запис|совпад)|не дал|не знайден|немає|няма|нема",
    r"δεν βρ|κανενα|没有|沒有|未找到|无结果|無結果|找不到|0 ?[条件個个]|見つかり|ありません|該当",
    r"없습니다|없음|لا توجد|لم يتم|לא נמצא|אין תוצאות|ไม่พบ|không (?:tìm|có)|tidak (?:ada|di)",
)
_REFUSING = matcher(
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
_EXPIRED = matcher(
    r"expired|\bcsrf|\btoken\b|could not be verified|abgelaufen|expire|caducad|scadut|verlopen",
    r"истек|过期|過期|有効期限|만료",
)
_HUMAN = matcher(
    r"captcha|are you (?:a )?human|not a (?:ro)?bot|unusual traffic|verify (?:that )?you",
    r"robot check",
    r"checking your browser|automated (?:queries|requests|access)|security check|kein roboter",
    r"pas un robot|no soy un robot|не робот|人机验证|ロボットではない|로봇이 아닙",
)
_TOO_MANY = matcher(
    r"too many (?:requests|queries|searches)|rate limit|slow down|\bquota\b|limit exceeded",
    r"zu viele anfragen",
    r"trop de requetes|demasiadas (?:solicitudes|peticiones)|слишком много запросов|请求过于频繁",
)


def judge_status(reply: Reply) -> tuple[str, str] | None:
    """Kind and reason for statuses that leave no doubt."""
    status = reply.response.status
    if status in _SHUT:
        if status == FORBIDDEN and _find_text(_EXPIRED, reply.page.leaves):
            return REFUSED, "status 403, and something is said to have expired"
        return BLOCKED, f"status {status}"
    if status >= 400 and status not in GONE:
        return REFUSED, f"status {status}"
    return None


def judge_words(texts: Iterable[str]) -> tuple[str, str] | None:
    """Kind and reason by what fresh sentences on a page without results say."""
    some = list(texts)[:_MAX_TEXTS]
    refusing = _find_text(_REFUSING, some)
    denying = _find_text(_DENYING, some)
    if denying and not refusing:
        return NOTHING, f"it says {denying!r}"
    if refusing:
        return REFUSED, f"it says {refusing!r}"
    return None


def says_nothing_found(text: str) -> bool:
    """Whether a text says that there is nothing, in words or with a zero."""
    return " 0 " in f" {text} " or bool(_find_text(_DENYING, (text,)))


def find_barriers(reply: Reply, texts: Sequence[str]) -> list[str]:
    """What on the page may keep visitors out; pages that let them in have some of it too.

    `texts` are those to search: records may speak of anything.
    """
    barriers = []
    outline = reply.outline
    marks = (
        attributes.get(name, "").lower()
        for tag, attributes in zip(outline.tags, outline.attributes, strict=True)
        if tag in ("iframe", "div", "img", "form", "input")
        for name in ("src", "class", "id", "name", "action")
    )
    if _find_text(_HUMAN, (*texts, reply.page.title)) or any(
        word in mark for mark in marks if mark for word in _CHALLENGES
    ):
        barriers.append("a proof of being human is asked for")
    if _find_text(_TOO_MANY, texts):
        barriers.append("it says that there were too many requests")
    if any(field.kind == "password" for form in reply.page.forms for field in form.fields):
        barriers.append("it asks for a password")
    return barriers


def has_form(reply: Reply, form: Form) -> bool:
    """Whether the page shows the form, or one with most of its controls."""
    names = _control_names(form)
    return bool(names) and any(
        len(names & _control_names(other)) >= _SAME_FORM * len(names)
        for other in reply.page.forms
        # A link to results makes a door too, and every answer has such links.
        if not other.is_template
    )


def _control_names(form: Form) -> set[str]:
    return {field.name for field in form.fields if field.name and field.kind != "hidden"}


def _find_text(matches: Matcher, texts: Iterable[str]) -> str:
    """The beginning of the first text that matches; '' for none."""
    left = _MAX_CHARS
    for text in texts:
        if left <= 0:
            break
        left -= len(text)
        if text and matches(fold(text[:_MAX_CHARS])):
            return text[:80]
    return ""
