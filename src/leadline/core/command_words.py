# ruff: noqa: RUF001 - words of many scripts

"""The words of commands in many languages, by where they count; `state_change` judges by them."""

from typing import Final

# What a command does, and the words for it, folded (no case, no accents). One word is matched as a
# token; words with a plus are matched as neighbouring tokens. English first, then de fr es pt it nl
# pl cs sk sv da no fi tr hu ro hr ru (also in Latin letters) uk bg el id vi, then the verbs of
# deleting, leaving and buying in et lv lt sl sr ca eu is sq ms sw; scripts without spaces
# stand in UNSPACED. They were written from knowledge of what real
# software has in its menus.
STRONG: Final = {
    "delete something": (
        "delete destroy remove erase wipe purge truncate discard"
        " unlink expunge loschen loeschen entfernen geloscht supprimer effacer enlever retirer"
        " eliminar borrar suprimir quitar excluir apagar remover elimina eliminare cancella"
        " rimuovi verwijderen verwijder wissen usun usunac skasuj skasowac smazat smaz vymazat"
        " odstranit odstran zmazat tabort ta+bort radera slet slett fjern poista sil kaldir"
        " torles"
        " torol torolni eltavolit sterge stergere izbrisi obrisi удалить удали удаление стереть"
        " udalit udalenie steret видалити изтрий διαγραφη hapus xoa empty+trash empty+cart"
        " papierkorb+leeren vider+panier vider+corbeille vaciar+carrito svuota+carrello"
        " kustuta kustutada eemalda dzest nonemt istrinti pasalinti zbrisi odstrani ukloni"
        " избриши обриши уклони премахни изтриване iztrii premahni выдаліць διαγραψε αφαιρεση"
        " diagrafi afairesi esborra esborrar suprimeix ezabatu kendu eyda eyða fjarlaegja"
        " fjarlægja fshi fshij verwyder scrios dileu padam hapuskan burahin futa ondoa ջնջել"
        " წაშლა жою vydalyty"
    ),
    "log out": (
        "logout logoff signout signoff log+out log+off log+me+out sign+out sign+off sign+me+out"
        " end+session abmelden ausloggen deconnexion deconnecter se+deconnecter cerrarsesion"
        " cerrar+sesion salir+sesion finalizar+sesion desconectar desconectarse desconexion sair"
        " encerrar+sessao terminar+sessao esci disconnetti disconnettersi uitloggen afmelden"
        " wyloguj wyloguj+sie wylogowanie odhlasit odhlasit+se odhlaseni loggaut logga+ut logud"
        " log+ud loggut logg+ut kirjauduulos kirjaudu+ulos cikis cikis+yap oturumu+kapat"
        " kijelentkezes deconectare odjava odjavi+se выйти выход vyhod vyiti вийти изход"
        " αποσυνδεση keluar dangxuat dang+xuat"
        " logi+valja iziet izrakstities atsijungti odhlasit+sa одјави+се одјава"
        " tanca+la+sessio tanca+sessio itxi+saioa saioa+itxi pechar+sesion skra+ut log+keluar"
        " mag+log+out teken+uit logail+amach allgofnodi aposindesi aposyndesi vyity ելք"
        " გასვლა logg+av logga+av"
    ),
    "unsubscribe": (
        "unsubscribe unsub optout opt+out unregister abbestellen austragen newsletter+abmelden"
        " desabonner se+desabonner desabonnement desinscription se+desinscrire desuscribir"
        " desuscribirse cancelar+suscripcion darse+de+baja dar+de+baja descadastrar"
        " cancelar+inscricao cancelar+assinatura disiscriviti disiscrizione annulla+iscrizione"
        " cancella+iscrizione cancellati uitschrijven wypisz wypisz+sie odhlasit+odber"
        " avregistrera avprenumerera afmeld avmeld peruuta+tilaus abonelikten+cik abonelik+iptal"
        " leiratkozas dezabonare отписаться отписка otpiska otpisatsya відписатися huy+dang+ky"
        " berhenti+berlangganan"
        " meld+av meld+deg+av frameld atsisakyti+prenumeratos atrakstities atteikties"
        " tuhista+tellimus otkazi+pretplatu отпиши+се отписване dona+t+de+baixa lopeta+tilaus"
        " afskra leiratkozom dezabonez+ma"
    ),
    "change a rating or vote": (
        "upvote downvote unvote unlike votar+si hochwerten abstimmen jetzt+abstimmen dovote"
        " castvote cast+vote vote+up vote+down vote+now thumbs+up thumbs+down voteup votedown"
        " glosuj zaglosuj hlasovat aanestaminen проголосовать проголосувати голосовать"
        " progolosovat golosovat oyla oy+ver"
    ),
    "change what is followed or marked": (
        "mark+as+read mark+read mark+all+read mark+as+unread mark+all+as+read markread"
        " markallread"
        " markasread markall mark+forums+read mark+topics+read als+gelesen+markieren"
        " marquer+comme+lu"
        " marcar+como+leido marcar+como+lido segna+come+letto markeer+als+gelezen"
        " oznacz+jako+przeczytane unfollow unfriend unsave unstar unpin unwatch deactivate unban"
        " unblock unmute unhide add+friend addfriend"
    ),
    "change the system": (
        "approve unpublish execute uninstall shutdown reboot revoke impersonate drop+table"
        " drop+database"
        " kill+process restart+server factory+reset factory+defaults factory+default"
        " flush+cache flushcache flush+caches clear+cache run+cron run+migrations doing+wp+cron"
        " deinstallieren herunterfahren neu+starten desinstaller desinstalar disinstalla"
        " odinstaluj redemarrer reiniciar+servidor"
    ),
    "change a cart": (
        "addtocart addtobasket addtobag add+to+cart add+to+basket add+to+bag add+to+trolley"
        " add2cart add2basket add+to+my+cart removefromcart remove+from+cart"
        " place+order placeorder in+den+warenkorb inwarenkorb"
        " in+den+einkaufswagen warenkorb+hinzufugen warenkorb+hinzufuegen"
        " ajouter+au+panier ajouter+panier anadir+al+carrito"
        " anadir+a+la+cesta anadir+a+cesta agregar+al+carrito anadir+carrito"
        " adicionar+ao+carrinho aggiungi+al+carrello in+winkelwagen"
        " in+winkelmandje toevoegen+winkelwagen do+koszyka dodaj+do+koszyka do+kosiku"
        " vlozit+do+kosiku pridat+do+kosiku do+kosika vlozit+do+kosika lagg+i+varukorg"
        " lagg+i+varukorgen lagg+i+kundvagn lagg+i+korg laeg+i+kurv lag+i+kurv"
        " legg+i+handlekurv lisaa+ostoskoriin sepete+ekle kosarba adauga+in+cos"
        " dodaj+u+kosaricu добавить+в+корзину в+корзину додати+в+кошик до+кошика"
        " добави+в+количката tambah+ke+keranjang them+vao+gio them+vao+gio+hang"
        " lisa+ostukorvi lisa+korvi pievienot+grozam ielikt+groza i+krepseli"
        " prideti+i+krepseli dodaj+v+kosarico v+kosarico u+kosaricu dodaj+u+korpu"
        " додај+у+корпу προσθηκη+στο+καλαθι στο+καλαθι afegeix+a+la+cistella"
        " afegir+a+la+cistella gehitu+saskira setja+i+korfu baeta+i+korfu bæta+i+korfu"
        " tambah+ke+troli masukkan+ke+keranjang adauga+in+cosul leg+i+kurv laegg+i+kurv"
        " legg+i+handlekurven shto+ne+shporte"
    ),
    # In texts they lead to where things are bought: `Buy now`.
    "buy or pay something": (
        "buyitnow buynow buy+now buy+it+now order+now jetzt+kaufen jetzt+bestellen"
        " acheter+maintenant comprar+ahora comprar+agora acquista+ora kup+teraz kop+nu hemen+al"
        " satin+al купить+сейчас"
    ),
    "change a list": (
        "addtowishlist add+to+wishlist add+to+wish+list add+to+favorites add+to+favourites"
        " add+to+list add+to+my+list add+to+compare add+to+watchlist add+to+bookmarks"
        " addtofavorites addtocompare addtolist save+to+list save+to+favorites auf+den+merkzettel"
        " zum+merkzettel+hinzufugen auf+die+merkliste zur+merkliste+hinzufugen"
        " auf+die+wunschliste zur+wunschliste+hinzufugen"
        " zu+favoriten merkzettel+hinzufugen ajouter+aux+favoris ajouter+a+mes+favoris"
        " ajouter+a+ma+liste ajouter+a+la+liste anadir+a+favoritos agregar+a+favoritos"
        " anadir+a+la+lista adicionar+aos+favoritos adicionar+a+lista aggiungi+ai+preferiti"
        " aggiungi+alla+lista toevoegen+aan+favorieten aan+verlanglijst"
        " toevoegen+aan+verlanglijst"
        " dodaj+do+ulubionych dodaj+do+porownania dodaj+do+schowka do+oblibenych"
        " pridat+do+oblibenych pridat+k+oblibenym lagg+till+favoriter favorilere+ekle"
        " listeye+ekle добавить+в+избранное в+избранное добавить+к+сравнению в+сравнение"
    ),
}
# Commands that are also ordinary words: they need an id or a token beside them, or a parameter
# that names an action.
WEAK: Final = {
    "delete something": "del trash drop kill exec flush expire terminate abort prune invalidate",
    "change a rating or vote": (
        "vote like dislike thumbsup thumbsdown upvotes"
        " rate voter votar vota stem stemmen glos stimme stimmen bewerten noter avaliar"
        " curtir jaime gefallt begen begeni лайк нравится aimer gostar"
    ),
    "change what is followed or marked": (
        "follow subscribe bookmark favorite favourite favourites fav notify rsvp enroll"
        " hide dismiss snooze mute pin sticky unlock ban kick poke"
        " markpatrolled patrol unfave befriend"
        " unflag untag unlink wink ignore"
        " suspend expel evict deregister disconnect detach deauthorize deauthorise blacklist"
        " whitelist"
        " suivre seguir segui sigue volgen folgen folge beobachten obserwuj sledovat folj"
        " takip abonnieren abonner s+abonner inscrever suscribir suscribirse iscriviti"
        " подписаться podpisatsya следить merken vormerken melden fermer cerrar fechar chiudi"
        " sluiten zamknij zavrit закрыть epingler rejoindre unirse beitreten participar zusagen"
        " absagen teilnehmen partecipa anmelden tilmeld"
    ),
    "approve, confirm or cancel something": (
        "unresolve uncomplete unassign resend remind rename duplicate clone pause join leave"
        " reject confirm cancel accept decline verify activate enable disable publish"
        " unpublish toggle promote demote resolve reopen assign deploy rebuild"
        " reindex migrate upgrade rollback revert undo unarchive"
        " respond acknowledge finalize renew reserve hold reorder"
        " redeem bump bestatigen stornieren genehmigen freigeben ablehnen verlangern"
        " refund escalate reassign unassign reissue regenerate resync requeue forfeit resign"
        " relist delist disarm downgrade overwrite unapprove"
        " wiederherstellen confirmer annuler valider approuver refuser renouveler restaurer"
        " confirmar cancelar aprobar aprovar rechazar renovar restaurar anular baja conferma"
        " annulla approva rinnova ripristina bevestigen annuleren goedkeuren verlengen potwierdz"
        " anuluj zatwierdz przywroc odrzuc potvrdit zrusit schvalit obnovit bekrafta avboka"
        " godkann bekraeft vahvista peruuta megerosit lemond подтвердить отменить принять"
        " podtverdit otmenit підтвердити onayla iptal confirma anuleaza"
    ),
    "save or send something": (
        "send submit insert upload reset clear empty sendmail invite speichern"
        " sichern senden absenden einladen enregistrer sauvegarder envoyer inviter guardar enviar"
        " invitar salvar salvare salva invia invita opslaan bewaren verzenden zapisz wyslij"
        " ulozit"
        " odeslat spara skicka gem tallenna laheta kaydet отправить сохранить otpravit sohranit"
        " gonder kuld trimite"
    ),
    "change the system": (
        "cron cronjob runjob reboot restart execute provision"
        " neustart redemarrer reiniciar riavvia herstarten restartuj перезагрузить"
    ),
    "buy or pay something": (
        "buy purchase pay checkout donate bid transfer withdraw redeem kaufen"
        " spenden bestellen bezahlen buchen reservieren acheter payer commander reserver donner"
        " comprar pagar pedir reservar donar doar encomendar acquista paga ordina prenota dona"
        " mua beli pesan compra cumpara kupi kupyty osta megveszem nakup buna kupuj rendel"
        " kopen betalen bestel reserveren doneren kup zaplac zamow zarezerwuj koupit zaplatit"
        " objednat rezervovat kop betala bestall boka купить оплатить заказать kupit oplatit"
        " zakazat satinal satin+al ode rezerve"
    ),
}
# Words that only a parameter which names an action turns into a command, or an id before them.
IN_ACTIONS: Final = {
    "change something": (
        "reputation clap recommend star karma rep watch report flag spam block mark friend lock"
        " join"
        " leave attend going monitor merge close archive rename apply"
        " claim extend save saved post backup import build start stop run retry restore finish"
        " add create update edit+save set resend install on off relay move write change"
        " modify swap switch"
        " unregister grant split copy duplicate clone fork put patch generate ack"
        " checkin hinzufugen hinzufuegen ajouter anadir agregar adicionar aggiungi toevoegen"
        " void deny dispute transfer rotate cleanup vacuum optimize defrag recalculate"
        " redo sync done"
        " reprocess trigger poweroff poweron wakeup eject unmount recycle lisa pievienot"
        " prideti afegeix gehitu tambah them добави dobavi додати dodaty adauga prosthiki"
        " προσθηκη shto muuda rediget redaguoti uredi izmeni промени edita aldatu ubah sua"
        " endre rediger redigera muokkaa szerkeszt modifica editeaza duzenle bearbeiten"
        " modifier bewerken edytuj upravit изменить редактировать редагувати редактирай"
        " επεξεργασια"
        " dodaj"
        " pridat lagg+till добавить dobavit ekle sofort+kaufen"
    )
}
# Phrases that say as a whole text what a click does, and that addresses hardly use.
IN_TEXTS: Final = {
    "change a rating or vote": (
        "like+this like+it gefallt+mir j+aime me+gusta curtir gosto begen mi+piace vind+ik+leuk"
        " lubie+to lubie to+se+mi+libi gilla tykkaa tetszik imi+place нравится мне+нравится like"
        " upvote downvote vote голосовать votar voter rate+this rate+it"
    ),
    "change what is followed or marked": (
        "bookmark+this move move+page flag add+to+book+bag"
        " follow+this follow+user watch+this+topic subscribe+to+this+thread"
        " mark+all+messages+as+read"
        " mark+all+forums+read mark+this+page+as+patrolled mark+topics+read mark+forum+read"
        " mark+this+forum+read mark+as+spam mark+as+sold mark+as+resolved mark+as+solved"
        " report+abuse report+post report+this+post report+comment report+this+comment flag+post"
        " flag+comment flag+as+inappropriate report+spam add+as+friend add+to+friends block+user"
        " alle+foren+als+gelesen+markieren beitrag+melden signaler+un+abus denunciar"
    ),
    "approve, confirm or cancel something": (
        "apply+coupon activate+account activate+your+account activate+my+account"
        " bestatigen cancel+order cancel+my+order"
        " cancel+booking cancel+my+booking cancel+reservation"
        " cancel+subscription confirm+subscription confirm+your+subscription confirm+email"
        " verify+email verify+your+email accept+invitation accept+invite decline+invitation"
        " place+hold place+a+hold request+item renew+item renew+all order+again buy+again"
        " apply+with+one+click platz+buchen stornieren bestellung+stornieren"
        " annuler+ma+reservation"
        " annuler+la+commande confirmar+reserva cancelar+reserva cancelar+pedido conferma+ordine"
        " annulla+ordine bestelling+annuleren zusagen absagen vormerken"
    ),
    "save or send something": (
        "create+alert save+search save+this+search set+alert suche+speichern suchauftrag+anlegen"
        " enregistrer+cette+recherche creer+une+alerte guardar+busqueda crear+alerta"
        " salva+ricerca crea+avviso guardar+pesquisa criar+alerta zoekopdracht+opslaan"
        " spara+sokning bevaka+sokning zapisz+wyszukiwanie ulozit+hledani сохранить+поиск"
        " aramayi+kaydet accept+cookies accept+all+cookies allow+all+cookies"
        " send+reminder resend resend+email resend+code resend+invitation send+again submit+vote"
        " publish+now save+changes save+draft"
    ),
    "change the system": (
        "switch+on switch+off turn+on turn+off power+on power+off reboot restart+router"
        " restart+server stop+server flush+caches rebuild+index run+now execute+now build+now"
        " perform+reset clear+cache empty+log upgrade+database run+import start+import"
    ),
}
UNSPACED: Final = {
    "delete something": (
        "削除 消去 删除 刪除 移除 清空 삭제 제거 حذف إزالة مسح מחק מחיקה हटाएं ลบ"
        " मिटाएं हटाना हटवा মুছুন মুছে+ফেলুন நீக்கு తొలగించు ಅಳಿಸಿ ഇല്ലാതാക്കുക કાઢી+નાખો"
        " ਮਿਟਾਓ මකන්න ဖျက်ပါ លុប ລຶບ"
        " پاک+کردن"
    ),
    "log out": (
        "ログアウト サインアウト 退出登录 退出登錄 登出 注销 登出 로그아웃 تسجيل+الخروج"
        " تسجيل+خروج התנתק יציאה लॉग+आउट ออกจากระบบ"
    ),
    "unsubscribe": (
        "配信停止 配信解除 購読解除 メルマガ解除 退会 退订 取消订阅 取消訂閱 退訂 구독+취소"
        " 구독취소"
        " 구독해지 수신거부 수신+거부 إلغاء+الاشتراك إلغاء+اشتراك ביטול+מנוי ยกเลิกการสมัคร"
    ),
    "moderate, join or arrange something": (
        "延長する ロックする をロック 固定する ピン留め 非表示にする 承認する 参加する 応募する"
        " 受講登録 停止する 再開する 締め切る 完了にする 受け取る 退会する 申し込む 解約する 置顶"
        " 锁定主题 锁帖 关闭主题 接受邀请 接受请求 立即报名 我要报名 立即申请 续借 續借 打招呼"
        " 立即领取 签到 잠그기 고정하기 숨기기 수락하기 무시하기 지원하기 신청하기 연장하기"
        " 중지하기 재개하기 참여하기"
    ),
    "change a cart": (
        "カートに入れる カートに追加 カートへ入れる かごに入れる 買い物かごに 今すぐ買う"
        " 今すぐ購入"
        " 注文する 購入する 加入购物车 加入購物車 放入购物车 立即购买 立即購買 立即订购 提交订单"
        " 장바구니+담기 장바구니담기 장바구니에 바로구매 구매하기 주문하기 أضف+إلى+السلة"
        " أضف+للسلة"
        " إضافة+إلى+السلة أضف+إلى+عربة افزودن+به+سبد เพิ่มลงตะกร้า หยิบใส่ตะกร้า"
        " اشتر+الآن הוסף+לסל कार्ट+में+जोड़ें"
        " สั่งซื้อ ซื้อเลย ซื้อทันที खरीदें ऑर्डर+करें কিনুন কার্টে+যোগ வாங்கு కొనండి 下单"
        " 抢购 订购 訂購 買う"
        " 注文 お買い物かご 담기 구입하기"
    ),
    "change a list": (
        "お気に入りに追加 お気に入り登録 ほしい物リストに 欲しいものリストに 加入收藏 添加收藏"
        " 收藏本站"
        " 加入收藏夹 加入對比 加入对比 찜하기 관심상품+등록 즐겨찾기+추가 즐겨찾기추가"
        " أضف+إلى+المفضلة"
        " إضافة+إلى+المفضلة"
    ),
    "change a rating or vote": (
        "投票する 去投票 投票 いいね 点赞 點贊 赞一下 顶一下 踩一下 투표하기 투표 좋아요"
        " 추천하기 صوت+الآن"
        " تصويت أعجبني ถูกใจ โหวต पसंद+करें वोट+करें লাইক भोट 評価する 추천"
    ),
    "change what is followed or marked": (
        "フォローする 既読にする ブックマークする 加关注 加好友 关注他 标记为已读 팔로우"
        " 읽음으로+표시"
        " متابعة+المستخدم ติดตาม รายงาน+ปัญหา फ़ॉलो+करें शिकायत+करें অনুসরণ রিপোর্ট+করুন 举报"
        " 舉報 关注 關注"
        " 屏蔽 拉黑 通報する 報告する ミュート ブロックする 신고하기 신고 차단하기 구독하기"
        " 加入群 退出群"
    ),
    "approve, confirm or cancel something": (
        "予約する 予約をキャンセル キャンセルする 申し込む 承認する 取消订单 取消预订 立即预订"
        " 立即報名 立即报名"
        " 예약하기 예약취소 신청하기 등록하기 취소하기 احجز+الآن إلغاء+الطلب إلغاء+الحجز"
        " 预约 預約 预订 預訂 续借 續借 予約 延長する 貸出延長 取り寄せ 대출연장 대출예약 批准"
        " 驳回 承認 却下 승인 반려"
        " จอง ยืมต่อ อนุมัติ आरक्षित+करें नवीनीकृत নবায়ন সংরক্ষণ+করুন"
    ),
    "save or send something": (
        "立即执行 重启 重新启动 清除缓存 実行する 再起動 실행하기 재시작 เริ่มใหม่ 保存搜索"
        " 検索条件を保存 送信する 登録する 保存する 发送消息 提交 저장하기 إرسال+الطلب"
        " إرسال+رسالة"
    ),
}
# Verbs of a link's or button's text that mean it where the address names a thing (an id, a query):
# `Prolonger le prêt`, /pret/8. No word that is a noun or the name of a section as well.
TEXT_VERBS: Final = {
    "reserve, renew or order something": (
        "renew recall prolong verlangern verlaengern vormerken reservieren"
        " bestellen ausleihen vorbestellen prolonger renouveler reserver emprunter"
        " acheter renovar prorrogar reservar encargar solicitar comprar pedir prestar rinnova"
        " rinnovare proroga prorogare prenota prenotare ordina ordinare compra comprare acquista"
        " acquistare requisitar encomendar verlengen reserveren aanvragen lenen kopen forny"
        " fornya lana omlana reservera reserver bestall bestill bestil kop kjop kob varaa"
        " uusi tilaa osta lainaa przedluz zarezerwuj zamow wypozycz kup kupuj kupic prodlouzit"
        " rezervovat objednat pujcit koupit predlzit rezervuj objednaj kupit pozicat hosszabbitas"
        " meghosszabbitom foglalas lefoglalom elojegyzes megrendelem megveszem prelungeste"
        " rezerva rezerveaza comanda cumpara imprumuta продлить забронировать заказать заказ"
        " купить купи поръчай запази продовжити замовити забронювати купити kupi kupiti"
        " rezerviraj rezervisi naruci produzi podaljsaj naroci κρατηση αγορα αγορασε παραγγελια"
        " ανανεωση yenile ayirt rezerve uzat siparis odunc satinal kratisi agora parangelia"
        " dat+mua mua gia+han dat+cho beli pesan pinjam perpanjang reservasi pikenda"
        " broneeri telli osta rezervuoti uzsakyti pirkti pratesti rezervet pasutit pirkt pagarinat"
        " reserva renova compra demana erosi erreserbatu berritu احجز حجز اشتر اشتري شراء اطلب"
        " تمديد تجديد خرید سفارش رزرو تمدید הזמן הזמנת חדש קנה רכוש הארך"
    ),
    "change a rating or vote": (
        "upvote downvote abstimmen bewerten voter noter votar valorar curtir avaliar votare"
        " valuta stemmen waarderen rosta gilla stemme tykkaa aanesta polub zaglosuj"
        " ocen hlasovat lajkovat kedvel szavazok ocenit проголосовать оценить оцени лайкнуть"
        " подобається вподобати glasaj oceni ψηφιστε ψηφισε begen oyla puanla thich binh+chon"
        " suka sukai pilih إعجاب أعجبني صوت پسندیدم לייק הצבע דרג"
    ),
    "change what is followed or marked": (
        "mute unmute follow unfollow subscribe unsubscribe befriend report"
        " melden sperren blockieren abonnieren merken folgen signaler bloquer suivre denoncer"
        " rejoindre quitter denunciar bloquear seguir reportar unirse suscribirse denunciar"
        " segnala segnalare blocca iscriviti segui unisciti abbandona participar sair"
        " rapporteren rapporteer blokkeren volgen melden+aan anmal anmald anmeld rapporter"
        " rapportera blockera blokker folg folj ilmianna esta seuraa liity zglos zablokuj"
        " obserwuj dolacz nahlasit blokovat sledovat zablokovat nahlas jelentem jelentes letiltas"
        " kovetes csatlakozom raporteaza blocheaza urmareste пожаловаться заблокировать"
        " подписаться вступить поскаржитися заблокувати підписатися докладвай блокирай prijavi"
        " blokiraj prati pridruzi αναφορα αποκλεισμος ακολουθησε sikayet engelle takip bildir"
        " abone bao+cao chan theo+doi laporkan blokir ikuti gabung بلغ إبلاغ الإبلاغ تابع متابعة"
        " حظر اشترك انضم گزارش دنبال عضویت דווח חסום עקוב הירשם הצטרף"
    ),
    "approve, confirm or cancel something": (
        "approve reject decline cancel confirm enable disable activate deactivate assign"
        " unassign revert undo restore retry reopen unarchive publish unpublish"
        " freigeben ablehnen stornieren genehmigen bestatigen bestaetigen aktivieren"
        " deaktivieren zurucksetzen zuruecksetzen wiederherstellen archivieren kundigen auflosen"
        " approuver refuser valider annuler confirmer activer desactiver restaurer resilier"
        " archiver cloturer aprobar rechazar anular cancelar confirmar activar desactivar"
        " restaurar archivar aprovar rejeitar ativar desativar arquivar approva rifiuta annulla"
        " conferma attiva disattiva ripristina archivia goedkeuren afwijzen annuleren bevestigen"
        " activeren herstellen archiveren godkann avvisa avsluta avbryt aterstall aktivera"
        " godkend afvis afslut annuller godkjenn avslutt hyvaksy hylkaa peruuta vahvista"
        " zatwierdz odrzuc anuluj potwierdz aktywuj przywroc zakoncz schvalit zamitnout zrusit"
        " potvrdit aktivovat obnovit elfogad elutasit megerosit visszaallit megszuntet aproba"
        " respinge anuleaza confirma activeaza одобрить отклонить отменить подтвердить"
        " активировать восстановить схвалити відхилити скасувати підтвердити одобри отхвърли"
        " откажи потвърди odobri odbij otkazi potvrdi ugasi угаси укини εγκριση απορριψη ακυρωση"
        " επιβεβαιωση onayla reddet iptal etkinlestir geri+al phe+duyet tu+choi huy xac+nhan"
        " setujui tolak batalkan konfirmasi aktifkan وافق رفض ألغ إلغاء تأكيد تفعيل تعطيل تایید"
        " لغو אשר דחה בטל הפעל"
    ),
    "moderate, join or arrange something": (
        "lock unlock pin unpin stick unstick hide unhide close reopen merge split bump enrol enroll"
        " poke wink nudge greet befriend unfriend extract unzip decompress quarantine escalate"
        " requeue snooze defer dismiss ignore shelve promote demote kick evict arm disarm swap"
        " claim unclaim redeem withdraw retract forfeit resign pause resume"
        " schliessen sperren entsperren anheften losen loesen ausblenden einblenden verschieben"
        " zusammenfuhren wiedereroffnen einschreiben anstupsen entpacken pausieren fortsetzen"
        " zuruckziehen ignorieren annehmen fermer verrouiller deverrouiller epingler desepingler"
        " masquer deplacer fusionner rouvrir accepter ignorer extraire decompresser inscrire"
        " suspendre reprendre verlaten cerrar bloquear desbloquear fijar ocultar mostrar+de+nuevo"
        " mover fusionar reabrir aceptar ignorar extraer descomprimir inscribirse matricularse"
        " pausar reanudar retirar postularse fechar trancar destrancar afixar esconder juntar"
        " aceitar extrair inscrever matricular candidatar chiudi chiudere blocca sblocca fissa"
        " nascondi sposta unisci riapri accetta ignora estrai iscriviti candidati sospendi"
        " riprendi sluiten sluit vergrendel ontgrendel vastzetten verberg verbergen verplaats"
        " samenvoegen heropenen accepteren negeren uitpakken inschrijven hervat pauzeer lås lås+upp"
        " las klistra dolj flytta slaihop ateroppna acceptera ignorera packa+upp pausa aterta"
        " fastgor skjul flyt accepter ignorer udpak tilmeld laas aabn+igen festa godta pakk+ut"
        " lukitse avaa+lukitus kiinnita piilota siirra yhdista hyvaksy ohita pura ilmoittaudu"
        " keskeyta zamknij zablokuj odblokuj przypnij odepnij ukryj przenies polacz otworz+ponownie"
        " zaakceptuj ignoruj rozpakuj zapisz+sie wstrzymaj wznow zamknout zamkni odemknout pripnout"
        " skryt skryj presunout sloucit znovu+otevrit prijmout ignorovat rozbalit zapsat"
        " pozastavit zamknut odomknut pripnut presunut zlucit prijat zarolas bezaras rogzites"
        " elrejtes athelyezes elfogadas kicsomagolas inchide blocheaza fixeaza ascunde muta"
        " accepta inscrie закрыть открепить закрепить прикрепить скрыть переместить объединить"
        " переоткрыть принять игнорировать распаковать записаться приостановить возобновить"
        " ударить подмигнуть закрити закріпити прикріпити відкріпити приховати перемістити"
        " об'єднати прийняти ігнорувати розпакувати записатися призупинити відновити затвори"
        " закачи скрий премести приеми zakljucaj otkljucaj zakaci sakrij premjesti prihvati"
        " κλειδωμα κλειδωσε ξεκλειδωμα καρφιτσωμα αποκρυψη μετακινηση συγχωνευση αποδοχη αγνοηση"
        " κλεισιμο kilitle kilidi+ac sabitle gizle tasi birlestir kabul+et yoksay kapat kaydol"
        " basvur dondur khoa mo+khoa ghim an+di di+chuyen chap+nhan bo+qua kunci buka+kunci"
        " sematkan sembunyikan pindahkan gabungkan terima abaikan daftar+sekarang"
        " إغلاق أغلق قفل فتح+القفل تثبيت ثبت إخفاء اخف نقل دمج قبول اقبل تجاهل تقدم+بطلب انسحب"
        " بستن قفل+کردن سنجاق پنهان پذیرفتن נעל סגור הצמד הסתר העבר מזג קבל התעלם"
    ),
    "change the system": (
        "restart reboot rebuild regenerate resync synchronise synchronize reindex reset rotate"
        " execute ausfuhren ausfuehren neustarten leeren neu+aufbauen executer relancer vider"
        " regenerer reinitialiser reconstruire ejecutar reiniciar vaciar reconstruir regenerar"
        " executar esvaziar esegui riavvia svuota ricostruisci rigenera reimposta uitvoeren"
        " herstarten legen opnieuw+opbouwen kor+nu starta+om nulstil genstart suorita"
        " kaynnista tyhjenna uruchom zrestartuj wyczysc odswiez spustit restartovat vyprazdnit"
        " futtatas ujrainditas uritsd ruleaza reporneste goleste запустить выполнить очистить"
        " перезапустить перестроить запустити виконати очистити изпълни рестартирай изчисти"
        " pokreni izvrsi isprazni εκτελεση επανεκκινηση calistir yenidenbaslat bosalt chay"
        " khoi+dong+lai jalankan kosongkan تشغيل تنفيذ إعادة اجرا הרץ אתחל רוקן"
    ),
    "save or send something": (
        "speichern senden absenden eintragen einreichen enregistrer envoyer"
        " sauvegarder guardar enviar salvar salva invia salvare inviare opslaan verzenden spara"
        " skicka lagre tallenna laheta zapisz wyslij ulozit odeslat ulozit mentes kuldes"
        " salveaza trimite сохранить отправить зберегти надіслати запази+търсенето изпрати"
        " sacuvaj posalji spremi αποθηκευση αποστολη kaydet gonder luu gui simpan kirim حفظ"
        " أرسل إرسال ذخیره ارسال שמור שלח"
    ),
}
# They begin a command; behind other words they are nouns (`Progress report`, `Product recall`).
FIRST_TEXT_VERBS = frozenset(
    "renew recall mute unmute follow report subscribe approve reject decline cancel confirm enable"
    " disable activate deactivate assign revert undo restore retry reopen restart reboot rebuild"
    " regenerate reset execute lock unlock pin unpin stick hide close reopen merge split bump"
    " enrol enroll poke wink nudge greet extract escalate snooze defer dismiss ignore shelve"
    " promote demote kick evict arm disarm swap claim redeem withdraw retract forfeit resign pause"
    " resume fusionner mover retirer las flyt flytta fechar juntar fissa unisci".split()
)
# Names of pages that end as infinitives do.
NO_INFINITIVES = frozenset(
    "answer calendar career chapter computer customer engineer folder garden grammar header"
    " hardware instructor kitchen letter magazine manager member navigator newsletter number order"
    " other owner paper partner photographer player poster predator premiere provider publisher"
    " register seminar similar software solar teacher theater theatre toolbar trailer user versions"
    " viewer weather webinar webmaster winner women children nature culture literature picture"
    " feature lecture furniture adventure future structure infrastructure manufacture signature"
    " temperature architecture agriculture brochure store score genre centre cadre share square"
    " welfare fare category letters daten karten seiten noten listen kosten firmen zahlen"
    " leistungen bewertungen varianten".split()
)
# Links that only agree to what stands before them.
ASSENTS = frozenset(
    "yes ok okay continue proceed confirm go+ahead sure accept agree i+agree yes+please do+it"
    " ja weiter fortfahren bestatigen oui continuer valider confirmer si continuar aceptar"
    " confirmar sim prosseguir avanti continua conferma procedi doorgaan bevestigen fortsatt"
    " bekrafta fortsett bekreft fortsaet bekraeft kylla joo jatka vahvista tak dalej potwierdz"
    " kontynuuj ano pokracovat potvrdit ano pokracovat igen tovabb megerosites rendben da"
    " continua confirma nastavi potvrdi naprej да далее продолжить подтвердить так продовжити"
    " підтвердити продължи потвърди ναι συνεχεια επιβεβαιωση evet devam onayla tamam jah edasi"
    " taip testi patvirtinti ja talak turpinat apstiprinat bai jarraitu d+acord si endavant"
    " co dong+y tiep+tuc xac+nhan ya lanjut lanjutkan setuju po vazhdo iva ie ndiyo endelea"
    " はい 続ける 続行 確認 実行 是 是的 确定 確定 继续 繼續 确认 確認 예 네 확인 계속 نعم موافق"
    " تأكيد متابعة بله تایید ادامه כן אישור המשך हा हां ठीक+है ใช่ ตกลง ยืนยัน".split()
)
# How words begin that name what is agreed to, in any form; beside those of STRONG.
AGREED_STEMS = tuple(
    "delet remov eras wip destroy empt clos cancel unsubscrib deactiv purg overwrit reset order"
    " purchas losch geloscht loesch geloesch entfern stornier kundig bestell verbindlich schlies"
    " supprim effac retir annul vider desabonn command resili elimin borr suprim anul vaci comprar"
    " excl apag remov encomend cancell rimuov svuot ordin verwijder wis annul opzeg bestel"
    " radera bort slett fjern avslut avbestall bestill bestil poist tilaa usun skasow zamow anul"
    " smaz vymaz odstran zrus objedn torol torl megrendel sterg stergere anula comand удал"
    " стер отмен заказ закры видал скасу замов изтри премахн izbris obris otkaz naruc διαγρα"
    " αφαιρ ακυρ sil kaldir iptal siparis xoa huy hapus batal pesan kustuta tuhista istrin atsauk"
    " dzes atcel esborr suprimei ezabat حذف إلغاء طلب مسح لغو سفارش מחק למחוק בטל לבטל הזמ".split()
)
CARTS = frozenset(
    "cart basket bag bookbag trolley wishlist warenkorb einkaufswagen merkzettel merkliste"
    " wunschliste panier carrito cesta carrinho carrello winkelwagen winkelmandje verlanglijst"
    " koszyk kosik kosika varukorg kundvagn kurv handlekurv ostoskori sepet kosar cos корзина"
    " korzina кошик favoris favoritos preferiti compare watchlist favorites favourites favoriten"
    " bookmarks shortlist mylist shoppingcart shopcart ostukorv grozs krepselis kosarica korpa"
    " корпа"
    " количка kolichka кошница koshnica καλαθι kalathi cistella saskia karfa keranjang troli"
    " giohang"
    " koshyk kundvogn handlevogn shporta".split()
)
CART_COMMANDS = frozenset(
    "add remove update empty clear delete plus minus increase decrease increment decrement"
    " additem"
    " create apply pay removeitem put insert in set change hinzufugen hinzufuegen legen"
    " ajouter retirer anadir"
    " agregar quitar adicionar remover aggiungi rimuovi toevoegen dodaj usun pridat vlozit lagg"
    " laggtill tilfoj legg lisaa ekle sil добавить dobavit lisa eemalda pievienot nonemt prideti"
    " pasalinti odstrani ukloni добави dobavi премахни προσθηκη prosthiki afegeix gehitu tambah"
    " them"
    " xoa додати dodaty adauga hozzaad poista shto hapus baeta".split()
)
ACTION_NAMES = frozenset(
    "action actions act do op oper operation cmd cmnd command task func function method event"
    " verb"
    " todo sa doaction subaction req ajax aktion accion acao azione actie akcja akce operacja"
    " islem eylem handling toiminto действие deistvie perform accio ekintza tegevus darbiba"
    " veiksmas"
    " dejanje radnja veprim aksi tindakan дія действия muvelet actiune".split()
)
# They name an action as often as a way of showing: only commands beyond doubt count there, or
# commands with an object.
MODE_NAMES = frozenset("p mode view page m a act sub step go".split())
# What follows is text about commands, unless an id follows that.
TEXT_FOLDERS = frozenset(
    "docs doc documentation api reference manual man tag tags tagged topic topics category"
    " categories wiki blog article articles news question questions help faq glossary dictionary"
    " definition define word words kb commands command support guide guides tutorial tutorials"
    " howto stories story".split()
)
# Below them stands nothing but text about commands, unless an id follows.
DOCUMENT_FOLDERS = frozenset("docs documentation reference manual help faq".split())
# A segment that begins so asks or tells something: a title, and no command.
TITLE_WORDS = frozenset(
    "how why what when where who which can should is are the a an your my wie warum was wann"
    " comment pourquoi quand como porque que cuando come perche quando hoe waarom jak dlaczego"
    " как почему nasil neden".split()
)
# Where machines and sites are run: a weak command needs no object there.
CONTROL_FOLDERS = frozenset(
    "admin administrator wpadmin manage management system console goform luci cgi control"
    " verwaltung queue server flashops".split()
)
# Pages with these names at the end count a vote when they are asked for.
VOTES = frozenset({("vote",), ("like",), ("dislike",), ("upvote",), ("downvote",)})
# A question to the public, and the parameters that answer it.
POLLS = frozenset(
    "poll polls survey surveys voting ballot quickpoll umfrage abstimmung sondage sondages encuesta"
    " encuestas sondaggio enquete enquetes peiling omrostning afstemning avstemning aanestys kysely"
    " ankieta ankiety anketa ankety anket szavazas sondaj опрос голосование опитування голосування"
    " opros golosovanie opytuvannya анкета ψηφοφορια δημοσκοπηση psifoforia dimoskopisi 投票"
    " アンケート 설문 투표 jajak استطلاع تصويت".split()
)
POLL_ANSWERS = frozenset(
    "choice choose option opt answer ans a vote voted pick antwort stimme wahl reponse choix"
    " respuesta opcion voto risposta scelta resposta opcao antwoord keuze svar valg val vastaus"
    " odpowiedz glos wybor hlas odpoved moznost valasz cevap secenek oy raspuns otvet golos"
    " vidpovid ответ голос відповідь".split()
)
# Parameters whose value runs something, whatever it is.
COMMAND_NAMES = frozenset({"cmd", "exec", "command", "execute", "cmnd", "shell", "sql"})
SEARCH_NAMES = frozenset(
    "q s query search keyword keywords text term terms name title tag tags lang language"
    " submit send senden enviar envoyer start order sort"
    " url u returnurl return redirect next referer ref href link goto back destination".split()
)
# Parameters that do it by their being there: ?approve=551, ?commit=1.
DOING_NAMES = frozenset(
    "approve reject commit claim publish unpublish drop approuver valider aprobar rechazar aprovar"
    " rejeitar approva rifiuta goedkeuren afwijzen freigeben ablehnen genehmigen godkann godkend"
    " godkjenn hyvaksy zatwierdz odrzuc schvalit zamitnout elfogad elutasit aproba"
    " respinge odobrit"
    " otklonit odobri odbij onayla reddet setujui tolak одобрить отклонить".split()
)
# They come with requests that a site wants to be sure of, and with no other.
TOKEN_NAMES = frozenset(
    "token csrf csrftoken csrf_token _csrf nonce _wpnonce wpnonce authenticity_token form_key"
    " formkey security_token crumb auth hash securitytoken form_token sesskey xsrf cronkey"
    " cron_key _token".split()
)
# Pieces of names of tokens by which a site knows that a request comes from its own page: only what
# changes something needs one. Of 290,000 links of real pages 43 carry one; 40 change something.
FORGERY_TOKENS = (
    "csrf xsrf nonce auth_key authkey sesskey form_key formkey security_token securitytoken"
    " authenticity"
).split()
# Parameters that say what a command is for.
OBJECT_NAMES = frozenset(
    "id item pid uid sku product article amount email mail option choice answer user post comment"
    " value rating score key code seat course event job ref to betrag montant importe msg"
    " fid tid nr num file plugin node eid".split()
)
NAMED = TOKEN_NAMES | OBJECT_NAMES | COMMAND_NAMES
FLAG_VALUES = frozenset(
    "1 true yes up down on off toggle ok y left right stop start all now reboot restart".split()
)
# Commands that programs join with their object: deletemsg, removepage, approvecomment.
JOINED_COMMANDS = (
    "delete|del|remove|purge|destroy|approve|cancel|confirm|publish|vote|mark|ban|add|save|update"
    "|empty|clear|reset|edit"
)
JOINED_OBJECTS = (
    "msg|message|messages|post|posts|page|comment|comments|item|items|user|topic|thread|file|order"
    "|product|account|cart|basket|trash|list|entry|image|photo|event|mail|record|row|booking"
    "|friend|asread|allread|all|rating|review|favorite|favourite|bookmark|wishlist|watchlist"
    "|database|db"
)
# What commands of programs are for, when they are joined with it: lockThread.do?tid=5.
COMMAND_OBJECTS = frozenset(JOINED_OBJECTS.split("|")) | frozenset(
    "task job ticket issue reservation loan hold request invitation invite member group account"
    " session device alert notification reminder reply note tag link card board poll report"
    " subscription coupon voucher profile password email document folder build instance service"
    " server".split()
)
# With the word as its whole text, a link to /block/user/91 or /deploy/production means it.
AGREED_WORDS = frozenset(
    "block join leave retry unlock lock report deploy star watch fork pin vote save on off".split()
)
# Values with which a checkout or a wizard ends.
LAST_STEPS = frozenset("pay confirm submit finish complete place".split())
DIRECTIONS = frozenset("left right".split())
# Before their object, with an id after it: /verify-email/ab12cd34.
FIRST_WORDS = frozenset(
    "confirm verify activate deactivate cancel accept decline reject enable disable renew save"
    " toggle restore publish unpublish update insert set".split()
)
# After what they add to or change, as programs are called: bug_note_add.php?id=3.
DATA_WORDS = frozenset("add update insert save remove set toggle".split())
# At the end of a path of three segments or more they are what is done to the thing before them,
# whatever its name: /users/anna/follow. No word that also names a page of a site.
LAST_WORDS = frozenset(
    "follow fork approve reject publish unpublish enroll rsvp activate deactivate"
    " impersonate accept decline unstar unwatch reserve".split()
)
