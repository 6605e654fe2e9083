"""What result pages say, in the languages of the worlds."""

from leadline_lab.draw import key_of

_SAID: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "results": ("Search results for “{}”", "Results for {}", "Your search: {}", "{} - results"),
        "all": ("All {}", "Browse {}"),
        "exact": ("{} results", "{} records found", "We found {} matches", "Total: {}"),
        "estimated": ("about {} results", "More than {} matches", "approximately {} found"),
        "first": ("Showing the first {}.", "Only {} results can be displayed."),
        "range": ("Showing {} to {}", "{} - {}", "Records {} through {}"),
        "none": ("No results were found for {}.", "Your search for {} did not match any records.",
                 "Sorry, nothing found: {}", "0 hits for {}"),
        "over": ("There are no more results.", "End of list."),
        "suggested": ("You may also like", "Popular right now", "Try one of these"),
        "short": ("Please enter at least {} characters.", "Search terms need {} letters or more."),
        "blank": ("Please enter a search term.", "Nothing to search for."),
        "refused": ("Your session has expired.", "This request could not be verified."),
        "bad": ("Bad request: unknown parameter.",),
        "next": ("Next", "Next »", ">", "More results", "Next page"),
        "previous": ("Previous", "« Prev", "<", "Back", "Previous page"),
        "sort": ("Sort by", "Order"),
        "narrow": ("Narrow by", "Filter"),
        "size": ("Per page", "Show"),
        "related": ("Related", "See also", "More like this"),
        "type": ("Type", "Format"),
        "kinds": ("Article", "Profile"),
    },
    "de": {
        "results": ("Suchergebnisse für „{}“", "Treffer für {}"),
        "all": ("Alle {}",),
        "exact": ("{} Treffer", "{} Ergebnisse gefunden"),
        "estimated": ("ungefähr {} Ergebnisse", "Mehr als {} Treffer"),
        "first": ("Es werden nur die ersten {} angezeigt.",),
        "range": ("Treffer {} bis {}", "{} - {}"),
        "none": ("Keine Treffer für {}.", "Ihre Suche nach {} ergab leider nichts."),
        "over": ("Keine weiteren Ergebnisse.",),
        "suggested": ("Das könnte Sie interessieren", "Beliebt"),
        "short": ("Bitte geben Sie mindestens {} Zeichen ein.",),
        "blank": ("Bitte geben Sie einen Suchbegriff ein.",),
        "refused": ("Ihre Sitzung ist abgelaufen.",),
        "bad": ("Ungültige Anfrage: unbekannter Parameter.",),
        "next": ("Weiter", "Nächste Seite", "»"),
        "previous": ("Zurück", "Vorherige Seite", "«"),
        "sort": ("Sortieren nach",),
        "narrow": ("Eingrenzen",),
        "size": ("Pro Seite",),
        "related": ("Ähnliche Einträge", "Siehe auch"),
        "type": ("Art",),
        "kinds": ("Artikel", "Profil"),
    },
    "fr": {
        "results": ("Résultats pour « {} »", "Votre recherche : {}"),
        "all": ("Tous les {}",),
        "exact": ("{} résultats", "{} fiches trouvées"),
        "estimated": ("environ {} résultats", "Plus de {} réponses"),
        "first": ("Seuls les {} premiers sont affichés.",),
        "range": ("Résultats {} à {}", "{} - {}"),
        "none": ("Aucun résultat pour {}.", "Votre recherche {} n'a rien donné."),
        "over": ("Il n'y a plus de résultats.",),
        "suggested": ("Vous aimerez aussi", "À découvrir"),
        "short": ("Saisissez au moins {} caractères.",),
        "blank": ("Saisissez un mot à chercher.",),
        "refused": ("Votre session a expiré.",),
        "bad": ("Requête incorrecte : paramètre inconnu.",),
        "next": ("Suivant", "Page suivante", "»"),
        "previous": ("Précédent", "Page précédente", "«"),
        "sort": ("Trier par",),
        "narrow": ("Affiner",),
        "size": ("Par page",),
        "related": ("Voir aussi", "Fiches proches"),
        "type": ("Type",),
        "kinds": ("Article", "Profil"),
    },
    "es": {
        "results": ("Resultados de «{}»", "Su búsqueda: {}"),
        "all": ("Todos: {}",),
        "exact": ("{} resultados", "{} registros encontrados"),
        "estimated": ("unos {} resultados", "Más de {} coincidencias"),
        "first": ("Solo se muestran los primeros {}.",),
        "range": ("Resultados {} a {}", "{} - {}"),
        "none": ("No hay resultados para {}.", "La búsqueda {} no encontró nada."),
        "over": ("No hay más resultados.",),
        "suggested": ("También le puede interesar", "Lo más visto"),
        "short": ("Escriba al menos {} caracteres.",),
        "blank": ("Escriba lo que desea buscar.",),
        "refused": ("La sesión ha caducado.",),
        "bad": ("Solicitud incorrecta: parámetro desconocido.",),
        "next": ("Siguiente", "Página siguiente", "»"),
        "previous": ("Anterior", "Página anterior", "«"),
        "sort": ("Ordenar por",),
        "narrow": ("Filtrar",),
        "size": ("Por página",),
        "related": ("Véase también", "Relacionados"),
        "type": ("Tipo",),
        "kinds": ("Artículo", "Perfil"),
    },
}  # fmt: skip


class Speech:
    """How one source says things: always the same way."""

    def __init__(self, key: int, language: str) -> None:
        self._said = _SAID.get(language, _SAID["en"])
        self._key = key

    def say(self, what: str, *values: object) -> str:
        ways = self._said[what]
        way = ways[key_of(self._key, "say", what) % len(ways)]
        for value in values:
            way = way.replace("{}", str(value), 1)
        return way

    def kind(self, number: int) -> str:
        """Of a record that is not of the schema's own type: 1 or 2."""
        return self._said["kinds"][number - 1]
