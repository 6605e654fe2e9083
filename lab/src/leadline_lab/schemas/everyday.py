"""Background: databases of everyday things that are searched but of no domain looked for."""

EVERYDAY = """
[recipe: recipe]
one: recipe; dish | Rezept | recette | receta
many: recipes; dishes | Rezepte; Gerichte | recettes; plats | recetas; platos
prompts: Find a recipe; Search recipes; Recipe finder; What's for dinner? | Rezepte suchen;
    Rezeptsuche; Was koche ich heute? | Rechercher une recette; Trouver une recette
    | Buscar recetas; ¿Qué cocino hoy?
paths: recipes cooking dishes kitchen food
name (title) recipe name dish title: Recipe name; Recipe; Dish | Rezept; Gericht | Recette; Plat
    | Receta; Plato
ingredient (text) ingredient ingredients ing with: Ingredients; Main ingredient; With these
    ingredients
    | Zutaten; Hauptzutat | Ingrédients; Ingrédient principal | Ingredientes; Ingrediente principal
course (category) course meal type: Course; Meal; Type of dish | Gang; Mahlzeit | Type de plat;
    Repas
    | Tipo de plato; Comida
    * Appetizer; Bread; Breakfast; Dessert; Drink; Main dish; Salad; Sauce; Side dish; Snack; Soup
cuisine (category) cuisine country origin: Cuisine; Country; Origin | Küche; Land | Cuisine; Origine
    | Cocina; Origen
    * American; Chinese; French; Greek; Indian; Italian; Japanese; Mexican; Moroccan; Spanish; Thai
time (number) time minutes preptime: Preparation time; Ready in; Minutes | Zubereitungszeit; Minuten
    | Temps de préparation | Tiempo de preparación
    * 10; 20; 30; 45; 60; 120
diet (category) diet special: Diet; Special diet | Ernährung | Régime | Dieta
    * Dairy free; Gluten free; Low fat; Vegan; Vegetarian
servings (number) servings serves portions: Servings; Serves | Portionen; Personen | Personnes
    | Raciones; Personas
    * 1; 2; 4; 6; 8; 12
author (person) cook author chef: Cook; Chef; Submitted by | Koch; Eingereicht von | Chef; Auteur
    | Cocinero; Autor

[software: software]
one: package; program; download | Paket; Programm | logiciel; paquet | paquete; programa
many: packages; downloads; software | Pakete; Downloads; Software | logiciels; téléchargements
    | paquetes; descargas
prompts: Search packages; Find software; Search downloads; Package search | Software suchen;
    Pakete suchen; Downloads finden | Rechercher un logiciel; Trouver un paquet
    | Buscar paquetes; Buscar software
paths: packages software downloads modules files
name (title) package name pkg module: Package name; Package; Program; Module | Paketname; Programm
    | Nom du paquet; Logiciel | Nombre del paquete; Programa
description (text) descr description summary: Description; Summary | Beschreibung | Description
    | Descripción
license (category) license lic: License | Lizenz | Licence | Licencia
    * Apache; BSD; Commercial; Freeware; GPL; MIT; Public domain; Shareware
platform (category) platform os arch system: Platform; Operating system; Architecture | Plattform;
    Betriebssystem | Plateforme; Système | Plataforma; Sistema operativo
    * Android; BSD; Linux; Mac; Unix; Windows
section (category) section category topic: Section; Category; Topic | Bereich; Kategorie | Section;
    Catégorie | Sección; Categoría
    * Communications; Databases; Development; Editors; Education; Games; Graphics; Libraries; Mail;
    Network; Science; Sound; Text; Utilities
version (code) version ver release: Version; Release | Version | Version | Versión
maintainer (person) maintainer author packager: Maintainer; Author | Betreuer; Autor | Mainteneur;
    Auteur | Responsable; Autor
updated (date) updated since modified: Updated since; Last modified | Aktualisiert seit
    | Mis à jour depuis | Actualizado desde

[sport: sport]
one: match; result | Spiel; Ergebnis | match; résultat | partido; resultado
many: results; matches; statistics | Ergebnisse; Spiele; Statistiken | résultats; matchs
    | resultados; partidos
prompts: Search results; Find a match; Player search; Statistics finder | Ergebnisse suchen;
    Spieler suchen | Rechercher un résultat; Chercher un joueur | Buscar resultados; Buscar jugador
paths: results scores stats matches players
event (title) event match competition: Event; Competition; Match | Wettbewerb; Begegnung
    | Compétition; Épreuve | Competición; Encuentro
player (person) player athlete name: Player; Athlete; Player name | Spieler; Sportler | Joueur;
    Athlète | Jugador; Atleta
team (title) team club side: Team; Club | Mannschaft; Verein | Équipe; Club | Equipo; Club
league (category) league division series: League; Division; Series | Liga; Klasse | Championnat;
    Division | Liga; División
    * Amateur; College; Cup; First division; International; Junior; Premier; Second division; Women
season (year) season year yr: Season; Year | Saison; Jahr | Saison; Année | Temporada; Año
sport (category) sport discipline kind: Sport; Discipline | Sportart; Disziplin | Sport; Discipline
    | Deporte; Disciplina
    * Athletics; Baseball; Basketball; Cricket; Cycling; Football; Golf; Hockey; Rowing; Skiing;
    Swimming; Tennis
venue (place) venue ground stadium: Venue; Ground; Stadium | Austragungsort; Stadion | Lieu; Stade
    | Sede; Estadio
date (date) date day played: Date; Played on | Datum; Spieltag | Date; Journée | Fecha; Jornada

[medicine: medicine]
one: medicine; drug | Medikament; Arzneimittel | médicament | medicamento
many: medicines; drugs | Arzneimittel; Medikamente | médicaments | medicamentos
prompts: Search drugs; Find a medicine; Drug information; Look up a drug | Arzneimittel suchen;
    Medikament finden | Rechercher un médicament | Buscar medicamentos
paths: drugs medicines pharmacy leaflets substances
name (title) drug name brandname product: Drug name; Brand name; Medicine | Handelsname; Medikament
    | Nom du médicament; Spécialité | Nombre comercial; Medicamento
substance (title) substance generic active inn: Active ingredient; Generic name; Substance |
    Wirkstoff
    | Substance active; Principe actif | Principio activo
maker (title) maker company mah manufacturer: Manufacturer; Company | Hersteller; Zulassungsinhaber
    | Laboratoire; Titulaire | Laboratorio; Fabricante
form (category) form dosage route: Dosage form; Form; Route | Darreichungsform | Forme
    pharmaceutique;
    Forme | Forma farmacéutica
    * Capsule; Cream; Drops; Inhaler; Injection; Ointment; Patch; Syrup; Tablet
condition (category) condition indication disease: Condition; Indication; Used for |
    Anwendungsgebiet;
    Indikation | Indication; Maladie | Indicación; Enfermedad
    * Allergy; Asthma; Cancer; Cold; Diabetes; Epilepsy; Heart disease; Infection; Migraine; Pain
code (code) ndc atc code pzn: NDC; ATC code; Product number | PZN; ATC-Code | Code CIP; Code ATC
    | Código nacional; Código ATC
status (category) status rx otc: Prescription status; Availability | Rezeptpflicht; Abgabestatus
    | Statut; Prescription | Estado; Receta
    * Prescription only; Over the counter; Withdrawn
approved (year) approved year since: Approval year; Approved since | Zulassungsjahr
    | Année d'autorisation | Año de autorización

[school: school]
one: school; college | Schule; Hochschule | école; établissement | escuela; colegio; centro
many: schools; colleges; courses | Schulen; Hochschulen; Studiengänge | écoles; formations
    | escuelas; colegios; centros
prompts: Find a school; School search; College finder; Find courses; School locator | Schule finden;
    Schulsuche; Studiengang suchen | Trouver une école; Rechercher un établissement
    | Buscar centros; Buscar colegio
paths: schools colleges courses education finder
name (title) school name institution: School name; Institution; Name of school | Name der Schule;
    Einrichtung | Nom de l'établissement; École | Nombre del centro; Escuela
city (place) city zip near location: City; City or ZIP; Near; Location | Ort; PLZ oder Ort | Ville;
    Commune | Localidad; Municipio
level (category) level grade grades type: Level; Grades; School type | Schulform; Stufe | Niveau;
    Type d'établissement | Nivel; Etapa
    * Kindergarten; Elementary; Middle; High school; College; University; Vocational
control (category) control sector public: Public or private; Sector | Trägerschaft | Secteur;
    Public ou privé | Titularidad
    * Public; Private; Charter; Religious
program (category) program major subject: Program; Major; Field of study | Studienfach; Fachrichtung
    | Formation; Filière | Titulación; Rama
    * Arts; Business; Engineering; Health; Humanities; Law; Science; Teaching
tuition (price) tuition fees cost: Tuition; Annual fees | Studiengebühren | Frais de scolarité
    | Matrícula; Coste
    * 1000; 5000; 10000; 20000; 40000
enrollment (number) size enrollment students: Enrollment; Number of students | Schülerzahl
    | Effectif | Número de alumnos
    * 100; 500; 1000; 5000; 10000
code (code) code nces ceeb: School code | Schulnummer | Code établissement | Código de centro

[stamp: stamp]
one: stamp; coin | Briefmarke; Münze | timbre; pièce | sello; moneda
many: stamps; coins; issues | Briefmarken; Münzen | timbres; monnaies | sellos; monedas
prompts: Search stamps; Coin finder; Search the catalogue; Find collectibles | Briefmarken suchen;
    Münzen suchen; Sammlerkatalog | Rechercher un timbre; Catalogue de monnaies
    | Buscar sellos; Buscar monedas
paths: stamps coins catalogue collectibles issues
name (title) name issue title subject: Name; Issue; Motif | Bezeichnung; Motiv | Nom; Motif
    | Nombre; Motivo
country (category) country issuer land: Country; Issuer | Land; Ausgabeland | Pays; Émetteur | País;
    Emisor
    * Austria; Belgium; Brazil; Canada; France; Germany; Great Britain; India; Italy; Japan; Monaco;
    Netherlands; San Marino; Spain; Switzerland; United States
denomination (code) denomination face value: Denomination; Face value | Nennwert; Nominal
    | Valeur faciale | Valor facial
year (year) year issued yr: Year of issue; Year | Ausgabejahr; Jahr | Année d'émission; Année | Año
condition (category) condition grade quality: Condition; Grade | Erhaltung; Qualität | État; Qualité
    | Conservación; Estado
    * Mint; Fine; Very fine; Used; Uncirculated; Proof
catalogue (code) catno michel scott km: Catalogue number; Scott number; KM number | Katalognummer;
    Michel-Nummer | Numéro de catalogue; Yvert | Número de catálogo
metal (category) metal material colour: Metal; Colour | Material; Farbe | Métal; Couleur
    | Metal; Color
    * Bronze; Copper; Gold; Nickel; Silver; Steel
price (price) price value maxprice: Price; Catalogue value | Preis; Katalogwert | Prix; Cote |
    Precio
    * 1; 5; 10; 50; 100; 500

[event: event]
one: event; concert; show | Veranstaltung; Konzert | événement; spectacle | evento; concierto
many: events; tickets; shows; concerts | Veranstaltungen; Termine | événements; spectacles
    | eventos; espectáculos
prompts: Find events; Search events; What's on; Event finder; Find tickets | Veranstaltungen suchen;
    Termine finden | Rechercher un événement; Que faire ce week-end ? | Buscar eventos;
    Agenda cultural
paths: events calendar whatson tickets agenda
name (title) event name artist title: Event; Event name; Artist or event | Veranstaltung; Titel
    | Événement; Titre | Evento; Título
city (place) city location where town: City; Location; Where; Town | Ort; Wo; Stadt | Ville; Lieu;
    Où
    | Ciudad; Lugar; Dónde
venue (title) venue hall place: Venue; Hall | Veranstaltungsort; Spielstätte | Salle; Lieu
    | Sala; Recinto
date (date) date when day start: Date; When; From date | Datum; Wann | Date; Quand | Fecha; Cuándo
category (category) category type genre: Category; Type of event | Kategorie; Sparte | Catégorie;
    Genre | Categoría; Tipo
    * Art; Classical; Comedy; Conference; Dance; Exhibition; Family; Festival; Lecture; Market;
    Opera;
    Sports; Theatre; Workshop
price (price) price cost maxprice: Price; Ticket price | Preis; Eintritt | Prix; Tarif | Precio;
    Entrada
    * 5; 10; 20; 50; 100
organizer (title) organizer host promoter: Organizer; Hosted by | Veranstalter | Organisateur
    | Organizador
audience (category) audience age for: Audience; Suitable for | Zielgruppe | Public | Público
    * Adults; All ages; Children; Seniors; Students; Teenagers

[charity: charity]
one: charity; organization | Verein; Organisation | association | asociación; entidad
many: charities; organizations; societies | Vereine; Organisationen | associations
    | asociaciones; entidades
prompts: Find a charity; Search organizations; Register search; Check a charity number
    | Verein suchen; Vereinsregister | Rechercher une association; Annuaire des associations
    | Buscar asociaciones; Registro de entidades
paths: charities organizations register societies nonprofits
name (title) name org charity: Name; Organization name; Charity name | Name; Vereinsname | Nom;
    Nom de l'association | Nombre; Denominación
number (code) regno ein number: Registration number; EIN; Charity number | Registernummer
    | Numéro RNA; Numéro | Número de registro; CIF
cause (category) cause area field: Cause; Area of work; Purpose | Zweck; Bereich | Domaine; Objet
    | Fines; Ámbito
    * Animals; Arts; Children; Disability; Environment; Health; Heritage; Housing; Poverty; Relief
place (place) city area place: Area; City; Where it works | Ort; Sitz | Ville; Siège | Localidad;
    Sede
income (price) income revenue size: Income; Annual income | Einnahmen | Budget; Ressources |
    Ingresos
    * 10000; 100000; 500000; 1000000
founded (year) founded year since: Registered since; Year founded | Gründungsjahr
    | Année de création | Año de fundación
trustee (person) trustee contact officer: Trustee; Officer | Vorstand | Président; Dirigeant
    | Presidente; Patrono
status (category) status state active: Status | Status | Statut | Estado
    * Active; Dissolved; Removed; Overdue
"""
