"""Background: registers of courts, parliaments, patents and land."""

LAW_AND_LAND = """
[court: court]
one: case; docket | Fall; Verfahren | affaire; dossier | caso; expediente
many: cases; court records; dockets; opinions | Fälle; Entscheidungen; Urteile
    | affaires; décisions | casos; sentencias; expedientes
prompts: Search court records; Case search; Docket search; Find a case; Search opinions
    | Urteile suchen; Entscheidungssuche | Rechercher une décision; Recherche de jurisprudence
    | Buscar casos; Buscar sentencias
paths: cases court dockets opinions records judgments
party (person) party partyname lastname name: Party name; Last name; Name of party; Plaintiff or
    defendant | Partei; Name der Partei | Partie; Nom des parties | Parte; Nombre de la parte
casenumber (code) caseno case_number docket dktno: Case number; Docket number; Case no. |
    Aktenzeichen
    | Numéro d'affaire; Numéro de pourvoi | Número de caso; Número de expediente
court (category) court ctype county: Court; County; Court type | Gericht | Juridiction; Tribunal
    | Tribunal; Juzgado
    * Appeals court; Bankruptcy court; Circuit court; County court; District court; Family court;
    Probate court; Supreme court
type (category) casetype type category: Case type; Category | Verfahrensart; Rechtsgebiet
    | Nature de l'affaire; Matière | Tipo de caso; Materia
    * Civil; Criminal; Divorce; Juvenile; Probate; Small claims; Traffic
filed (date) filed filedate from: Date filed; Filed after; Filing date | Eingangsdatum; Datum
    | Date de dépôt; Date | Fecha de presentación
judge (person) judge judgename: Judge; Judge name | Richter | Juge; Magistrat | Juez; Ponente
attorney (person) attorney lawyer barno: Attorney; Attorney name | Anwalt | Avocat | Abogado
text (text) text words fulltext: Words in opinion; Full text | Volltext; Stichworte | Texte
    intégral;
    Mots | Texto completo; Palabras

[legislation: legislation]
one: bill; law; statute | Gesetz; Verordnung | loi; texte | ley; norma
many: bills; laws; statutes; regulations | Gesetze; Verordnungen | lois; textes officiels
    | leyes; normas; legislación
prompts: Search legislation; Bill search; Find a bill; Search statutes and codes | Gesetze suchen;
    Rechtsvorschriften finden | Rechercher un texte; Recherche dans les lois | Buscar legislación;
    Buscar normas
paths: bills laws statutes legislation code acts
title (title) title short heading: Title; Short title; Act name | Titel; Kurztitel | Titre; Intitulé
    | Título
number (code) billno number chapter act: Bill number; Chapter; Act number | Drucksache; Nummer
    | Numéro; Numéro de texte | Número; Número de ley
sponsor (person) sponsor author member: Sponsor; Introduced by; Member | Einbringer; Abgeordneter
    | Auteur; Rapporteur | Proponente; Autor
session (category) session congress term: Session; Term | Wahlperiode; Sitzung | Session;
    Législature
    | Legislatura; Período
    * Regular session; Special session; First session; Second session
topic (category) topic subject index: Topic; Subject; Index term | Sachgebiet; Thema | Thème;
    Matière
    | Materia; Tema
    * Agriculture; Commerce; Education; Elections; Energy; Finance; Health; Housing; Labor;
    Taxation;
    Transportation; Water
status (category) status stage: Status; Stage | Stand; Status | État; Étape | Estado; Fase
    * Adopted; In committee; Introduced; Repealed; Vetoed; Withdrawn
enacted (date) enacted date since: Date; Enacted since; Date of publication | Datum; Inkrafttreten
    | Date; Date de publication | Fecha; Fecha de publicación
text (text) text fulltext words: Full text; Words and phrases | Volltext; Suchbegriffe
    | Texte intégral | Texto; Palabras

[patent: patent]
one: patent | Patent | brevet | patente
many: patents; applications; trademarks | Patente; Schutzrechte | brevets; demandes
    | patentes; solicitudes
prompts: Search patents; Patent search; Find patents; Quick search | Patente suchen; Patentrecherche
    | Rechercher un brevet; Recherche de brevets | Buscar patentes
paths: patents ip patft applications trademarks
title (title) title ttl inv_title: Title; Title of invention | Titel; Bezeichnung | Titre;
    Titre de l'invention | Título; Título de la invención
number (code) patno pn number appno: Patent number; Application number; Publication number
    | Patentnummer; Veröffentlichungsnummer | Numéro de brevet; Numéro de publication
    | Número de patente; Número de publicación
inventor (person) inventor in inv: Inventor; Inventor name | Erfinder | Inventeur | Inventor
assignee (title) assignee an pa applicant: Assignee; Applicant; Company | Anmelder; Inhaber
    | Déposant; Titulaire | Solicitante; Titular
class (category) class ipc cpc: Classification; IPC; Section | Klassifikation; IPC | Classification;
    CIB | Clasificación; CIP
    * Chemistry; Electricity; Fixed constructions; Human necessities; Mechanical engineering;
    Operations; Physics; Textiles
filed (date) filed appdate since: Filing date; Application date | Anmeldetag | Date de dépôt
    | Fecha de solicitud
abstract (text) abstract abst claims: Abstract; Abstract or claims; Claims | Zusammenfassung;
    Ansprüche | Abrégé; Revendications | Resumen; Reivindicaciones
year (year) year issued isd: Issue year; Year | Jahr; Erteilungsjahr | Année | Año

[parcel: parcel]
one: parcel; property record | Flurstück; Grundstück | parcelle | parcela; finca
many: parcels; property records; deeds | Flurstücke; Grundstücke | parcelles; actes
    | parcelas; fincas
prompts: Property search; Search parcels; Find a property record; Search by owner or address
    | Flurstück suchen; Grundstückssuche | Rechercher une parcelle; Recherche cadastrale
    | Buscar parcela; Consulta catastral
paths: parcels property assessor cadastre deeds records
address (place) address street situs addr: Property address; Street name; Address | Adresse; Straße
    | Adresse; Rue | Dirección; Calle
owner (person) owner ownername grantor: Owner; Owner name; Grantor or grantee | Eigentümer
    | Propriétaire | Propietario; Titular
parcelid (code) parcel apn pin parcelid: Parcel number; APN; Parcel ID; PIN | Flurstücksnummer
    | Numéro de parcelle | Referencia catastral; Número de parcela
use (category) use landuse proptype: Land use; Property type; Use code | Nutzungsart; Nutzung
    | Usage; Nature du bien | Uso; Uso del suelo
    * Agricultural; Commercial; Forest; Industrial; Multi-family; Public; Single family; Vacant
value (price) value assessed saleprice: Assessed value; Sale price; Value | Wert; Kaufpreis
    | Valeur; Prix de vente | Valor catastral; Precio
    * 50000; 100000; 200000; 400000; 800000
acres (number) acres lot lotsize: Acres; Lot size | Fläche; Grundstücksgröße | Surface | Superficie
    * 1; 2; 5; 10; 40; 100
sold (date) saledate sold recorded: Sale date; Date recorded; Sold after | Verkaufsdatum
    | Date de vente | Fecha de venta
town (category) town township district: Town; Township; District | Gemeinde; Gemarkung | Commune;
    Section | Municipio; Distrito
    * Ashby; Brookfield; Cedar Grove; Dunmore; Eastham; Fairhaven; Glenwood; Hillside; Millbrook

[burial: burial]
one: burial record; ancestor | Grabstelle; Vorfahr | sépulture; ancêtre | registro; antepasado
many: burial records; ancestors; family history records | Grabstellen; Vorfahren
    | sépultures; actes | registros; antepasados
prompts: Search burial records; Find your ancestors; Search family history; Find a grave
    | Ahnenforschung; Vorfahren suchen | Rechercher un ancêtre; Recherche généalogique
    | Buscar antepasados; Buscar registros
paths: graves burials ancestors genealogy records cemetery
surname (person) surname lastname ln: Surname; Last name; Family name | Nachname; Familienname
    | Nom; Nom de famille | Apellido; Apellidos
given (person) given firstname fn: First name; Given names; Forename | Vorname | Prénom | Nombre
birth (year) birth birthyear yob: Year of birth; Birth year; Born | Geburtsjahr | Année de naissance
    | Año de nacimiento
death (year) death deathyear yod: Year of death; Death year; Died | Todesjahr | Année de décès
    | Año de defunción
cemetery (place) cemetery place parish: Cemetery; Place; Parish | Friedhof; Ort | Cimetière;
    Paroisse
    | Cementerio; Parroquia
record (category) record rectype collection: Record type; Collection | Quellenart; Bestand
    | Type d'acte; Fonds | Tipo de registro; Colección
    * Baptism; Birth; Burial; Census; Death; Marriage; Military; Passenger list; Probate
spouse (person) spouse husband wife: Spouse; Married to | Ehepartner | Conjoint | Cónyuge
plot (code) plot grave lot: Plot; Grave number | Grabnummer | Emplacement | Número de tumba
"""
