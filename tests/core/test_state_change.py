"""Requests that would change something are recognised where commands stand, in many languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.state_change import find_state_change

CHANGING = """
/logout /signout /log-out /users/sign_out /account/logout.php /wp-login.php?action=logout
/session/destroy /delete/1 /item/5/delete /delete.php?id=3 /posts/7/destroy /remove?id=4 /cart/add
/cart/add/5 /cart/remove/2 /basket/add?sku=9 /?add-to-cart=99 /cart?action=add /wishlist/add/3
/favorites/add?id=1 /compare/add/3 /unsubscribe /unsubscribe?email=a@b.c /newsletter/unsubscribe
/vote /vote/5 /poll/vote?option=2 /vote?id=3 /like/7 /post/7/like /follow/3 /users/5/ban
/admin/exec?cmd= /admin/exec?cmd=ls /reset-database /admin/reset-db /?wipe=all /?wipe= /wipe
/purge-cache /clear-cache /empty-trash /admin/shutdown /reboot /users/delete/5 /deleteUser?id=4
/removeItem/4 /api/v1/items/5/remove /approve/7 /comment/5/approve /comment/5/report /publish/3
/confirm?token=abc /activate?key=abc /subscribe?email=x /buy/5 /purchase?id=5 /pay?amount=3
/lockThread.do?threadId=5 /archiveTicket/5 /item;cancel?id=3 /rename/4711 /unflag.php?item=5
/resend?id=3 /item/4711/pause /?action=duplicate&id=5
/donate?amount=10 /delete-everything /delete-all /account/delete /drop-table?name=x
/index.php?do=delete&id=3 /index.php?op=remove /index.php?task=delete /?action=vote&id=2 /?delete=5
/?remove_item=abc /?logout=1 /?logout /?mode=delete&id=3 /forum/posting.php?mode=delete&p=3
/mark-as-read?id=3 /supprimer/1 /article/5/supprimer /deconnexion /se-deconnecter
/panier/ajouter/5 /ajouter-au-panier?id=3 /desabonnement /loeschen/1 /l%C3%B6schen/1 /abmelden
/warenkorb/hinzufuegen?id=3 /in-den-warenkorb/5 /eliminar/1 /borrar/5 /cerrar-sesion
/carrito/agregar/5 /excluir/3 /sair /carrinho/adicionar/5 /elimina/3 /esci /carrello/aggiungi/5
/verwijderen/3 /uitloggen /winkelwagen/toevoegen/3 /usun/3 /wyloguj /koszyk/dodaj/3 /smazat/3
/odhlasit /удалить/5 /выход /sil/3 /cikis /sepete-ekle/5 /削除/5 /删除/5 /삭제/5 /حذف/5
/poista/5 /ta-bort/3 /slet/5 /torles/3 /sterge/3 /hapus/3 /xoa/3
""".split()
HARMLESS = """
/search?q=delete /books?title=vote /how-to-delete-your-account /blog/why-i-deleted-facebook
/docs/api/delete /orders /cart /checkout /login /register /edit/5 /like-water-for-chocolate
/category/drop-earrings /remove-stains-from-carpet-easily /news/vote-2024 /archive/2020
/report/2020 /book/123 /follow-us /subscribe /donate /support/cancel-order-help /tag/delete
/print/5 /share/5 /compare /wishlist /movies/kill-bill /film/the-exec /user/bob
/results?action=search /index.php?action=edit&title=x /?do=show&id=3 /view?op=list&id=9 /event/5
/vote/ /page?cmd=view&id=3 /catalogue?mode=list /item?id=5 /p/delete-key-not-working-on-keyboard
""".split()


@pytest.mark.parametrize("path", CHANGING)
def test_what_would_change_something_is_named(path: str) -> None:
    assert find_state_change(f"https://a.example{path}")


@pytest.mark.parametrize("path", HARMLESS)
def test_what_only_speaks_of_changes_is_not(path: str) -> None:
    assert find_state_change(f"https://a.example{path}") == ""


@pytest.mark.parametrize(
    "text", ["Delete", "Log out", "Unsubscribe", "Add to cart", "Supprimer", "Abmelden", "削除"]
)
def test_a_link_whose_whole_text_is_a_command_is_named(text: str) -> None:
    assert find_state_change("https://a.example/x7", text)
    assert find_state_change("https://a.example/x7", f"How others came to {text} it") == ""


@given(st.text(max_size=200), st.text(max_size=50))
def test_any_text_is_judged(url: str, text: str) -> None:
    assert isinstance(find_state_change(url, text), str)
