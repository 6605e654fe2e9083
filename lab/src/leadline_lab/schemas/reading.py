"""Books: stores ask for price and binding, libraries for call numbers and branches."""

READING = """
[book: book]
one: book | Buch | livre | libro
many: books; new and used books; titles | Bücher; Romane | livres; ouvrages | libros
prompts: Find a book; Search books; Book search; Find new and used books; Search our bookstore;
    Search our inventory; Browse titles; Compare book prices | Bücher suchen; Buchsuche; Buch
    finden;
    Antiquarische Bücher suchen | Rechercher un livre; Trouver un livre; Chercher des livres
    | Buscar libros; Encontrar un libro; Búsqueda de libros
paths: books booksearch bookstore shop usedbooks titles search
title (title) title ti bktitle tn booktitle: Title; Book title; Title words; Title contains
    | Titel; Buchtitel | Titre; Titre du livre | Título; Título del libro
author (person) author au auth an writer: Author; Author name; Author's last name; Written by
    | Autor; Autor/in; Verfasser | Auteur; Nom de l'auteur | Autor; Nombre del autor
isbn (code) isbn isbn13 sisbn bi_isbn: ISBN; ISBN-13; ISBN number | ISBN; ISBN-Nummer | ISBN | ISBN
publisher (title) publisher pub pn imprint: Publisher; Publisher name; Imprint | Verlag
    | Éditeur; Maison d'édition | Editorial
category (category) category cat genre section dept: Category; Genre; Section; Browse by subject
    | Kategorie; Genre; Rubrik | Catégorie; Genre; Rayon | Categoría; Género; Materia
    * Art; Biography; Business; Children's books; Comics; Computers; Cooking; Crime; Fantasy;
    Fiction;
    Health; History; Poetry; Religion; Romance; Science; Science fiction; Self-help; Travel
binding (category) binding format bi cover fmt: Binding; Format; Cover; Hardcover or paperback
    | Einband; Bindung; Format | Reliure; Format; Couverture | Encuadernación; Formato
    * Hardcover; Paperback; Audiobook; E-book; Spiral bound
condition (category) condition cond bx newused: Condition; New or used; Used or new books
    | Zustand; Neu oder gebraucht | État; Neuf ou occasion | Estado; Nuevo o usado
    * New; Like new; Very good; Good; Acceptable
price (price) price maxprice prl prc: Price; Price range; Price between | Preis; Preisspanne
    | Prix | Precio
    * 5; 10; 15; 20; 30; 50; 100
year (year) year pubyear yr date: Year; Publication year; Published | Jahr; Erscheinungsjahr
    | Année; Année de parution | Año; Año de publicación
language (category) language lang lng booklang: Language; Book language | Sprache
    | Langue | Idioma
    * English; French; German; Italian; Spanish; Dutch; Portuguese; Russian
edition (category) edition sgnd firsted attrib: Edition; Attributes; First edition or signed
    | Ausgabe; Erstausgabe | Édition; Édition originale | Edición; Primera edición
    * First edition; Signed; Dust jacket; Large print; Illustrated

[book_library: book]
one: catalogue record; item; title | Medium; Titel | notice; document | ejemplar; obra
many: library holdings; items; catalogue | Bestand; Medien; Katalog | fonds; documents; notices
    | fondos; catálogo
prompts: Search the catalogue; Library catalog; Search our holdings; OPAC; Search the OPAC;
    Find items in the library; Catalogue search | Katalogsuche; Im Katalog suchen; OPAC;
    Bestand durchsuchen; Recherche im Bibliothekskatalog | Rechercher dans le catalogue;
    Catalogue de la bibliothèque; OPAC; Recherche avancée du catalogue | Buscar en el catálogo;
    Catálogo de la biblioteca; OPAC; Consultar fondos
paths: opac catalog catalogue library webpac holdings ipac
title (title) title ti t tit WTI: Title; Title words; Title begins with; Title keyword
    | Titel; Titelwörter; Titelanfang | Titre; Mots du titre | Título; Palabras del título
author (person) author au a aut creator WAU: Author; Author or editor; Personal name; Creator
    | Verfasser; Person; Autor oder Herausgeber | Auteur; Auteur ou éditeur | Autor; Autor o editor
subject (category) subject su s sub WSU descriptor: Subject; Subject heading; Subject words;
    Descriptor | Schlagwort; Thema; Sachgebiet | Sujet; Mots sujet; Vedette-matière
    | Materia; Encabezamiento de materia
    * Agriculture; Anthropology; Archaeology; Architecture; Astronomy; Botany; Chemistry; Economics;
    Education; Geography; Geology; Languages; Law; Literature; Mathematics; Medicine; Music;
    Philosophy; Physics; Political science; Psychology; Theology
callnumber (code) callno cn shelfmark sig call_number: Call number; Shelf mark; Classmark;
    Dewey number | Signatur; Standort | Cote | Signatura; Signatura topográfica
standard (code) isbn issn stdno isn: ISBN or ISSN; Standard number; ISBN | ISBN/ISSN
    | ISBN ou ISSN | ISBN o ISSN
branch (category) branch location loc library collection: Branch; Library; Location; Collection;
    Limit to branch | Zweigstelle; Bibliothek; Standort | Bibliothèque; Site; Localisation
    | Sucursal; Biblioteca; Ubicación
    * Main library; Central branch; Children's library; Law library; Medical library; Music library;
    North branch; Science library; Special collections; West branch
material (category) material format mattype media doctype: Material type; Format; Type of item;
    Media
    | Medienart; Materialart | Type de document; Support | Tipo de material; Tipo de documento
    * Book; Journal; Manuscript; Map; Microfilm; Music score; Sound recording; Thesis; Video
publisher (title) publisher pub imprint pu: Publisher; Imprint; Place and publisher | Verlag
    | Éditeur; Éditeur commercial | Editor; Editorial
year (year) year pubdate date dp yr: Year of publication; Date; Publication year; Published between
    | Erscheinungsjahr; Jahr | Année de publication; Date | Año de publicación; Fecha
language (category) language lang ln la: Language; Limit by language | Sprache | Langue | Lengua;
    Idioma
    * English; French; German; Greek; Hebrew; Italian; Latin; Russian; Spanish
availability (category) avail available status onshelf: Availability; Limit to available;
    On shelf only | Verfügbarkeit; Nur verfügbare | Disponibilité | Disponibilidad
    * On shelf; On loan; Reference only; Online
"""
