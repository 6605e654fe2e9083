"""Films and music: databases to read, shops and rentals to buy from."""

MEDIA = """
[movie: movie]
one: movie; film | Film | film | película
many: movies; films; film titles | Filme; Spielfilme | films | películas; filmes
prompts: Search movies; Find a movie; Movie search; Search the film database; Find films and people;
    Look up a film; Movie finder | Filmsuche; Filme suchen; Film finden; Filmdatenbank durchsuchen
    | Rechercher un film; Trouver un film; Recherche de films | Buscar películas; Encontrar
    película;
    Búsqueda de cine
paths: movies films title filmdb find cinema
title (title) title tt movie film filmtitle name: Title; Movie title; Film title; Movie; Film
    | Titel; Filmtitel; Film | Titre; Titre du film | Título; Película
director (person) director dir directed_by regie: Director; Directed by; Filmmaker | Regie;
    Regisseur | Réalisateur; Un film de | Director; Dirigida por
actor (person) actor cast star performer: Actor; Cast; Starring; Actor or actress; Star
    | Darsteller; Schauspieler; Besetzung | Acteur; Avec; Interprète | Actor; Reparto; Intérprete
genre (category) genre genres gnr cat: Genre; Film genre; Category | Genre; Filmgenre | Genre
    | Género
    * Action; Adventure; Animation; Biography; Comedy; Crime; Documentary; Drama; Family; Fantasy;
    Film noir; Horror; Musical; Mystery; Romance; Science fiction; Thriller; War; Western
year (year) year yr release_year from_year: Year; Release year; Year of release | Jahr;
    Produktionsjahr; Erscheinungsjahr | Année; Année de sortie | Año; Año de estreno
country (category) country ctry nation: Country; Country of origin; Production country | Land;
    Produktionsland | Pays; Pays d'origine | País
    * Australia; Brazil; Canada; China; Denmark; France; Germany; India; Italy; Japan; Mexico;
    Poland;
    Russia; Spain; Sweden; United Kingdom; United States
rating (category) rating mpaa certificate cert: Rating; MPAA rating; Certificate | Altersfreigabe;
    FSK
    | Classification; Public | Clasificación; Edad
    * G; PG; PG-13; R; NC-17; Unrated
score (number) score user_rating stars votes: User rating; Minimum score; Viewers' score |
    Bewertung;
    Mindestbewertung | Note; Note des spectateurs | Puntuación; Nota
    * 1; 2; 3; 4; 5; 6; 7; 8; 9
plot (text) plot keywords words synopsis: Plot; Keywords; Plot words; Words in synopsis | Handlung;
    Stichwörter; Inhalt | Synopsis; Mots-clés; Histoire | Argumento; Sinopsis
studio (title) studio company production distributor: Studio; Production company; Distributor
    | Studio; Produktionsfirma; Verleih | Studio; Société de production; Distributeur
    | Estudio; Productora; Distribuidora
runtime (number) runtime length minutes: Running time; Length; Runtime (minutes) | Laufzeit; Länge
    | Durée | Duración
    * 60; 90; 100; 120; 150; 180

[movie_rental: movie]
one: DVD; rental title; disc | DVD; Leihfilm | DVD; film à louer | DVD
many: DVDs; rentals; DVD and Blu-ray titles | DVDs; Leihfilme | DVD; vidéos | DVD; vídeos
prompts: Search DVDs; Find a DVD; Rent movies; Search our rental titles; Find it in stock; Shop
    DVDs;
    Search video store | DVD suchen; Filme ausleihen; Videothek durchsuchen | Rechercher un DVD;
    Louer un film; Boutique vidéo | Buscar DVD; Alquilar películas; Videoclub
paths: dvd video rentals videostore dvds rent shop
title (title) title dvdtitle name item product: Title; DVD title; Item title; Movie | Titel;
    DVD-Titel
    | Titre; Titre du DVD | Título; Título del DVD
format (category) format media disc fmt: Format; Disc format; Media | Format; Medium
    | Format; Support | Formato
    * DVD; Blu-ray; VHS; 4K; Digital; Box set
actor (person) actor artist star cast: Actor; Starring; Artist | Schauspieler; Darsteller | Acteur
    | Actor; Protagonista
director (person) director dir: Director | Regisseur | Réalisateur | Director
genre (category) genre category aisle dept shelf: Category; Genre; Aisle; Department | Kategorie;
    Genre | Rayon; Genre | Categoría; Género
    * Action; Anime; Children; Classics; Comedy; Documentary; Drama; Foreign; Horror; Music;
    New releases; Science fiction; Special interest; Sports; Television; Thriller
price (price) price rentprice maxprice: Price; Rental price; Our price | Preis; Leihgebühr
    | Prix; Prix de location | Precio; Precio de alquiler
    * 2; 4; 6; 10; 15; 20; 30
region (category) region regioncode zone: Region; Region code | Regionalcode; Ländercode
    | Zone | Zona; Región
    * Region 0; Region 1; Region 2; Region 3; Region 4
availability (category) stock avail status instock: Availability; In stock only; Show titles
    | Verfügbarkeit; Nur lieferbare | Disponibilité; En stock | Disponibilidad; En existencias
    * In stock; Rented out; Pre-order
upc (code) upc ean barcode catno: UPC; UPC or EAN; Barcode; Catalog number | EAN; Bestellnummer
    | Code-barres; EAN | EAN; Código de barras
year (year) year release yr: Release year; Year; Released | Erscheinungsjahr; Jahr | Année
    | Año
studio (title) studio label publisher: Studio; Label | Studio; Anbieter | Studio; Éditeur | Estudio

[music: music]
one: album; CD; song; record | Album; CD; Lied | album; disque; chanson | álbum; disco; canción
many: albums; songs; CDs; records; music | Alben; Musik; Platten | albums; musique; disques
    | álbumes; música; discos
prompts: Search music; Find music; Search by artist, album or song; Find an album; Song search;
    Music search; Browse artists | Musik suchen; Alben finden; Künstler suchen; Plattensuche
    | Rechercher un album; Trouver de la musique; Recherche par artiste
    | Buscar música; Encontrar discos; Buscar por artista
paths: music albums songs artists cds records vinyl lyrics
album (title) album alb title release cd: Album; Album title; CD title; Title; Release
    | Album; Albumtitel; Titel | Album; Titre de l'album; Titre | Álbum; Título; Disco
artist (person) artist art band performer group: Artist; Band; Artist or band; Performer; Group
    | Künstler; Interpret; Band | Artiste; Groupe; Interprète | Artista; Grupo; Intérprete
song (title) song track songtitle sng: Song; Song title; Track; Track title | Lied; Songtitel; Stück
    | Chanson; Morceau; Titre du morceau | Canción; Tema; Pista
composer (person) composer comp songwriter: Composer; Songwriter; Written by | Komponist
    | Compositeur | Compositor
genre (category) genre style gnr cat: Genre; Style; Music style; Category | Genre; Stil;
    Musikrichtung
    | Genre; Style | Género; Estilo
    * Alternative; Blues; Classical; Country; Dance; Electronic; Folk; Gospel; Hip-hop; Jazz; Latin;
    Metal; New age; Opera; Pop; Punk; Reggae; Rock; Soul; Soundtracks; World
label (title) label recordlabel lbl: Label; Record label | Label; Plattenlabel | Label;
    Maison de disques | Sello; Discográfica
format (category) format media fmt: Format; Media | Format; Tonträger | Format; Support | Formato
    * CD; Vinyl; Cassette; MP3; Single; Box set
year (year) year yr released decade: Year; Release year; Year released | Jahr; Erscheinungsjahr
    | Année; Année de sortie | Año
instrument (category) instrument instr ins: Instrument; Featured instrument | Instrument
    | Instrument | Instrumento
    * Accordion; Cello; Clarinet; Drums; Flute; Guitar; Harp; Organ; Piano; Saxophone; Trumpet;
    Violin;
    Voice
price (price) price maxprice prc: Price | Preis | Prix | Precio
    * 5; 10; 15; 20; 30; 50
catalogue (code) catno catalog upc: Catalog number; UPC; Catalogue no. | Katalognummer;
    Bestellnummer
    | Référence; Numéro de catalogue | Referencia; Número de catálogo
lyrics (text) lyrics words text: Lyrics; Words in lyrics | Songtext; Text | Paroles | Letra
"""
