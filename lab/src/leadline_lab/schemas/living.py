"""Work and homes: vacancies on job boards and on companies' own pages, and flats to let."""

LIVING = """
[job: job]
one: job; vacancy | Stelle; Job | emploi; offre d'emploi | empleo; oferta
many: jobs; vacancies; job listings | Jobs; Stellenangebote; Stellen | emplois; offres d'emploi
    | empleos; ofertas de empleo; trabajos
prompts: Find jobs; Search jobs; Job search; Find your next job; Search vacancies; Quick job search;
    Find a job near you | Jobs suchen; Jobsuche; Stellenangebote finden; Stellensuche
    | Rechercher un emploi; Trouver un emploi; Voir les offres | Buscar empleo; Encontrar trabajo;
    Buscar ofertas
paths: jobs jobsearch vacancies employment careers joblist
title (title) title jobtitle jt position what: Job title; Title; Position; What; Occupation
    | Berufsbezeichnung; Beruf; Position; Was | Poste; Intitulé du poste; Métier; Quoi
    | Puesto; Cargo; Profesión; Qué
place (place) location loc where city zip l: Location; Where; City, state or ZIP; City; Place of
    work
    | Ort; Wo; Arbeitsort; Ort oder PLZ | Lieu; Où; Ville ou code postal; Localisation
    | Lugar; Dónde; Ciudad; Provincia
company (title) company employer comp cname: Company; Employer; Company name | Firma; Unternehmen;
    Arbeitgeber | Entreprise; Société; Employeur | Empresa; Compañía
category (category) category cat industry field industry_code function: Category; Industry;
    Job category; Field; Job function | Branche; Kategorie; Berufsfeld | Secteur; Catégorie;
    Fonction
    | Sector; Categoría; Área
    * Accounting; Administration; Banking; Construction; Customer service; Design; Education;
    Engineering; Healthcare; Hospitality; Human resources; Insurance; Legal; Logistics;
    Manufacturing;
    Marketing; Retail; Sales; Science; Security; Social work; Technology
type (category) jobtype type jt emptype contract: Job type; Employment type; Contract; Full or part
    time
    | Anstellungsart; Beschäftigungsart; Vertragsart | Type de contrat; Contrat
    | Tipo de contrato; Jornada
    * Full time; Part time; Contract; Temporary; Internship; Freelance
salary (price) salary sal pay minsalary wage: Salary; Minimum salary; Pay; Salary range | Gehalt;
    Mindestgehalt | Salaire; Salaire minimum | Salario; Salario mínimo
    * 20000; 30000; 40000; 50000; 60000; 80000; 100000; 150000
posted (date) posted age since postdate fromage: Posted since; Date posted; Listed after
    | Veröffentlicht seit; Eingestellt am | Publiée depuis; Date de publication
    | Publicado desde; Fecha de publicación
experience (category) experience exp level seniority: Experience; Experience level; Career level
    | Berufserfahrung; Karrierestufe | Expérience; Niveau | Experiencia; Nivel
    * Entry level; Junior; Experienced; Senior; Manager; Executive
education (category) education edu degree: Education; Degree; Education level | Ausbildung;
    Abschluss
    | Formation; Diplôme; Niveau d'études | Estudios; Formación
    * High school; Vocational; Bachelor; Master; Doctorate
radius (number) radius distance within: Within; Distance; Radius; Miles | Umkreis | Rayon
    | Distancia; Radio
    * 5; 10; 25; 50; 100
skills (text) skills keywords requirements: Skills; Required skills; Keywords | Kenntnisse;
    Stichworte
    | Compétences; Mots-clés | Competencias; Palabras clave

[job_careers: job]
one: opening; position; opportunity | offene Stelle; Position | poste; opportunité
    | vacante; oportunidad
many: current openings; open positions; career opportunities | offene Stellen; Karriere
    | postes à pourvoir; carrières | vacantes; oportunidades
prompts: Search openings; Current openings; Join our team; Search open positions; View
    opportunities;
    Career opportunities at our company | Offene Stellen suchen; Karriere bei uns; Stellen anzeigen;
    Werden Sie Teil unseres Teams | Nos offres; Rejoignez-nous; Rechercher un poste
    | Vacantes actuales; Únase a nuestro equipo; Buscar vacantes
paths: careers openings positions opportunities recruiting join-us karriere
title (title) position title posting opening: Position; Position title; Posting title; Role
    | Position; Stellentitel | Poste; Intitulé | Puesto; Título
reference (code) req reqid jobid posting_no reference: Requisition number; Job ID; Reference;
    Posting number | Referenznummer; Stellen-ID | Référence; Numéro de l'offre
    | Referencia; Número de vacante
department (category) department dept function team division: Department; Team; Business unit;
    Division
    | Abteilung; Bereich; Geschäftsbereich | Département; Service; Direction
    | Departamento; Área; División
    * Corporate; Customer support; Engineering; Facilities; Finance; Human resources; Information
    systems;
    Legal; Marketing; Operations; Procurement; Quality; Research; Sales; Supply chain
site (category) site office location plant: Site; Office; Location; Plant | Standort; Niederlassung
    | Site; Bureau; Implantation | Sede; Oficina; Centro
    * Headquarters; Berlin; Boston; Dublin; Lyon; Madrid; Milan; Munich; Singapore; Toronto; Remote
country (category) country region ctry: Country; Region; Country or region | Land; Region
    | Pays; Région | País; Región
    * Canada; France; Germany; Ireland; Italy; Japan; Mexico; Singapore; Spain; United Kingdom;
    United States
level (category) level grade audience band: Level; Career stage; Candidate profile; Grade
    | Einstiegslevel; Zielgruppe | Niveau; Profil | Nivel; Perfil
    * Student; Graduate; Professional; Specialist; Manager; Director
schedule (category) schedule shift time_type hours: Schedule; Shift; Time type | Arbeitszeit;
    Schicht
    | Temps de travail; Horaire | Jornada; Turno
    * Full time; Part time; Shift work; Fixed term
posted (date) postdate opened since: Posting date; Opened after | Ausschreibungsdatum
    | Date de publication | Fecha de publicación
description (text) desc description responsibilities: Description; Responsibilities;
    Words in description | Aufgaben; Stellenbeschreibung | Description; Missions
    | Descripción; Funciones

[apartment: apartment]
one: apartment; flat; home | Wohnung | appartement; logement | piso; apartamento
many: apartments; flats; homes to rent; rentals | Wohnungen; Mietwohnungen | appartements; locations
    | pisos; apartamentos; viviendas
prompts: Find an apartment; Search apartments; Find your new home; Apartment search; Homes for rent;
    Search listings; Flats to let | Wohnung suchen; Mietwohnungen finden; Immobiliensuche;
    Wohnungssuche | Rechercher un appartement; Trouver un logement; Locations
    | Buscar piso; Encontrar apartamento; Alquiler de pisos
paths: apartments rentals homes flats housing property realestate listings
name (title) name community complex property headline: Property name; Community; Complex name;
    Listing
    | Objekt; Titel der Anzeige | Résidence; Annonce | Anuncio; Nombre
city (place) city location town where area: City; Location; City or neighborhood; Where; Area; Town
    | Ort; Stadt; Lage; Stadtteil | Ville; Localisation; Quartier; Où | Ciudad; Zona; Barrio;
    Localidad
rent (price) rent price maxrent prc rent_range: Rent; Monthly rent; Price; Rent range; Maximum rent
    | Miete; Kaltmiete; Preis | Loyer; Prix; Budget | Alquiler; Precio; Renta
    * 300; 500; 700; 900; 1200; 1500; 2000; 3000
bedrooms (number) beds bedrooms br bd rooms: Bedrooms; Beds; Number of bedrooms; Rooms | Zimmer;
    Schlafzimmer; Anzahl Zimmer | Chambres; Pièces | Dormitorios; Habitaciones
    * 1; 2; 3; 4; 5
bathrooms (number) baths bathrooms ba: Bathrooms; Baths | Badezimmer; Bäder | Salles de bains
    | Baños
    * 1; 2; 3; 4
area (number) sqft area size m2 surface: Square feet; Size; Floor area | Wohnfläche; Fläche
    | Surface | Superficie; Metros cuadrados
    * 30; 50; 70; 90; 120; 160; 200
type (category) type proptype kind hometype: Property type; Type; Type of home | Objektart;
    Wohnungstyp
    | Type de bien; Type de logement | Tipo de vivienda; Tipo
    * Apartment; Condo; Duplex; House; Loft; Room; Studio; Townhouse
movein (date) movein available avail_date from: Move-in date; Available from; Available |
    Einzugsdatum;
    Bezugsfrei ab; Verfügbar ab | Disponible le; Date d'emménagement | Disponible desde;
    Fecha de entrada
pets (category) pets petpolicy animals: Pets; Pet policy; Pets allowed | Haustiere
    | Animaux; Animaux acceptés | Mascotas
    * Cats allowed; Dogs allowed; No pets
furnished (category) furnished furn lease: Furnished; Furnished or not | Möbliert; Möblierung
    | Meublé; Meublé ou vide | Amueblado
    * Furnished; Unfurnished; Partly furnished
amenity (category) amenities features equip: Amenities; Features; Must have | Ausstattung; Merkmale
    | Équipements; Critères | Características; Extras
    * Balcony; Dishwasher; Elevator; Fireplace; Garage; Garden; Laundry; Parking; Pool; Terrace
zip (code) zip postcode plz postal: ZIP; Postcode; ZIP code | PLZ; Postleitzahl | Code postal
    | Código postal
"""
