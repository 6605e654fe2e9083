"""Words that forms of any kind use, in four languages; languages without words speak English.

A wording that stands several times in a row is drawn as much more often.
"""

from leadline_lab.schemas.notation import LANGUAGES, read_words

GENERAL = read_words("""
search: Search; Search; Search; Search; Find; Search now; Go; Go; Submit
    | Suchen; Suchen; Suche; Suche starten; Los; Absenden
    | Rechercher; Rechercher; Recherche; Chercher; OK; Valider
    | Buscar; Buscar; Búsqueda; Buscar ahora; Ir; Enviar
plain: Search; Search; Search this site; Search our site; Search site; Search...; Enter keywords;
    Search for | Suche; Suchen; Suchbegriff; Website durchsuchen; Suchbegriff eingeben
    | Recherche; Rechercher; Rechercher sur le site; Mots-clés | Buscar; Búsqueda; Buscar en el
    sitio;
    Palabras clave
mute: Go; Go; OK; Submit; Enter; »; > | Los; OK; Absenden; » | OK; Aller; Valider; Envoyer; »
    | Ir; OK; Enviar; »
keyword: Keywords; Keyword; Search for; Keyword(s); Words; Full text; Search terms
    | Stichwort; Suchbegriff; Stichwörter; Freitext; Suchbegriffe
    | Mots-clés; Mot-clé; Recherche libre; Tous les mots
    | Palabras clave; Palabra clave; Texto libre; Buscar por
advanced: Advanced search; Search options; Refine your search; More options; Detailed search; Filter
    | Erweiterte Suche; Detailsuche; Suche verfeinern; Profisuche
    | Recherche avancée; Affiner la recherche; Plus de critères
    | Búsqueda avanzada; Más opciones; Refinar búsqueda
any: Any; All; Any; - Any -; No preference; Doesn't matter; Please select; --; All of them
    | Alle; Beliebig; Egal; Bitte wählen; Keine Auswahl; -- | Tous; Toutes; Indifférent; Choisir; --
    | Todos; Todas; Cualquiera; Seleccione; Indiferente; --
in: Search in; Search by; Look in; Type of search; in | Suchen in; Suche nach; Suchart; in
    | Rechercher dans; Chercher par; dans | Buscar en; Buscar por; en
sort: Sort by; Sort results by; Order by; Sort | Sortieren nach; Sortierung | Trier par; Tri
    | Ordenar por; Orden
orders: Relevance; Newest first; Price; Name | Relevanz; Neueste zuerst; Preis; Name
    | Pertinence; Plus récents; Prix; Nom | Relevancia; Más recientes; Precio; Nombre
size: Results per page; Show; Items per page; Display; per page | Treffer pro Seite; Anzeigen;
    Ergebnisse pro Seite | Résultats par page; Afficher | Resultados por página; Mostrar
lowest: from; Min; Minimum; From; at least; between | von; ab; Min.; mindestens
    | de; Min.; à partir de; entre | desde; Mín.; de; entre
highest: to; Max; Maximum; To; up to; and | bis; Max.; höchstens; bis zu | à; Max.; jusqu'à; et
    | hasta; Máx.; a; y
most: Max {}; Maximum {}; {} up to; Max. {} | Max. {}; {} bis; {} bis zu
    | {} max.; {} maximum; {} jusqu'à | {} máx.; {} máximo; {} hasta
only: Only; only; Show only | Nur | Seulement; Uniquement | Solo; Solamente
""")

PEOPLE = read_words("""
user: Username; User name; Login; User ID; Member name; Login name; E-mail or username
    | Benutzername; Benutzer; Login; Mitgliedsname | Identifiant; Nom d'utilisateur; Login; Pseudo
    | Usuario; Nombre de usuario
password: Password; Your password | Passwort; Kennwort | Mot de passe | Contraseña; Clave
again: Confirm password; Repeat password; Re-enter password | Passwort wiederholen; Passwort
    bestätigen | Confirmer le mot de passe | Confirmar contraseña; Repita la contraseña
remember: Remember me; Keep me logged in; Stay signed in | Angemeldet bleiben; Login merken
    | Se souvenir de moi; Rester connecté | Recordarme; No cerrar sesión
email: E-mail; Email address; Your e-mail; Email; E-mail address | E-Mail; E-Mail-Adresse; Ihre
    E-Mail
    | E-mail; Adresse e-mail; Votre e-mail; Courriel | Correo electrónico; E-mail; Su correo
name: Name; Your name; Full name | Name; Ihr Name; Vor- und Nachname | Nom; Votre nom; Nom et prénom
    | Nombre; Su nombre; Nombre y apellidos
first: First name; Given name | Vorname | Prénom | Nombre
last: Last name; Surname | Nachname; Familienname | Nom; Nom de famille | Apellidos; Apellido
phone: Phone; Telephone; Phone number | Telefon; Telefonnummer | Téléphone | Teléfono
company: Company; Organization | Firma; Unternehmen | Société; Entreprise | Empresa
street: Address; Street address | Straße; Anschrift | Adresse | Dirección
city: City; Town | Ort; Stadt | Ville | Ciudad; Localidad
zip: ZIP; ZIP code; Postal code | PLZ; Postleitzahl | Code postal | Código postal
country: Country; Country of residence | Land | Pays | País
born: Year of birth; Date of birth | Geburtsjahr; Geburtsdatum | Année de naissance
    | Año de nacimiento
gender: Gender; Sex; Title | Anrede; Geschlecht | Civilité; Sexe | Sexo; Tratamiento
genders: Female; Male | Frau; Herr | Madame; Monsieur | Mujer; Hombre
terms: I agree to the terms; I accept the terms and conditions; I have read the privacy policy
    | Ich akzeptiere die AGB; Datenschutz gelesen | J'accepte les conditions
    | Acepto las condiciones; He leído la política de privacidad
news: Send me the newsletter; Keep me informed; Send me special offers | Newsletter zusenden;
    Bitte informieren Sie mich | Recevoir la newsletter; Tenez-moi informé | Recibir el boletín;
    Quiero recibir ofertas
subject: Subject; Topic; Reason for contact | Betreff; Anliegen | Sujet; Objet | Asunto; Motivo
message: Message; Your message; Comments; Questions or comments; How can we help?
    | Nachricht; Ihre Nachricht; Mitteilung | Message; Votre message | Mensaje; Su mensaje; Consulta
comment: Comment; Your comment; Leave a comment; Review | Kommentar; Ihr Kommentar; Bewertung
    | Commentaire; Votre avis | Comentario; Su comentario; Opinión
website: Website; URL; Homepage | Webseite; Homepage | Site web | Sitio web; Web
captcha: Security code; Type the characters; What is 3 + 4? | Sicherheitscode; Zeichen eingeben
    | Code de sécurité; Recopiez le code | Código de seguridad
rating: Rating; Your rating | Bewertung | Note | Valoración
quantity: Quantity; Qty; Qty. | Menge; Anzahl | Quantité; Qté | Cantidad
variant: Size; Color; Choose an option; Style | Größe; Farbe; Variante | Taille; Couleur; Modèle
    | Talla; Color; Modelo
coupon: Promo code; Coupon; Gift card number | Gutscheincode | Code promo | Código promocional
amount: Amount; Your gift; Other amount | Betrag; Ihre Spende | Montant; Votre don
    | Importe; Su donativo
language: Language; Select language; Choose your language | Sprache; Sprache wählen
    | Langue; Choisir la langue | Idioma; Elija idioma
principal: Loan amount; Home price; Value; Amount to convert | Darlehensbetrag; Kaufpreis; Wert
    | Montant du prêt; Valeur | Importe del préstamo; Valor
rate: Interest rate; Rate (%); Annual rate | Zinssatz; Sollzins | Taux d'intérêt; Taux
    | Tipo de interés; Interés
term: Term; Years; Loan term | Laufzeit; Jahre | Durée; Années | Plazo; Años
unit: From; Convert from; Unit | Von; Einheit | De; Unité | De; Unidad
unit2: To; Convert to; Into | In; Nach | Vers; En | A; En
origin: From; Moving from; Pick-up address; Origin; Departure | Von; Beladeort; Abholadresse
    | De; Adresse de départ; Départ | Desde; Origen; Dirección de recogida
destination: To; Moving to; Delivery address; Destination | Nach; Entladeort; Lieferadresse
    | Vers; Adresse d'arrivée; Destination | Hasta; Destino; Dirección de entrega
date: Date; Preferred date; Travel date; Moving date | Datum; Wunschtermin; Umzugstermin
    | Date; Date souhaitée | Fecha; Fecha deseada
persons: Number of people; Group size; Passengers | Personenzahl; Teilnehmer | Nombre de personnes
    | Número de personas
budget: Budget; Price range | Budget | Budget | Presupuesto
answer: Your vote; Your answer; What do you think? | Ihre Stimme; Ihre Meinung | Votre vote; Votre
    avis
    | Su voto; Su opinión
answers: Yes; No; Don't know | Ja; Nein; Weiß nicht | Oui; Non; Sans opinion | Sí; No; No sé
""")

BUTTONS = read_words("""
login: Log in; Login; Sign in; Log In; Enter; Go | Anmelden; Login; Einloggen | Se connecter;
    Connexion; OK | Entrar; Iniciar sesión; Acceder
registration: Register; Sign up; Create account; Join now; Submit; Continue | Registrieren;
    Konto anlegen; Absenden; Weiter | S'inscrire; Créer un compte; Valider | Registrarse;
    Crear cuenta; Continuar
newsletter: Subscribe; Sign up; Subscribe; Join; Go; Submit; OK; Send | Abonnieren; Anmelden; OK;
    Eintragen | S'abonner; S'inscrire; OK | Suscribirse; Suscribir; Enviar; OK
contact: Send; Submit; Send message; Contact us | Senden; Absenden; Nachricht senden | Envoyer;
    Envoyer le message | Enviar; Enviar mensaje
comment: Post comment; Submit; Add comment; Post; Publish | Kommentar abschicken; Absenden; Posten
    | Publier; Laisser un commentaire; Envoyer | Publicar comentario; Enviar; Publicar
order: Add to cart; Add to basket; Buy now; Order; Add to bag; Update; Checkout | In den Warenkorb;
    Kaufen; Bestellen | Ajouter au panier; Acheter; Commander | Añadir al carrito; Comprar; Pedir
recovery: Reset password; Send; Submit; Send password; Continue; Get new password | Passwort
    anfordern;
    Senden; Weiter | Réinitialiser; Envoyer; Valider | Recuperar contraseña; Enviar; Continuar
poll: Vote; Submit; Vote now; Send vote | Abstimmen; Stimme abgeben | Voter; Je vote | Votar
quote: Get a quote; Request a quote; Get a free quote; Send request; Submit; Get prices; Go
    | Angebot anfordern; Anfrage senden; Kostenloses Angebot | Demander un devis; Devis gratuit;
    Envoyer
    | Solicitar presupuesto; Pedir presupuesto; Enviar
donation: Donate; Donate now; Give now; Continue; Give | Spenden; Jetzt spenden; Weiter
    | Faire un don; Je donne; Donner | Donar; Donar ahora; Colaborar
language_chooser: Go; Change; OK; Set | Ändern; OK; Los | OK; Changer | OK; Cambiar; Ir
calculator: Calculate; Convert; Compute; Go; Show payment | Berechnen; Umrechnen | Calculer;
    Convertir
    | Calcular; Convertir
""")

LEGENDS = read_words("""
login: Member login; Log in to your account; Sign in; Customer login; Already registered?
    | Anmeldung; Kundenlogin; Mitgliederbereich | Espace client; Connexion; Déjà inscrit ?
    | Acceso clientes; Iniciar sesión; ¿Ya está registrado?
registration: Create an account; Register; Join for free; New customer?; Sign up today |
    Registrierung;
    Neues Konto; Neukunde? | Créer un compte; Inscription; Nouveau client ? | Registro; Cree su
    cuenta
newsletter: Newsletter; Stay informed; Sign up for our newsletter; Get updates by e-mail; Subscribe;
    Join our mailing list; Latest offers | Newsletter; Immer informiert; Newsletter abonnieren;
    Aktuelle Angebote | Newsletter; Restez informé; Nos dernières offres
    | Boletín; Manténgase informado; Suscríbase
contact: Contact us; Send us a message; Get in touch; Feedback; Ask a question | Kontakt;
    Kontaktformular;
    Schreiben Sie uns | Contactez-nous; Formulaire de contact | Contacto; Escríbanos
comment: Leave a comment; Leave a reply; Write a review; Join the discussion | Kommentar schreiben;
    Bewertung abgeben | Laisser un commentaire; Donnez votre avis | Deje un comentario;
    Escriba una opinión
order: In stock; Choose options; Your order; Shopping cart | Auf Lager; Warenkorb; Ihre Bestellung
    | En stock; Votre panier | En existencias; Su pedido
recovery: Forgot your password?; Password reminder; Find your account; Lost password
    | Passwort vergessen?; Zugangsdaten anfordern | Mot de passe oublié ? | ¿Olvidó su contraseña?
poll: Poll; Poll of the week; Do you like our new site?; Have your say | Umfrage; Ihre Meinung
    | Sondage; La question du jour | Encuesta; Encuesta de la semana
quote: Free quote; Request a quote; Plan your group trip; Find the right price for your move;
    Tell us what you are looking for; Tailor-made travel | Angebot anfordern; Umzug anfragen;
    Gruppenreise anfragen | Demande de devis; Voyage sur mesure | Solicite presupuesto;
    Viajes en grupo
donation: Support us; Make a donation; Help us; Give today | Spenden Sie; Unterstützen Sie uns
    | Soutenez-nous; Faire un don | Apóyenos; Haga un donativo
language_chooser: Language; Choose your country | Sprache; Land wählen | Langue; Votre
    pays
    | Idioma; Elija su país
calculator: Mortgage calculator; Loan calculator; Currency converter; Unit converter; Payment
    calculator
    | Kreditrechner; Währungsrechner; Umrechner | Calculateur de prêt; Convertisseur
    | Calculadora de hipoteca; Conversor
""")

_ENDONYMS = ("English", "Deutsch", "Français", "Español", "Italiano", "Nederlands", "Português")
TONGUES = tuple(zip((*LANGUAGES, "it", "nl", "pt"), _ENDONYMS, strict=True))
COUNTRIES = tuple(
    (name, name)
    for name in (
        "Australia", "Austria", "Belgium", "Brazil", "Canada", "Denmark", "France", "Germany",
        "Ireland", "Italy", "Mexico", "Netherlands", "Norway", "Poland", "Portugal", "Spain",
        "Sweden", "Switzerland", "United Kingdom", "United States",
    )
)  # fmt: skip
