# ruff: noqa: RUF001 - words of many languages

"""Targets that would change something, invented without sight of the judge's words: for measuring.

Each row is the language of its words, the request, the words of its link or button, its `title`,
and what stands beside it on the page. `tests/adversary/test_damage.py` says how many pass.
Cut in two by a hash: words may be added to the judge for `DEVELOPMENT`, and nobody reads which of
`HELD_OUT` pass.
"""

import hashlib
from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from leadline.core.state_change import find_state_change
from leadline.core.url import Url
from leadline.forms.submit import SubmissionRefusal, prepare
from leadline.page import parse_page


class FreshTarget(NamedTuple):
    """One request that would change something, and all that a page says of it."""

    kind: str
    """link, detail, paging or form."""
    language: str
    url: str
    text: str = ""
    title: str = ""
    beside: str = ""
    """Text of the same block, before the link or button."""

    @property
    def split(self) -> str:
        name = f"{self.kind} {self.language} {self.url} {self.text}"
        is_held_out = hashlib.sha256(name.encode()).digest()[3] % 2
        return "held-out" if is_held_out else "development"


_ROWS: tuple[tuple[str, ...], ...] = (
    # Libraries and catalogues
    ("detail", "en", "/record/551/hold", "Place hold"),
    ("detail", "en", "/cgi-bin/opac/reserve.pl?biblionumber=771", "Request item"),
    ("detail", "en", "/patron/loans/renew/8812", "Renew"),
    ("detail", "en", "/catalog/882/recall", "Recall this copy"),
    ("detail", "en", "/bookbag?bib=5512&do=put", "Add to book bag"),
    ("detail", "en", "/tags/new?record=5512&tag=good", "Tag it"),
    ("detail", "de", "/titel/4711/vormerken", "Vormerken"),
    ("detail", "de", "/konto/ausleihen/verlaengern?id=3", "Leihfrist verlängern"),
    ("detail", "de", "/merkliste/hinzu/4711", "Auf die Merkliste"),
    ("detail", "de", "/fernleihe/bestellen?ppn=81", "Per Fernleihe bestellen"),
    ("detail", "fr", "/notice/551/reserver", "Réserver ce document"),
    ("detail", "fr", "/panier.php?lvl=ajout&id=55", "Ajouter au panier"),
    ("detail", "fr", "/compte/pret/prolonger/8", "Prolonger le prêt"),
    ("detail", "es", "/registro/551/reservar", "Reservar ejemplar"),
    ("detail", "es", "/prestamos/renovar/19", "Renovar préstamo"),
    ("detail", "it", "/scheda/551/prenota", "Prenota"),
    ("detail", "it", "/prestiti/proroga?id=7", "Proroga prestito"),
    ("detail", "pt", "/obra/551/reservar", "Reservar exemplar"),
    ("detail", "nl", "/titel/551/reserveren", "Reserveren"),
    ("detail", "sv", "/post/551/reservera", "Reservera"),
    ("detail", "da", "/vaerk/551/bestil", "Bestil"),
    ("detail", "fi", "/teos/551/varaa", "Varaa"),
    ("detail", "pl", "/rekord/551/zamow", "Zamów"),
    ("detail", "cs", "/zaznam/551/rezervovat", "Rezervovat"),
    ("detail", "hu", "/rekord/551/foglalas", "Lefoglalom"),
    ("detail", "ru", "/zapis/551/zakaz", "Заказать"),
    ("detail", "el", "/eggrafi/551/kratisi", "Κράτηση"),
    ("detail", "tr", "/kayit/551/ayirt", "Ayırt"),
    ("detail", "ja", "/bib/551?m=9", "予約する"),
    ("detail", "zh", "/bib/552?m=9", "预约"),
    ("detail", "ko", "/bib/553?m=9", "예약하기"),
    ("detail", "ar", "/bib/554?m=9", "حجز هذا الكتاب"),
    ("detail", "he", "/bib/555?m=9", "הזמן עותק"),
    # Shops and marketplaces
    ("detail", "en", "/p/551/buy-now", "Buy it now"),
    ("detail", "en", "/item/771?quick=order", "Order this"),
    ("detail", "en", "/lot/338/bid?plus=10", "Bid + 10"),
    ("detail", "en", "/item/771/make-offer?price=5", "Make an offer"),
    ("detail", "en", "/compare/put?sku=81", "Compare"),
    ("detail", "en", "/stock/notify?sku=81", "Notify me when available"),
    ("detail", "de", "/artikel/51/jetzt-kaufen", "Jetzt kaufen"),
    ("detail", "de", "/artikel/51/merken", "Auf den Wunschzettel"),
    ("detail", "fr", "/produit/51/acheter", "Acheter maintenant"),
    ("detail", "fr", "/favoris/plus/51", "Mettre en favori"),
    ("detail", "es", "/articulo/51/comprar", "Comprar ahora"),
    ("detail", "es", "/favoritos/agregar/51", "Guardar en favoritos"),
    ("detail", "it", "/prodotto/51/compra", "Compra subito"),
    ("detail", "pt", "/produto/51/comprar", "Comprar"),
    ("detail", "nl", "/artikel/51/kopen", "Nu kopen"),
    ("detail", "sv", "/vara/51/kop", "Lägg i varukorg"),
    ("detail", "pl", "/produkt/51/kup", "Kup teraz"),
    ("detail", "cs", "/zbozi/51/koupit", "Koupit"),
    ("detail", "ro", "/produs/51/cumpara", "Cumpără acum"),
    ("detail", "ru", "/tovar/51/kupit", "Купить"),
    ("detail", "uk", "/tovar/52/kupyty", "Купити"),
    ("detail", "bg", "/stoka/51/kupi", "Купи"),
    ("detail", "tr", "/urun/51/satinal", "Satın al"),
    ("detail", "vi", "/san-pham/51/mua", "Mua ngay"),
    ("detail", "id", "/produk/51/beli", "Beli sekarang"),
    ("detail", "th", "/p/61?z=1", "สั่งซื้อ"),
    ("detail", "ja", "/p/62?z=1", "購入する"),
    ("detail", "zh", "/p/63?z=1", "立即购买"),
    ("detail", "ko", "/p/64?z=1", "구매하기"),
    ("detail", "hi", "/p/65?z=1", "अभी खरीदें"),
    ("detail", "fa", "/p/66?z=1", "خرید"),
    ("detail", "ar", "/p/67?z=1", "أضف إلى السلة"),
    # Communities: votes, marks, lists, people
    ("link", "en", "/story/551/upvote", "▲"),
    ("link", "en", "/c/551/downvote?auth=1f", "▼"),
    ("link", "en", "/answer/8/accept", "Accept this answer"),
    ("link", "en", "/u/ada/follow", "Follow"),
    ("link", "en", "/u/ada/mute", "Mute"),
    ("link", "en", "/u/ada/block", "Block this member"),
    ("link", "en", "/u/ada/poke", "Poke"),
    ("link", "en", "/friend/request/12", "Add friend"),
    ("link", "en", "/thread/9/bump", "Bump"),
    ("link", "en", "/thread/9/sticky?on=1", "Make sticky"),
    ("link", "en", "/post/9/flag?why=spam", "Report as spam"),
    ("link", "en", "/event/12/rsvp?a=yes", "I am going"),
    ("link", "en", "/group/4/join", "Join this group"),
    ("link", "en", "/group/4/leave", "Leave group"),
    ("link", "en", "/rate?pic=5&stars=4", "4 stars"),
    ("link", "en", "/poll.php?pid=3&choice=2", "Vote"),
    ("link", "en", "/inbox/mark-all-read", "Mark all as read"),
    ("link", "de", "/beitrag/9/melden", "Beitrag melden"),
    ("link", "de", "/beitrag/9/gefaellt", "Gefällt mir"),
    ("link", "de", "/gruppe/4/beitreten", "Gruppe beitreten"),
    ("link", "de", "/mitglied/8/sperren", "Benutzer sperren"),
    ("link", "fr", "/message/9/signaler", "Signaler un abus"),
    ("link", "fr", "/membre/8/bloquer", "Bloquer ce membre"),
    ("link", "fr", "/avis/9/utile?oui=1", "Cet avis m'a été utile"),
    ("link", "es", "/mensaje/9/denunciar", "Denunciar"),
    ("link", "es", "/encuesta/3/votar?o=2", "Votar"),
    ("link", "it", "/commento/9/segnala", "Segnala"),
    ("link", "it", "/gruppo/4/iscriviti", "Iscriviti al gruppo"),
    ("link", "pt", "/comentario/9/curtir", "Curtir"),
    ("link", "nl", "/bericht/9/vind-leuk", "Vind ik leuk"),
    ("link", "nl", "/groep/4/lid-worden", "Lid worden"),
    ("link", "sv", "/inlagg/9/gilla", "Gilla"),
    ("link", "no", "/innlegg/9/rapporter", "Rapporter innlegg"),
    ("link", "da", "/indlaeg/9/anmeld", "Anmeld indlæg"),
    ("link", "fi", "/viesti/9/tykkaa", "Tykkää"),
    ("link", "pl", "/wpis/9/polub", "Lubię to"),
    ("link", "cs", "/prispevek/9/nahlasit", "Nahlásit"),
    ("link", "hu", "/hozzaszolas/9/kedvel", "Tetszik"),
    ("link", "ru", "/post/9/zhaloba", "Пожаловаться"),
    ("link", "uk", "/dopys/9/podobaietsia", "Подобається"),
    ("link", "tr", "/yorum/9/begen", "Beğen"),
    ("link", "el", "/sxolio/9/anafora", "Αναφορά"),
    ("link", "id", "/komentar/9/suka", "Suka"),
    ("link", "vi", "/binh-luan/9/thich", "Thích"),
    ("link", "ja", "/w/9?g=1", "いいね"),
    ("link", "zh", "/w/10?g=1", "点赞"),
    ("link", "ko", "/w/11?g=1", "좋아요"),
    ("link", "ar", "/w/12?g=1", "إعجاب"),
    ("link", "he", "/w/13?g=1", "דווח על תגובה"),
    # Accounts, mail and settings
    ("link", "en", "/newsletter/optout?u=551", "Opt out"),
    ("link", "en", "/account/verify/9f31aa", "Verify my address"),
    ("link", "en", "/alerts/create?q=river", "Create alert"),
    ("link", "en", "/search/save?q=river", "Save this search"),
    ("link", "en", "/password/forgot/send?user=4", "Send me a new password"),
    ("link", "en", "/session/end", "Sign off"),
    ("link", "en", "/invite/81/decline", "Decline"),
    ("link", "en", "/consent?all=accept", "Accept all cookies"),
    ("link", "de", "/konto/aufloesen", "Konto auflösen"),
    ("link", "de", "/newsletter/austragen?m=5", "Aus dem Verteiler austragen"),
    ("link", "de", "/suche/speichern?q=fluss", "Suche speichern"),
    ("link", "fr", "/lettre/desinscription?m=5", "Se désinscrire"),
    ("link", "fr", "/recherche/enregistrer?q=fleuve", "Enregistrer cette recherche"),
    ("link", "es", "/boletin/baja?m=5", "Darse de baja"),
    ("link", "es", "/alerta/crear?q=rio", "Crear alerta"),
    ("link", "it", "/newsletter/cancellati?m=5", "Cancellati"),
    ("link", "pt", "/boletim/sair?m=5", "Cancelar assinatura"),
    ("link", "nl", "/nieuwsbrief/afmelden?m=5", "Afmelden"),
    ("link", "sv", "/nyhetsbrev/avsluta?m=5", "Avsluta prenumerationen"),
    ("link", "da", "/konto/luk", "Luk min konto"),
    ("link", "pl", "/newsletter/wypisz?m=5", "Wypisz się"),
    ("link", "cs", "/odber/zrusit?m=5", "Zrušit odběr"),
    ("link", "hu", "/hirlevel/leiratkozas?m=5", "Leiratkozás"),
    ("link", "ro", "/buletin/dezabonare?m=5", "Dezabonare"),
    ("link", "ru", "/rassylka/otpiska?m=5", "Отписаться"),
    ("link", "bg", "/biuletin/otpishi?m=5", "Отпиши ме"),
    ("link", "sr", "/nalog/ugasi", "Угаси налог"),
    ("link", "el", "/enimerosi/diagrafi?m=5", "Διακοπή συνδρομής"),
    ("link", "tr", "/bulten/cik?m=5", "Abonelikten çık"),
    ("link", "ja", "/ml/5?c=0", "配信停止"),
    ("link", "zh", "/ml/6?c=0", "退订"),
    ("link", "ko", "/ml/7?c=0", "수신거부"),
    ("link", "th", "/ml/8?c=0", "ยกเลิกการสมัคร"),
    # Administration, jobs and machines
    ("link", "en", "/cron/run?key=81", "Run cron"),
    ("link", "en", "/admin/cache/flush", "Flush caches"),
    ("link", "en", "/jobs/nightly/trigger", "Build now"),
    ("link", "en", "/service/nginx/restart", "Restart"),
    ("link", "en", "/index/rebuild", "Rebuild index"),
    ("link", "en", "/queue/5/retry", "Try again"),
    ("link", "en", "/keys/3/rotate", "Rotate key"),
    ("link", "en", "/backup/3/restore", "Restore"),
    ("link", "en", "/printers/2/print-test-page", "Print test page"),
    ("link", "en", "/sync?now=1", "Synchronise now"),
    ("link", "en", "/install.php?step=2", "Continue installation"),
    ("link", "en", "/setup/finish?drop_tables=yes", "Finish"),
    ("link", "en", "/report/9/regenerate", "Regenerate"),
    ("link", "en", "/feature/beta/enable", "Enable"),
    ("link", "en", "/draft/9/publish", "Publish"),
    ("link", "en", "/task/9/done", "Mark as done"),
    ("link", "en", "/ticket/9/take", "Assign to me"),
    ("link", "en", "/rows/9/move-up", "Up"),
    ("link", "en", "/page/9/revert/81", "Revert to this revision"),
    ("link", "en", "/counter/reset", "Reset counter"),
    ("link", "de", "/zaehler/zuruecksetzen", "Zähler zurücksetzen"),
    ("link", "de", "/verwaltung/cache-leeren", "Cache leeren"),
    ("link", "fr", "/cache/vider", "Vider le cache"),
    ("link", "es", "/tarea/9/ejecutar", "Ejecutar ahora"),
    ("link", "it", "/indice/ricostruisci", "Ricostruisci indice"),
    ("link", "pl", "/usluga/3/uruchom", "Uruchom ponownie"),
    ("link", "ru", "/zadanie/3/zapustit", "Запустить"),
    ("link", "zh", "/job/3?b=1", "立即执行"),
    # Told by what stands beside it alone
    ("link", "en", "/p/81?k=1f", "Yes", "", "Do you really want to delete this entry?"),
    ("link", "en", "/p/82?k=1f", "OK", "", "This removes the record and all of its files."),
    ("link", "en", "/p/83?k=1f", "Go ahead", "", "Your account will be closed."),
    ("link", "en", "/p/84?k=1f", "Continue", "", "Are you sure you want to empty the trash?"),
    ("link", "en", "/p/85?k=1f", "✕", "Remove"),
    ("link", "en", "/p/86?k=1f", "+", "Add to my shelf"),
    ("link", "de", "/p/87?k=1f", "Ja", "", "Soll dieser Eintrag wirklich gelöscht werden?"),
    ("link", "de", "/p/88?k=1f", "Weiter", "", "Damit wird Ihre Bestellung verbindlich."),
    ("link", "fr", "/p/89?k=1f", "Oui", "", "Voulez-vous vraiment supprimer cette fiche ?"),
    ("link", "fr", "/p/90?k=1f", "✕", "Retirer de la liste"),
    ("link", "es", "/p/91?k=1f", "Sí", "", "¿Seguro que desea eliminar este registro?"),
    ("link", "it", "/p/92?k=1f", "Sì", "", "Vuoi davvero eliminare questa voce?"),
    ("link", "pt", "/p/93?k=1f", "Sim", "", "Tem certeza de que deseja excluir este item?"),
    ("link", "nl", "/p/94?k=1f", "Ja", "", "Weet u zeker dat u dit item wilt verwijderen?"),
    ("link", "sv", "/p/95?k=1f", "Ja", "", "Vill du verkligen ta bort posten?"),
    ("link", "pl", "/p/96?k=1f", "Tak", "", "Czy na pewno chcesz usunąć ten wpis?"),
    ("link", "cs", "/p/97?k=1f", "Ano", "", "Opravdu chcete smazat tento záznam?"),
    ("link", "ru", "/p/98?k=1f", "Да", "", "Вы действительно хотите удалить эту запись?"),
    ("link", "tr", "/p/99?k=1f", "Evet", "", "Bu kaydı silmek istediğinizden emin misiniz?"),
    ("link", "ja", "/p/100?k=1f", "はい", "", "本当に削除しますか?"),
    ("link", "zh", "/p/101?k=1f", "确定", "", "确定要删除这条记录吗?"),
    ("link", "ko", "/p/102?k=1f", "예", "", "정말 삭제하시겠습니까?"),
    ("link", "ar", "/p/103?k=1f", "نعم", "", "هل تريد حقا حذف هذا السجل؟"),
    # What turns pages in name only
    ("paging", "en", "/list/next/archive-all", "Next"),
    ("paging", "en", "/queue/next?claim=1", "Next"),
    ("paging", "en", "/review/next?approve=551", "Next »"),
    ("paging", "en", "/wizard?step=3&commit=1", "Next"),
    ("paging", "en", "/deck/next?rate=hard", "Next"),
    ("paging", "en", "/moderate/next?reject=81", "2"),
    ("paging", "de", "/pruefung/weiter?freigeben=5", "Weiter"),
    ("paging", "fr", "/file/suivant?valider=5", "Suivant"),
    ("paging", "es", "/cola/siguiente?aprobar=5", "Siguiente"),
    ("paging", "it", "/coda/avanti?approva=5", "Avanti"),
    ("paging", "nl", "/wachtrij/volgende?goedkeuren=5", "Volgende"),
    ("paging", "pl", "/kolejka/dalej?zatwierdz=5", "Dalej"),
    ("paging", "ru", "/ochered/dalee?odobrit=5", "Далее"),
    ("paging", "ja", "/q/6?approve=1", "次へ"),
    # Forms by GET; empty values take text
    ("form", "en", "/maintenance/optimise?table=", "Optimise table"),
    ("form", "en", "/sms?to=&text=", "Send text message"),
    ("form", "en", "/dns/add-record?name=", "Create"),
    ("form", "en", "/shorten?url=", "Shorten"),
    ("form", "en", "/guestbook?entry=", "Sign the guestbook"),
    ("form", "en", "/redeem?code=", "Redeem"),
    ("form", "en", "/waitlist?email=", "Put me on the list"),
    ("form", "en", "/rename?id=5&to=", "Rename"),
    ("form", "en", "/eval?code=", "Execute"),
    ("form", "en", "/petition?name=", "Sign this petition"),
    ("form", "de", "/gaestebuch?eintrag=", "Eintragen"),
    ("form", "de", "/spende?betrag=", "Spenden"),
    ("form", "de", "/umfrage?antwort=", "Abstimmen"),
    ("form", "fr", "/livre-dor?texte=", "Signer le livre d'or"),
    ("form", "fr", "/don?montant=", "Faire un don"),
    ("form", "fr", "/inscription?courriel=", "S'inscrire"),
    ("form", "es", "/suscripcion?correo=", "Suscribirme"),
    ("form", "es", "/donar?importe=", "Donar"),
    ("form", "it", "/iscrizione?email=", "Iscriviti"),
    ("form", "pt", "/assinar?email=", "Assinar"),
    ("form", "nl", "/inschrijven?email=", "Inschrijven"),
    ("form", "sv", "/prenumerera?epost=", "Prenumerera"),
    ("form", "fi", "/tilaa?sahkoposti=", "Tilaa uutiskirje"),
    ("form", "pl", "/zapisz?email=", "Zapisz się"),
    ("form", "cs", "/odber?email=", "Odebírat"),
    ("form", "ru", "/podpiska?email=", "Подписаться"),
    ("form", "tr", "/abone?eposta=", "Abone ol"),
    ("form", "ja", "/touroku?mail=", "登録する"),
    ("form", "zh", "/dingyue?mail=", "订阅"),
    ("form", "ko", "/gudok?mail=", "구독하기"),
    ("form", "ar", "/ishtirak?mail=", "اشترك"),
)

# Written when the judge had learned from the development half above: 47 of them passed at first
# look. Then infinitives after ids were recognised, whatever the verb; no word was added for them.
_LATER_ROWS: tuple[tuple[str, ...], ...] = (
    ("link", "en", "/parcel/81/redirect-to-neighbour", "Leave with neighbour"),
    ("link", "en", "/meter/4/submit-reading?kwh=51", "Submit this reading"),
    ("link", "en", "/shift/91/swap", "Offer this shift"),
    ("link", "en", "/camera/2/arm", "Arm"),
    ("link", "en", "/dataset/51/ingest", "Ingest now"),
    ("link", "en", "/page/7?purge=1", "Refresh cache"),
    ("link", "en", "/docs/5/sign", "Sign document"),
    ("link", "en", "/seat/12b/release", "Release seat"),
    ("link", "en", "/slot/2026-05-01T10:00/take", "10:00"),
    ("link", "en", "/coupon/51/claim", "Get code"),
    ("link", "en", "/translate/string/81/suggest?text=ok", "Suggest"),
    ("link", "en", "/review/9/helpful/yes", "Yes"),
    ("link", "en", "/wiki/Main?do=revert&rev=15", "Restore"),
    ("link", "en", "/torrent/51/thank", "Say thanks"),
    ("link", "en", "/board/3/pin/8/repin", "Save"),
    ("link", "en", "/team/4/promote/91", "Make admin"),
    ("link", "en", "/export/start?format=zip", "Prepare download"),
    ("link", "en", "/p/901?k=2", "Proceed", "", "The subscription will be cancelled today."),
    ("detail", "de", "/objekt/51/anfragen", "Jetzt anfragen"),
    ("detail", "de", "/termin/51/buchen", "Termin buchen"),
    ("detail", "de", "/anzeige/51/merken", "Anzeige merken"),
    ("link", "de", "/mitglied/51/anstupsen", "Anstupsen"),
    ("link", "de", "/zeile/51/duplizieren", "Zeile duplizieren"),
    ("link", "de", "/p/902?k=2", "OK", "", "Alle Daten werden unwiderruflich vernichtet."),
    ("detail", "fr", "/annonce/51/postuler", "Postuler"),
    ("link", "fr", "/tache/51/terminer", "Marquer comme terminée"),
    ("link", "fr", "/sujet/51/epingler", "Épingler"),
    ("link", "fr", "/p/903?k=2", "Oui", "", "Le compte sera clôturé définitivement."),
    ("detail", "es", "/oferta/51/inscribirme", "Inscribirme"),
    ("link", "es", "/foto/51/girar?a=90", "Girar"),
    ("link", "es", "/hilo/51/cerrar", "Cerrar hilo"),
    ("link", "it", "/annuncio/51/candidati", "Candidati"),
    ("link", "it", "/riga/51/duplica", "Duplica riga"),
    ("link", "pt", "/tarefa/51/concluir", "Concluir"),
    ("link", "pt", "/lista/51/limpar", "Limpar lista"),
    ("detail", "nl", "/vacature/51/solliciteren", "Solliciteer direct"),
    ("link", "nl", "/taak/51/afronden", "Taak afronden"),
    ("link", "sv", "/annons/51/spara", "Spara annons"),
    ("link", "da", "/opgave/51/luk", "Luk opgave"),
    ("link", "no", "/sak/51/lukk", "Lukk sak"),
    ("link", "fi", "/ilmoitus/51/tallenna", "Tallenna ilmoitus"),
    ("link", "pl", "/oferta/51/aplikuj", "Aplikuj"),
    ("link", "pl", "/zadanie/51/zakoncz", "Oznacz jako wykonane"),
    ("link", "cs", "/ukol/51/dokoncit", "Označit za hotové"),
    ("link", "hu", "/feladat/51/kesz", "Késznek jelölöm"),
    ("link", "ro", "/anunt/51/salveaza", "Salvează anunțul"),
    ("link", "ru", "/vakansiya/51/otklik", "Откликнуться"),
    ("link", "ru", "/zadacha/51/zavershit", "Завершить"),
    ("link", "uk", "/zavdannia/51/zavershyty", "Завершити"),
    ("link", "el", "/ergasia/51/oloklirosi", "Ολοκλήρωση"),
    ("link", "tr", "/ilan/51/basvur", "Başvur"),
    ("link", "tr", "/gorev/51/tamamla", "Tamamla"),
    ("link", "ar", "/m/51?z=4", "إغلاق المهمة"),
    ("link", "fa", "/m/52?z=4", "ارسال درخواست"),
    ("link", "he", "/m/53?z=4", "סגור משימה"),
    ("link", "ja", "/m/54?z=4", "応募する"),
    ("link", "ja", "/m/55?z=4", "完了にする"),
    ("link", "zh", "/m/56?z=4", "立即申请"),
    ("link", "ko", "/m/57?z=4", "지원하기"),
    ("link", "vi", "/cong-viec/51/hoan-thanh", "Hoàn thành"),
    ("link", "id", "/tugas/51/selesai", "Tandai selesai"),
    ("link", "th", "/m/58?z=4", "ทำเครื่องหมายว่าเสร็จ"),
)

FRESH = tuple(FreshTarget(*row) for row in _ROWS)
DEVELOPMENT = tuple(target for target in FRESH if target.split == "development")
HELD_OUT = tuple(target for target in FRESH if target.split == "held-out")
LATER = tuple(FreshTarget(*row) for row in _LATER_ROWS)


def write_page(target: FreshTarget) -> bytes:
    """The page of one target, which stands in a block with what is beside it."""
    title = f' title="{escape(target.title)}"' if target.title else ""
    if target.kind != "form":
        shown = f'<a href="{escape(target.url)}"{title}>{escape(target.text)}</a>'
        return f"<title>Books</title><p>{escape(target.beside)} {shown}</p>".encode()
    parts = urlsplit(target.url)
    fields = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        if value
        else f'<input name="{escape(name)}">'
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
    )
    button = f"<button{title}>{escape(target.text)}</button>"
    return f'<p>{target.beside}</p><form action="{parts.path}">{fields}{button}</form>'.encode()


def is_let_pass(target: FreshTarget) -> bool:
    """Whether the judge of links, or the gate of forms, sees nothing in it."""
    page = parse_page(write_page(target), Url("http://a.example/"), "text/html; charset=utf-8")
    if target.kind == "form":
        (form,) = page.forms
        values = {field.name: "river" for field in form.fields if field.kind == "text"}
        decision = prepare(form, values, 1.0)
        return not isinstance(decision, SubmissionRefusal) or "below" in decision.why
    (link,) = page.links
    before = page.text_before(link)
    return not find_state_change(link.target, link.anchor, link.title, before)


def count_fresh_passing(targets: Sequence[FreshTarget]) -> int:
    """How many of them would be asked for."""
    return sum(map(is_let_pass, targets))
