"""People: white pages of a town, and directories of a university's staff."""

PERSONS = """
[people_whitepages: people]
one: person; listing | Person; Eintrag | personne; abonné | persona; abonado
many: people; listings; residents | Personen; Teilnehmer; Einträge | personnes; particuliers
    | personas; particulares
prompts: Find people; People search; White pages; Find a person; Look up a name; Reverse phone
    lookup;
    Find an old friend | Personensuche; Person finden; Telefonbuch; Teilnehmer suchen
    | Rechercher une personne; Annuaire; Pages blanches; Trouver quelqu'un
    | Buscar personas; Páginas blancas; Encontrar a alguien; Guía telefónica
paths: people whitepages directory phonebook person find lookup
name (person) name fullname who nm qn: Name; Full name; Who; Person's name; Name or company
    | Name; Wer; Vor- und Nachname | Nom; Qui; Nom et prénom | Nombre; Quién; Nombre completo
last (person) lastname last lname ln surname qname: Last name; Surname; Family name | Nachname;
    Familienname | Nom de famille; Nom | Apellido; Apellidos
first (person) firstname first fname fn given: First name; Given name; First name or initial
    | Vorname | Prénom | Nombre; Nombre de pila
street (place) street address addr strasse: Street; Address; Street address | Straße; Adresse
    | Rue; Adresse; Voie | Calle; Dirección
city (place) city town where loc csz: City; City, state or ZIP; Town; Where | Ort; Wo; Stadt;
    PLZ/Ort
    | Ville; Où; Commune | Ciudad; Dónde; Población
state (category) state st prov region: State; State or province; All states | Bundesland; Region
    | Département; Région | Provincia; Estado
    * Alabama; Arizona; California; Colorado; Florida; Georgia; Illinois; Kansas; Maine; Michigan;
    Montana; Nevada; New York; Ohio; Oregon; Texas; Utah; Vermont; Virginia; Washington; Wyoming
phone (code) phone tel telno areacode ph: Phone; Phone number; Telephone; Area code and number
    | Telefon; Telefonnummer; Rufnummer | Téléphone; Numéro de téléphone
    | Teléfono; Número de teléfono
zip (code) zip postcode plz: ZIP; Postal code | PLZ | Code postal | Código postal
age (number) age agerange yearsold: Age; Age range; Approximate age | Alter | Âge | Edad
    * 18; 25; 35; 45; 55; 65; 75
kind (category) listing kind restype bp: Listing type; Residential or business; Type of entry
    | Privat oder gewerblich; Art des Eintrags | Particuliers ou professionnels; Type
    | Particulares o empresas; Tipo
    * Residential; Business; Government

[people: people]
one: staff member; faculty member; expert | Mitarbeiter; Dozent | enseignant; membre du personnel
    | profesor; miembro del personal
many: faculty and staff; staff directory; experts | Mitarbeiterverzeichnis; Personal
    | annuaire du personnel; enseignants | directorio de personal; profesorado
prompts: Search the directory; Faculty and staff directory; Find an expert; Campus directory;
    Find a faculty member; Staff search; People finder | Mitarbeiter suchen; Personenverzeichnis;
    Experten finden | Annuaire du personnel; Rechercher un enseignant; Trouver un expert
    | Directorio de personal; Buscar profesor; Encontrar un experto
paths: directory faculty staff people phonebook experts who
name (person) name person cn staffname: Name; Faculty name; Staff name; Name contains | Name;
    Name des Mitarbeiters | Nom; Nom et prénom | Nombre; Nombre y apellidos
last (person) last lastname sn lname: Last name; Last name begins with; Surname | Nachname | Nom
    | Apellido
first (person) first firstname givenname fname: First name | Vorname | Prénom | Nombre
department (category) department dept ou unit school: Department; Unit; Academic department; School
    | Fakultät; Institut; Abteilung | Département; UFR; Service | Departamento; Facultad; Unidad
    * Anthropology; Biology; Chemistry; Civil engineering; Computer science; Economics; English;
    History;
    Law; Library; Linguistics; Mathematics; Music; Nursing; Philosophy; Physics; Psychology;
    Registrar;
    Sociology
role (category) role title position affiliation: Role; Title; Affiliation; Position; Faculty or
    staff
    | Funktion; Position; Status | Fonction; Statut; Titre | Cargo; Categoría
    * Professor; Associate professor; Lecturer; Postdoc; Graduate student; Staff; Emeritus
research (text) research interests expertise area: Research area; Research interests; Expertise;
    Keywords | Forschungsgebiet; Schwerpunkte | Domaine de recherche; Spécialité
    | Área de investigación; Especialidad
building (category) building bldg campus: Building; Campus; Office building | Gebäude; Campus
    | Bâtiment; Campus | Edificio; Campus
    * Main campus; Medical campus; North hall; Old main; Science center; South hall; Tower
room (code) room office rm: Room; Office; Room number | Raum; Büro | Bureau; Salle | Despacho
phone (code) phone ext extension tel: Phone; Extension; Campus phone | Telefon; Durchwahl
    | Téléphone; Poste | Teléfono; Extensión
userid (code) uid netid email login: User ID; Net ID; Campus ID; E-mail | Benutzerkennung; E-Mail
    | Identifiant; Adresse e-mail | Usuario; Correo electrónico
"""
