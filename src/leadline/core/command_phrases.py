# ruff: noqa: RUF001 - words of many scripts

"""Commands as links say them, by language: a verb alone, or a verb with what it is done to.

`state_change` takes them for commands where the address names a thing. A verb that is also a noun,
a name or the beginning of titles (`close`, `join`, `las`) counts only beside an object of its own
language. Objects are what software keeps for its users, as beginnings of words. Written from
knowledge of what real software has in its menus; where a command stands in a text (at the
beginning, at its end) is grammar and not told here.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from leadline.core.address_words import find_words
from leadline.core.text import fold


class Language(NamedTuple):
    """Words are parted by blanks; a plus joins the words of one verb."""

    alone: str
    """Verbs whose whole text means it."""
    beside: str
    """Verbs that need an object."""
    objects: str
    verb: Literal["first", "last", "both"] = "first"
    """Where it stands."""


SPACED: Final = {
    "en": Language(
        "publish turn+on turn+off switch+on switch+off assign+to+me take+over fold+up hide"
        " unhide opt+out",
        "lock unlock join leave accept hide clear close add remove mark delete redeem turn"
        " switch send stop pin restore assign claim kick resend approve flush invite extend wink",
        "post messag comment topic thread list trash bin group user account member ticket"
        " request order booking reserv loan hold cart basket coupon voucher history cache log"
        " service version subscri remind favourite favorite wishlist friend invit build job"
        " notific alert vote poll session device draft revision translat me",
    ),
    "de": Language(
        "anpinnen abpinnen losheften einschalten ausschalten veroffentlichen abschalten"
        " anschalten beitreten austreten aktivieren deaktivieren entsperren freischalten"
        " verwerfen einlosen teilnehmen kundigen zuruckziehen mir+zuweisen ubernehmen"
        " nicht+mehr+beobachten wieder+offnen erneut+offnen erneut+senden",
        "entfernen beitreten verlassen schliessen einlosen zuweisen zuordnen leeren loschen"
        " sperren melden merken markieren starten stoppen senden verschieben annehmen anlegen"
        " ablegen bestatigen zurucksetzen bewerten teilen einladen archivieren",
        "beitrag kommentar nachricht thema thread liste papierkorb gruppe benutzer nutzer konto"
        " mitglied ticket anfrage bestellung buchung reservierung ausleihe vormerkung warenkorb"
        " gutschein verlauf cache protokoll dienst version abo erinnerung favorit merkzettel"
        " freund einladung job benachrichtigung alarm umfrage sitzung gerat entwurf mir mich",
        "both",
    ),
    "fr": Language(
        "rejeter allumer eteindre publier depublier masquer rouvrir m+assigner me+l+assigner"
        " desactiver relancer ne+plus+suivre renvoyer",
        "utiliser fermer lever quitter rejoindre vider effacer activer desactiver envoyer"
        " marquer lancer arreter accepter decliner bloquer debloquer deplacer valider retirer"
        " assigner attribuer partager inviter archiver noter signaler restaurer",
        "message commentaire sujet discussion liste corbeille groupe utilisateur compte membre"
        " ticket demande commande reservation pret panier bon coupon historique cache journal"
        " service version abonnement rappel favori ami invitation tache notification alerte"
        " sondage session appareil brouillon moi",
    ),
    "es": Language(
        "encender apagar publicar despublicar asignarme asignar+a+mi reabrir ocultar fijar"
        " dejar+de+seguir darse+de+baja reenviar activar desactivar",
        "abandonar dejar unirse salir canjear usar cerrar vaciar limpiar borrar enviar marcar"
        " iniciar detener ejecutar aceptar rechazar bloquear desbloquear mover quitar asignar"
        " compartir invitar archivar restaurar reportar denunciar",
        "mensaje comentario tema hilo lista papelera grupo usuario cuenta miembro incidencia"
        " solicitud pedido reserva prestamo carrito cesta cupon historial cache registro"
        " servicio version suscripcion recordatorio favorito amigo invitacion tarea notificacion"
        " alerta encuesta sesion dispositivo borrador mi",
    ),
    "it": Language(
        "accendi spegni pubblica nascondi riapri assegna+a+me smetti+di+seguire disiscriviti"
        " attiva disattiva reinvia",
        "lascia abbandona entra esci riscatta usa chiudi svuota cancella invia segna avvia ferma"
        " esegui accetta rifiuta blocca sblocca sposta togli assegna condividi invita archivia"
        " ripristina segnala pulisci",
        "messaggio commento discussione argomento lista cestino gruppo utente account membro"
        " segnalazione richiesta ordine prenotazione prestito carrello buono coupon cronologia"
        " cache registro servizio version iscrizione promemoria preferit amic invito notific"
        " avviso sondaggio session dispositivo bozza me",
    ),
    "pt": Language(
        "fixar recusar ligar desligar publicar despublicar atribuir+a+mim deixar+de+seguir"
        " ocultar reabrir ativar desativar reenviar",
        "entrar sair limpar resgatar usar fechar esvaziar apagar excluir enviar marcar iniciar"
        " parar executar aceitar rejeitar bloquear desbloquear mover retirar atribuir partilhar"
        " compartilhar convidar arquivar restaurar denunciar",
        "mensage comentario topico lista lixeira grupo usuario utilizador conta membro chamado"
        " pedido reserva emprestimo carrinho cupom cupao historico cache registro registo"
        " servico versao inscricao assinatura lembrete favorito amigo convite notificac alerta"
        " enquete sessao dispositivo rascunho mim",
    ),
    "nl": Language(
        "weigeren inschakelen uitschakelen publiceren depubliceren aan+mij+toewijzen"
        " niet+meer+volgen markeren+als+gelezen markeren+als+ongelezen deactiveren"
        " opnieuw+verzenden",
        "lid+worden verlaten deactiveren sturen inwisselen gebruiken sluiten legen wissen"
        " markeren starten stoppen uitvoeren accepteren blokkeren deblokkeren verplaatsen"
        " toewijzen delen uitnodigen archiveren herstellen melden toevoegen",
        "bericht reactie onderwerp lijst prullenbak groep gebruiker account lid ticket verzoek"
        " bestelling boeking reservering lening winkel bon coupon geschiedenis cache logboek"
        " dienst versie abonnement herinnering favoriet vriend uitnodiging taak melding peiling"
        " sessie apparaat concept mij",
        "both",
    ),
    "pl": Language(
        "odmow wlacz wylacz opublikuj cofnij+publikacje przypisz+do+mnie przestan+obserwowac"
        " odpusc polub nie+lubie aktywuj dezaktywuj wyslij+ponownie",
        "usun oproznij opusc przyjmij dezaktywuj wykorzystaj zrealizuj przypisz zamknij wyczysc"
        " wyslij oznacz uruchom zatrzymaj zaakceptuj odrzuc zablokuj odblokuj przenies dodaj"
        " udostepnij zapros zarchiwizuj przywroc zglos dolacz",
        "wpis post wiadomosc komentarz watek tem list kosz grup uzytkownik kont czlonk zgloszeni"
        " prosb zaproszeni zamowieni rezerwac wypozyczeni kupon histori pamiec dziennik uslug"
        " wersj subskryp przypomnieni ulubion znajom zadani powiadomieni alert ankiet sesj"
        " urzadzeni szkic mnie",
    ),
    "cs": Language(
        "odmitnout zapnout vypnout zverejnit priradit+mne priradit+sobe prestat+sledovat"
        " znovu+odeslat aktivovat deaktivovat",
        "odebrat vysypat vyprazdnit oznacit uzavrit zavrit pripojit vstoupit opustit deaktivovat"
        " uplatnit pouzit priradit vymazat smazat odeslat poslat spustit zastavit prijmout"
        " zamitnout odblokovat presunout pridat sdilet pozvat archivovat obnovit nahlasit",
        "prispev zprav komentar vlakn tema seznam kos skupin uzivatel ucet clen pozadav zadost"
        " objednav rezervac vypujc kupon histori mezipamet protokol sluzb verz odber pripomin"
        " obliben pritel pozvan ukol upozorn anket relac zarizen koncept mne sobe precten",
    ),
    "sk": Language(
        "zamietnut odmietnut zapnut vypnut zverejnit znovu+otvorit paci+sa+mi priradit+mne"
        " prestat+sledovat aktivovat deaktivovat",
        "odobrat vysypat vyprazdnit pridat oznacit zatvorit uzavriet pripojit opustit"
        " deaktivovat odoslat poslat uplatnit pouzit priradit vymazat zmazat spustit zastavit"
        " prijat odblokovat presunut zdielat pozvat archivovat obnovit nahlasit",
        "prispev sprav komentar vlakn tem zoznam kos skupin pouzivatel ucet clen poziadav"
        " ziadost objednav rezervac vypozic kupon histor vyrovnav protokol sluzb verzi odber"
        " pripomien oblub priatel pozvan uloh upozorn anket relac zariaden koncept mne sebe"
        " precitan",
    ),
    "sv": Language(
        "avsla avboj inaktivera sla+pa sla+av stang+av publicera avpublicera oppna+igen"
        " sluta+folja ga+med lamna tilldela+mig starta+om satt+pa fast+overst lana+om",
        "tom toem lagg+till markera las fast stang bekrafta avbestall lana+om ga+med lamna"
        " inaktivera rensa los+in tilldela radera skicka starta stoppa kor acceptera blockera"
        " flytta dela bjud+in arkivera aterstall anmal fornya ta+emot gilla",
        "inlagg meddelande kommentar trad amne lista papperskorg grupp anvandare konto medlem"
        " arende forfragan order bestallning bokning reservation lan varukorg kupong historik"
        " cache logg tjanst version prenumeration paminnelse favorit van inbjudan jobb avisering"
        " larm omrostning session enhet utkast mig last",
    ),
    "da": Language(
        "genabn taend sluk afsla udgiv offentliggor afpublicer tildel+til+mig folg+ikke+laengere"
        " sla+til sla+fra synes+godt+om aktiver deaktiver",
        "slet tom foj markér marker las luk bekraeft forlad bloker aktiver deaktiver gendan send"
        " ryd indlos brug tildel start stop kor accepter afvis flyt del inviter arkiver anmeld"
        " forny fjern",
        "indlaeg besked kommentar trad emne liste papirkurv gruppe bruger konto medlem sag"
        " anmodning ordre bestilling reservation booking lan kurv kupon historik cache log"
        " tjeneste version abonnement pamindelse favorit ven invitation job notifikation alarm"
        " afstemning session enhed kladde mig laest",
    ),
    "no": Language(
        "liker gjenapne avvis avslå avsla avbestill sla+pa sla+av skru+pa skru+av publiser"
        " avpubliser tildel+meg slutt+a+folge bli+med forlat aktiver deaktiver kjor+na"
        " fest+overst",
        "tom slett legg merk las fest lukk bekreft bli+med forlat aktiver deaktiver start stopp"
        " gjenopprett send los+inn bruk tildel kjor godta blokker flytt del inviter arkiver"
        " rapporter forny fjern",
        "innlegg melding kommentar trad emne liste papirkurv gruppe bruker konto medlem sak"
        " foresporsel ordre bestilling reservasjon lan handlekurv kupong historikk buffer logg"
        " tjeneste versjon abonnement paminnelse favoritt venn invitasjon jobb varsel avstemning"
        " okt enhet utkast meg lest saken",
    ),
    "fi": Language(
        "lopeta+seuraaminen kytke+paalle kytke+pois sammuta julkaise palauta avaa+uudelleen"
        " ota+kasittelyyn liity poistu aktivoi laheta+uudelleen",
        "lisaa ilmoita merkitse sulje uusi liity poistu esta aktivoi poista palauta lunasta"
        " kayta tyhjenna laheta kaynnista pysayta suorita hyvaksy hylkaa lukitse siirra jaa"
        " kutsu arkistoi peru nimea",
        "viesti kommentti ketju aihe lista luettelo roskakori ryhma kayttaja tili jasen tiketti"
        " pyynto tilau varau laina ostoskori kuponki historia valimuisti loki palvelu versio"
        " muistutu suosik kaveri kutsu tyo ilmoitu halytys aanesty istunto laite luonno minulle"
        " luetuksi",
    ),
    "hu": Language(
        "kituzes ujranyitas jovahagyas elutasitas visszautasitas bekapcsolas kikapcsolas"
        " kozzetetel kozzetetel hozzam+rendeles olvasottnak+jeloles kovetes+leallitasa"
        " kedvencekhez+adas aktivalas ujrakuldes elrejtes csatlakozas kilepes",
        "torlese torles eltavolitas eltavolitasa uritese jelentese lezarasa lemondasa"
        " csatlakozas kilepes letiltasa tiltasa elfogadasa aktivalasa ujrainditasa"
        " visszaallitasa kuldese bevaltasa rendeles megerositese inditasa leallitasa futtatasa"
        " athelyezese megosztasa meghivasa archivalasa megujitasa modositasa kituzese rogzitese"
        " eltavolitas",
        "hozzaszolas uzenet tema szal lista lomtar kuka csoport felhasznalo fiok tag hibajegy"
        " keres keret rendeles foglalas kolcsonzes kosar kupon elozmeny gyorsitotar naplo"
        " szolgaltatas verzio feliratkozas emlekezteto kedvenc ismeros meghivo feladat ertesites"
        " riasztas szavazas munkamenet eszkoz piszkozat hozzam visszaeles",
        "last",
    ),
    "ro": Language(
        "redeschide refuza porneste opreste publica retrage atribuie-mi atribuie+mi"
        " nu+mai+urmari alatura+te paraseste reactiveaza dezactiveaza activeaza",
        "adauga marcheaza alatura+te paraseste dezactiveaza restaureaza foloseste atribuie"
        " inchide goleste sterge trimite porneste opreste ruleaza accepta blocheaza deblocheaza"
        " muta distribuie invita arhiveaza raporteaza reinnoieste elimina confirma",
        "mesaj comentari subiect fir lista listei cos grup utilizator cont membr tichet cerer"
        " comand rezervar imprumut cupon istoric cache jurnal serviciu versiun abonament memento"
        " favorit prieten invitati sarcin notificar alert sondaj sesiun dispozitiv ciorn mie"
        " citit",
    ),
    "hr": Language(
        "prikvaci otkvaci ukljuci iskljuci objavi prestani+pratiti dodijeli+meni svida+mi+se"
        " ponovno+otvori ponovno+posalji aktiviraj deaktiviraj prikljuci napusti",
        "dodaj oznaci zatvori napusti aktiviraj deaktiviraj vrati iskoristi dodijeli obrisi"
        " ukloni posalji pokreni zaustavi prihvati odbij blokiraj odblokiraj premjesti podijeli"
        " pozovi arhiviraj prijavi isprazni pridruzi",
        "poruk objav komentar tem popis smec kos grup korisnik racun clan prijav zahtjev narudzb"
        " rezervac posudb kosaric kupon povijest predmemor dnevnik uslug verzij pretplat podsjet"
        " omiljen favorit prijatel pozivnic zadat obavijest upozoren anket sesij uredaj skic"
        " meni procitan",
    ),
    "sr": Language(
        "ukljuci iskljuci objavi prestani+da+pratis dodeli+meni svida+mi+se aktiviraj napusti"
        " укључи искључи објави додели+мени свиђа+ми+се активирај напусти закачи",
        "obrisi ukloni zatvori napusti vrati iskoristi posalji pokreni prihvati odbij обриши"
        " уклони затвори напусти врати искористи пошаљи покрени прихвати одбиј блокирај придружи"
        " закључај",
        "poruk tem list grup korisnik nalog zahtev narudzb rezervac pozajmic kupon istorij uslug"
        " verzij порук тем лист груп корисник налог захтев наруџб резервациј позајмиц купон"
        " историј услуг верзиј омиљен прочитан",
    ),
    "sl": Language(
        "pripni odpni vklopi izklopi objavi prenehaj+slediti dodeli+meni vsec+mi+je"
        " ponovno+odpri aktiviraj sledi zavrni odobri",
        "izbrisi odstrani zapri zapusti obnovi uporabi unovci poslji zazeni ustavi sprejmi"
        " zavrni blokiraj premakni dodaj oznaci pridruzi izprazni zakleni prijavi",
        "sporocil komentar tem seznam kos skupin uporabnik racun clan zahtevek prosnj narocil"
        " rezervac izposoj kupon zgodovin storitev razlicic opomnik priljubljen vabil nalog"
        " obvestil meni prebran",
    ),
    "ru": Language(
        "отказаться включить выключить опубликовать назначить+мне не+следить открыть+заново"
        " перестать+следить снять+с+публикации отправить+повторно активировать деактивировать"
        " больше+не+следить",
        "убрать отметить покинуть деактивировать закрыть удалить очистить отправить запустить"
        " остановить принять отклонить разблокировать переместить добавить поделиться пригласить"
        " восстановить продлить использовать применить назначить вступить выйти",
        "сообщен комментар тем ветк списк корзин групп пользовател аккаунт учетн участник заявк"
        " запрос заказ бронирован резерв купон промокод истори кэш журнал служб верси подписк"
        " напоминан избранн друз приглашен задач уведомлен опрос сесси устройств черновик мне"
        " прочитан",
    ),
    "uk": Language(
        "відмовитися увімкнути вимкнути опублікувати призначити+мені не+стежити відкрити+знову"
        " активувати деактивувати перестати+стежити",
        "прибрати позначити залишити вступити вийти активувати деактивувати перезапустити додати"
        " закрити видалити очистити надіслати запустити зупинити прийняти відхилити розблокувати"
        " перемістити поділитися запросити відновити використати призначити",
        "повідомлен коментар тем списк кошик груп користувач акаунт облік учасник заявк запит"
        " замовлен бронюван резерв купон промокод істор кеш журнал служб верс підписк нагадуван"
        " обран друз запрошен завдан сповіщен опитуван сесі пристро чернетк мені прочитан",
    ),
    "bg": Language(
        "следвай харесвам включи изключи публикувай възложи+на+мен отвори+отново спри+да+следваш"
        " резервирай активирай деактивирай стартирай+сега заключи",
        "изпразни добави отбележи заключи отмени удължи присъедини напусни активирай деактивирай"
        " стартирай възстанови използвай възложи затвори изтрий премахни изпрати спри приеми"
        " отхвърли блокирай премести сподели покани резервирай",
        "коментар съобщен тем нишк списък кошче груп потребител профил акаунт член заявк покан"
        " поръчк резервац заем купон истори кеш дневник услуг верси абонамент напомнян любим"
        " приятел задач известие анкет сеси устройств чернов мен прочетен тема",
    ),
    "el": Language(
        "επαναφορα ακολουθησε αρνηση ενεργοποιηση απενεργοποιηση δημοσιευση μου+αρεσει"
        " αναθεση+σε+μενα διακοπη+παρακολουθησης αποδεσμευση",
        "αδειασμα διακοπη προσθηκη σημανση επαναφορα συμμετοχη αποχωρηση ενεργοποιηση"
        " απενεργοποιηση εκκαθαριση εξαργυρωση αναθεση διαγραφη αφαιρεση αποστολη εκκινηση"
        " τερματισμος αποδοχη απορριψη μεταφορα κοινοποιηση προσκληση επαναφορα ανανεωση"
        " κλεισιμο",
        "μηνυμα σχολι θεμα λιστα καδο ομαδα χρηστη λογαριασμ μελ αιτημα παραγγελια κρατηση"
        " δανεισμ καλαθι κουπονι ιστορικ κρυφη αρχειο υπηρεσι εκδοση συνδρομη υπενθυμιση"
        " αγαπημενα φιλ προσκληση εργασια ειδοποιηση δημοσκοπηση συνεδρια συσκευη προχειρο μενα"
        " αναγνωσμενο παρακολουθηση",
    ),
    "tr": Language(
        "yayinla yayindan+kaldir begen devre+disi+birak etkinlestir yeniden+ac bana+ata"
        " takibi+birak gizle kapat+ac",
        "sil cikar isaretle kapat iptal+et iptal uzat katil ayril birak baslat yukle temizle"
        " kullan ata bosalt gonder durdur calistir kabul+et reddet engelle tasi ekle paylas"
        " davet+et arsivle onayla kilitle etkinlestir disi+birak",
        "mesaj yorum konu liste cop grup kullanici hesab hesap uye talep istek siparis"
        " rezervasyon sure odunc sepet kupon gecmis onbellek kayit servis hizmet surum abonelik"
        " hatirlatma favori arkadas davet gorev bildirim alarm anket oturum cihaz taslak bana"
        " okundu grub",
        "last",
    ),
    "id": Language(
        "nyalakan matikan terbitkan batal+terbitkan buka+kembali tugaskan+ke+saya nonaktifkan"
        " berhenti+mengikuti mulai+ulang",
        "tambah tandai tutup nonaktifkan mulai+ulang pulihkan tukar gunakan tugaskan hapus"
        " kosongkan kirim mulai hentikan terima tolak blokir pindahkan bagikan undang arsipkan"
        " laporkan gabung keluar",
        "pesan komentar topik daftar sampah grup pengguna akun anggota tiket permintaan pesanan"
        " reservasi pinjaman keranjang kupon riwayat tembolok log layanan versi langganan"
        " pengingat favorit teman undangan tugas notifikasi survei sesi perangkat draf saya"
        " dibaca",
    ),
    "vi": Language(
        "kich+hoat vo+hieu+hoa bat+len tat+di xuat+ban mo+lai dat+truoc chay+ngay bo+theo+doi",
        "xoa don+sach danh+dau khoa dong huy tham+gia roi chan kich+hoat vo+hieu+hoa chay"
        " khoi+phuc an gui doi giao chap+nhan tu+choi xac+nhan di+chuyen chia+se",
        "bai tin binh+luan chu danh thung nhom nguoi tai thanh yeu don cho muon gio phieu lich"
        " phien nhac ban loi toi doc",
    ),
    "ar": Language(
        "ايقاف نشر اعادة+فتح موافقة الغاء+النشر اسناد+الي",
        "افراغ تحديد الانضمام انضم مغادرة استعادة استخدام اسناد حذف ازالة مسح ارسال تشغيل ايقاف"
        " قبول رفض حظر نقل اضافة مشاركة دعوة ارشفة تجديد تاكيد الغاء اغلاق",
        "الرسال التعليق الموضوع القائم السل المهملات المجموع المستخدم الحساب العضو التذكر الطلب"
        " الحجز الاعار العرب القسيم السجل الخدم النسخ الاشتراك تذكير المفضل الصديق دعو مهم"
        " التنبيه الاستطلاع الجلس الجهاز المسود الي كمقروء",
    ),
    "he": Language(
        "סרב הדלק כבה פרסם בטל+פרסום פתח+מחדש הפסק+לעקוב הקצה+אליי סמן+כנקרא",
        "הסר הוסף סמן עזוב השבת הפעל שחזר נקה ממש הקצה מחק רוקן שלח עצור קבל חסום העבר שתף הזמן"
        " הארך סגור נעל דווח הצטרף אשר",
        "הודעה תגובה אשכול נושא רשימה מהרשימה אשפה קבוצה לקבוצה משתמש חשבון חבר פנייה בקשה הזמנה"
        " השאלה סל לסל קופון היסטוריה מטמון יומן שירות גרסה מנוי תזכורת מועדפים למועדפים משימה"
        " התראה סקר מכשיר טיוטה אליי",
    ),
    "ko": Language(
        "승인하기 거절하기 거절 켜기 끄기 게시하기 게시 다시+열기 지금+실행 예약+확정 팔로우+취소",
        "삭제 제거 비우기 닫기 확정 취소 가입하기 가입 탈퇴하기 탈퇴 수락 활성화 비활성화 재시작"
        " 실행 복원 보내기 지우기 사용하기 할당 추가 이동 공유 초대 보관 연장 신고 차단 잠그기",
        "게시글 댓글 메시지 스레드 목록 휴지통 그룹 사용자 계정 회원 티켓 요청 주문 예약 대출"
        " 장바구니 쿠폰 기록 캐시 로그 서비스 버전 구독 알림 즐겨찾기 친구 초대 작업 투표 세션"
        " 기기 초안 나에게",
        "last",
    ),
    "fa": Language(
        "روشن+کردن خاموش+کردن انتشار رد+کردن پذیرش بازگشایی لغو+دنبال+کردن",
        "حذف پاک+کردن خالی+کردن ترک پیوستن فعال+سازی غیرفعال+سازی ارسال شروع توقف اجرا بازیابی"
        " استفاده افزودن علامت مسدود+کردن انتقال دعوت تمدید تایید لغو بستن قفل",
        "پیام نظر موضوع فهرست سطل گروه کاربر حساب عضو تیکت درخواست سفارش رزرو امانت سبد کوپن"
        " تاریخچه خدمت نسخه اشتراک یادآور علاقه دوست دعوت وظیفه اعلان نظرسنجی نشست دستگاه",
        "both",
    ),
}
# In these scripts words are not parted, or signs of vowels part them for a pattern of words (hi).
UNPARTED: Final = {
    "hi": Language(
        "अस्वीकार+करें मना+करें चालू+करें बंद+करें प्रकाशित+करें पिन+करें स्वीकृत+करें फिर+से+खोलें"
        " अभी+चलाएं आरक्षित+करें नवीनीकृत+करें मुझे+सौंपें पसंद+करें छिपाएं सक्रिय+करें"
        " निष्क्रिय+करें",
        "करें हटाएं मिटाएं जोड़ें छोड़ें चलाएं भेजें भुनाएं सौंपें छिपाएं हों दें लें",
        "पोस्ट संदेश टिप्पणी विषय थ्रेड सूची कचरा समूह उपयोगकर्ता खाता सदस्य टिकट अनुरोध ऑर्डर बुकिंग"
        " ऋण कार्ट कूपन इतिहास कैश लॉग सेवा संस्करण सदस्यता अनुस्मारक पसंदीदा मित्र निमंत्रण कार्य"
        " सूचना मतदान सत्र डिवाइस ड्राफ्ट मुझे दुर्व्यवहार पढ़ा",
        "last",
    ),
    "ja": Language(
        "フォロー解除 再開する 承認する 却下する 辞退する オンにする オフにする 公開する"
        " 非公開にする 有効にする 無効にする 再起動する 再送する 取り消す 元に戻す",
        "削除する 削除 外す 空にする 閉じる 確定する 受け入れる 有効にする 無効にする 再起動する"
        " 起動する 停止する 戻す 送る 送信する 消去する 消す 使う 割り当てる 退会する 参加する"
        " 移動する 追加する 追加 共有する 招待する 復元する 更新する 変更する 取り消す クリア"
        " リセット 解除 解除する 登録する 拒否する 報告する 予約する",
        "投稿 コメント メッセージ スレッド トピック リスト ゴミ箱 グループ ユーザー アカウント"
        " メンバー チケット 申請 注文 予約 貸出 カート クーポン 履歴 キャッシュ ログ サービス 版"
        " 購読 リマインダー お気に入り 友達 招待 ジョブ 通知 アンケート セッション 端末 下書き"
        " 自分 フォロー",
        "last",
    ),
    "zh": Language(
        "重新打开 拒绝 谢绝 立即运行 发布 隐藏 取消发布 激活 停用 启用 禁用 重新发送 撤销 拒絕"
        " 隱藏 發布 啟用 停止 撤銷 打开开关 关闭开关",
        "关闭 加入 退出 激活 停用 启用 禁用 运行 恢复 还原 发送 清除 清空 兑换 使用 指派 分配"
        " 删除 移除 添加 移动 分享 邀请 接受 拒绝 解锁 锁定 确认 取消 续期 举报 關閉 退出 刪除"
        " 移動 邀請 接受 確認",
        "帖子 评论 消息 主题 话题 列表 回收站 小组 群 用户 账号 账户 成员 工单 请求 订单 预订"
        " 借阅 购物车 优惠券 历史 缓存 日志 服务 版本 订阅 提醒 收藏 好友 邀请 任务 通知 投票"
        " 会话 设备 草稿 开关 给我 留言 訂單 帳號 群組",
    ),
    "th": Language(
        "ปักหมุด เปิดใหม่ อนุมัติ ปฏิเสธ ไม่รับ เผยแพร่ ซ่อน เปิดเครื่อง ปิดเครื่อง เรียกใช้ทันที เริ่มใหม่ เลิกติดตาม ยกเลิก",
        "ลบ ล้าง เพิ่ม รายงาน ทำเครื่องหมาย ล็อก ปิด ยืนยัน ยกเลิก เข้าร่วม ออกจาก บล็อก ยอมรับ"
        " รีสตาร์ท กู้คืน ส่ง แลก มอบหมาย ย้าย แชร์ เชิญ ต่ออายุ เรียกใช้ ทำเครื่องหมาย เปิดใช้งาน",
        "โพสต์ ความคิดเห็น ข้อความ กระทู้ หัวข้อ รายการ ถังขยะ กลุ่ม ผู้ใช้ บัญชี สมาชิก เรื่อง คำขอ คำสั่ง"
        " การจอง ตะกร้า คูปอง ประวัติ แคช บันทึก บริการ เวอร์ชัน การแจ้งเตือน โปรด เพื่อน คำเชิญ งาน"
        " ละเมิด ว่าอ่านแล้ว ให้ฉัน แล้ว",
    ),
}


_MOST_VERB_WORDS = 3
_MOST_UNPARTED_LETTERS = 16


def _read_phrases(said: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(find_words(fold(one.replace("+", " ")))) for one in said.split())


def _index_verbs(languages: Mapping[str, Language]) -> dict[tuple[str, ...], list[str]]:
    """From the words of a verb to the languages that have it."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, language in languages.items():
        for verb in _read_phrases(language.beside):
            found.setdefault(verb, []).append(name)
    return found


_ALONE = frozenset(
    phrase for language in SPACED.values() for phrase in _read_phrases(language.alone)
)
_VERBS = _index_verbs(SPACED)
_OBJECTS = {name: tuple(fold(language.objects).split()) for name, language in SPACED.items()}
WORDS = frozenset(word for phrase in (*_ALONE, *_VERBS) for word in phrase)
"""One of them is in every phrase that is found in a script with blanks."""
VERBS = frozenset(phrase for phrase in (*_ALONE, *_VERBS) if len(phrase) > 1 or len(phrase[0]) > 3)
"""Those that are told apart from codes and names where addresses have their actions."""
_UNPARTED = {
    name: tuple(
        tuple("".join(find_words(fold(word))) for word in words.split()) for words in language[:3]
    )
    for name, language in UNPARTED.items()
}


def says_command(words: Sequence[str]) -> bool:
    """Whether the folded words of a link's text are a command, in a script with blanks or without.

    >>> says_command(("lock", "thread")), says_command(("lock", "and", "key"))
    (True, False)
    """
    words = tuple(words)
    return words in _ALONE or _has_verb_and_object(words) or _is_unparted_command("".join(words))


def _has_verb_and_object(words: tuple[str, ...]) -> bool:
    for length in range(1, min(_MOST_VERB_WORDS, len(words) - 1) + 1):
        first = (words[:length], words[length:], "last")
        last = (words[-length:], words[:-length], "first")
        for verb, others, wrong_place in (first, last):
            for name in _VERBS.get(verb, ()):
                is_in_place = SPACED[name].verb != wrong_place
                if is_in_place and any(_is_object(word, _OBJECTS[name]) for word in others):
                    return True
    return False


def _is_object(word: str, objects: tuple[str, ...]) -> bool:
    return any(
        word == one or (len(one) > _MOST_WHOLE_LETTERS and word.startswith(one)) for one in objects
    )


_MOST_WHOLE_LETTERS = 3


def _is_unparted_command(text: str) -> bool:
    if text.isascii() or len(text) > _MOST_UNPARTED_LETTERS:
        return False
    for name, (alone, verbs, objects) in _UNPARTED.items():
        if text in alone:
            return True
        is_last = UNPARTED[name].verb == "last"
        stands = text.endswith(verbs) if is_last else text.startswith(verbs)
        if stands and any(one in text for one in objects):
            return True
    return False
