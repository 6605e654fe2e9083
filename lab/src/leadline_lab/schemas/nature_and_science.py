"""Background: databases of nature, science and heritage."""

NATURE_AND_SCIENCE = """
[species: species]
one: species; plant; taxon | Art; Pflanze | espèce; plante | especie; planta
many: species; plants; taxa | Arten; Pflanzen | espèces; plantes | especies; plantas
prompts: Search species; Find a plant; Plant finder; Search the herbarium | Arten suchen;
    Pflanzensuche | Rechercher une espèce; Trouver une plante | Buscar especies; Buscar plantas
paths: species plants flora taxa herbarium garden
name (title) name sciname latin taxon species: Scientific name; Species; Taxon; Name
    | Wissenschaftlicher Name; Art | Nom scientifique; Espèce | Nombre científico; Especie
common (title) common vernacular cname: Common name; English name | Deutscher Name; Trivialname
    | Nom commun; Nom vernaculaire | Nombre común
family (category) family fam order: Family; Plant family | Familie | Famille | Familia
    * Asteraceae; Brassicaceae; Cactaceae; Fabaceae; Lamiaceae; Liliaceae; Orchidaceae; Poaceae;
    Rosaceae; Solanaceae
habitat (category) habitat biome hab: Habitat; Environment | Lebensraum; Standort | Habitat; Milieu
    | Hábitat
    * Alpine; Coast; Desert; Forest; Grassland; Marsh; River; Tundra
region (place) region locality range country: Region; Locality; Found in; Country | Region; Fundort
    | Région; Localité | Región; Localidad
status (category) status iucn conservation: Conservation status; Status | Gefährdung; Schutzstatus
    | Statut de conservation | Estado de conservación
    * Endangered; Extinct; Least concern; Threatened; Vulnerable
collector (person) collector coll leg: Collector; Collected by | Sammler | Collecteur | Colector
year (year) year collected yr: Year collected; Year | Fundjahr | Année de récolte | Año de colecta

[weather: weather]
one: weather station; station | Wetterstation | station météo | estación
many: weather stations; observations | Wetterstationen; Messwerte | stations météo; relevés
    | estaciones; observaciones
prompts: Get weather data; Find a station; Climate data search; View observations | Wetterdaten
    abrufen; Station suchen | Rechercher une station; Données climatiques | Buscar estación;
    Datos climáticos
paths: weather climate stations observations data
station (title) station stn name sitename: Station; Station name | Station; Stationsname
    | Station; Nom de la station | Estación; Nombre de la estación
id (code) stationid wmo icao id: Station ID; WMO number; Call sign | Stationskennung; WMO-Nummer
    | Indicatif; Numéro OMM | Indicativo
place (place) city place near location: Near; City or ZIP; Location | Ort; In der Nähe von
    | Lieu; Ville | Lugar; Ciudad
element (category) element var parameter param: Element; Parameter; Variable | Messgröße; Parameter
    | Paramètre; Variable | Variable; Parámetro
    * Air pressure; Cloud cover; Humidity; Precipitation; Snow depth; Sunshine; Temperature; Wind
    speed
start (date) start begin startdate from: Start date; From; Beginning | Von; Beginn | Du; Début
    | Desde; Fecha inicial
end (date) end enddate to until: End date; To; Until | Bis; Ende | Au; Fin | Hasta; Fecha final
elevation (number) elev elevation alt: Elevation; Altitude | Höhe; Seehöhe | Altitude | Altitud
    * 100; 250; 500; 1000; 1500; 2000
interval (category) interval step freq: Interval; Time step | Intervall; Auflösung | Pas de temps
    | Intervalo
    * Hourly; Daily; Monthly; Yearly

[article: article]
one: article; paper | Artikel; Aufsatz | article | artículo
many: articles; papers; journals; abstracts | Artikel; Aufsätze; Zeitschriften | articles; revues
    | artículos; revistas
prompts: Search articles; Find papers; Search abstracts; Search this journal; Literature search
    | Artikel suchen; Literatursuche; Aufsätze finden | Rechercher un article; Recherche
    documentaire
    | Buscar artículos; Búsqueda bibliográfica
paths: articles papers abstracts journals literature pubs
title (title) title ti arttitle: Title; Article title; Words in title | Titel; Aufsatztitel | Titre;
    Titre de l'article | Título; Título del artículo
author (person) author au authors: Author; Authors; Author last name | Autor; Verfasser | Auteur
    | Autor
journal (title) journal so source jname: Journal; Source; Publication name | Zeitschrift; Quelle
    | Revue; Source | Revista; Fuente
abstract (text) abstract ab fulltext: Abstract; Words in abstract; Full text | Zusammenfassung;
    Volltext | Résumé; Texte intégral | Resumen; Texto completo
year (year) year py date: Year; Publication year; Published since | Jahr; Erscheinungsjahr
    | Année; Année de publication | Año; Año de publicación
volume (number) volume vol issue: Volume; Issue | Band; Heft | Volume; Numéro | Volumen; Número
doi (code) doi pmid accession: DOI; PMID; Accession number | DOI | DOI | DOI
field (category) field subject discipline topic: Subject area; Discipline; Topic | Fachgebiet;
    Disziplin | Discipline; Domaine | Área temática; Disciplina
    * Agriculture; Astronomy; Biochemistry; Ecology; Geology; Immunology; Linguistics; Mathematics;
    Neuroscience; Oncology; Physics; Sociology
type (category) type doctype pt: Document type; Article type | Dokumenttyp | Type de document
    | Tipo de documento
    * Case report; Editorial; Letter; Original research; Review

[museum: museum]
one: object; artwork | Objekt; Kunstwerk | objet; œuvre | objeto; obra
many: objects; collections; works of art | Objekte; Sammlung | collections; œuvres
    | colecciones; obras
prompts: Search the collection; Explore our collections; Find an object; Collection search
    | Sammlung durchsuchen; Objekte suchen | Rechercher une œuvre; Explorer les collections
    | Buscar en la colección; Explorar colecciones
paths: collection objects artworks museum exhibits
title (title) title object work objname: Title; Object name; Title of work | Titel;
    Objektbezeichnung
    | Titre; Désignation | Título; Nombre del objeto
artist (person) artist maker creator: Artist; Maker; Artist or maker | Künstler; Hersteller
    | Artiste; Auteur | Artista; Autor
medium (category) medium material technique: Medium; Material; Technique | Material; Technik
    | Matière; Technique | Material; Técnica
    * Bronze; Ceramic; Drawing; Glass; Gold; Marble; Oil on canvas; Photograph; Print; Textile; Wood
period (category) period era century: Period; Century; Era | Epoche; Jahrhundert | Époque; Siècle
    | Época; Siglo
    * Ancient; Medieval; Renaissance; Baroque; 18th century; 19th century; Modern; Contemporary
accession (code) accno accession inv objectid: Accession number; Inventory number | Inventarnummer
    | Numéro d'inventaire | Número de inventario
culture (place) culture origin place: Culture; Place of origin; Made in | Herkunft; Kultur
    | Origine; Provenance | Procedencia; Cultura
department (category) department dept gallery: Department; Gallery; On display in | Abteilung;
    Galerie | Département; Salle | Departamento; Sala
    * Arms and armour; Asian art; Coins; Egyptian art; European paintings; Photography; Prints;
    Sculpture
year (year) year date created: Year; Date made | Entstehungsjahr | Année; Date | Año; Fecha

[grant: grant]
one: grant; award | Förderung; Zuschuss | subvention; bourse | subvención; beca
many: grants; funding opportunities; awards | Fördermittel; Förderprogramme | subventions; bourses
    | subvenciones; becas; ayudas
prompts: Find grants; Search funding opportunities; Search awards; Grant search | Förderung finden;
    Fördermittel suchen | Rechercher une subvention; Trouver un financement
    | Buscar subvenciones; Buscar ayudas
paths: grants funding awards opportunities scholarships
title (title) title program project: Title; Program title; Project title; Award title | Titel;
    Programm; Projekttitel | Titre; Programme | Título; Programa
agency (category) agency sponsor funder: Agency; Sponsor; Funding agency | Förderer; Mittelgeber
    | Organisme; Financeur | Organismo; Financiador
    * Arts council; Defense; Education; Energy; Environment; Foundation; Health; Humanities;
    Transport
investigator (person) pi investigator applicant name: Principal investigator; Applicant; Awardee
    | Projektleiter; Antragsteller | Responsable; Candidat | Investigador principal; Solicitante
institution (title) institution org organization: Institution; Organization | Institution;
    Einrichtung | Établissement; Institution | Institución; Organización
amount (price) amount award min_amount: Award amount; Amount | Fördersumme; Betrag | Montant
    | Importe; Cuantía
    * 5000; 10000; 50000; 100000; 500000; 1000000
deadline (date) deadline due closes: Deadline; Closing date; Due date | Frist; Einsendeschluss
    | Date limite | Fecha límite; Plazo
eligibility (category) eligibility elig who: Eligibility; Who can apply | Antragsberechtigte
    | Bénéficiaires | Beneficiarios
    * Individuals; Local government; Nonprofits; Schools; Small business; Tribes; Universities
year (year) year fy fiscal: Fiscal year; Year | Haushaltsjahr; Jahr | Année; Exercice | Año
"""
