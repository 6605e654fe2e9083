"""Words written by hand for domains and languages of which no real pages are at hand.

Nothing here is measured. The weights are guesses: 9 for what every page of the
domain says, 4 for what most say, 2 and 1 for what some say. The recipes mix
these words over real words of commercial pages.
"""

SEEDS: dict[str, dict[int, str]] = {
    "airfare": {
        9: "flight flights airline airlines airport fare fares depart return travel ticket tickets",
        4: "departure arrival departing returning passengers adults children infants cabin economy "
        "business class coach nonstop stops roundtrip oneway airfare airfares cheap date dates "
        "from to city destination book booking itinerary trip fly",
        2: "connection layover luggage baggage seat seats boarding gate terminal carrier carriers "
        "miles frequent flyer upgrade jet aviation airways domestic international direct "
        "lowcost deals standby redeye stopover outbound inbound multi traveler travelers "
        "refundable reservation reservations flying leg timetable checkin",
        1: "visa passport runway aircraft pilot crew meal taxes surcharge consolidator charter "
        "alliance codeshare lounge aisle window hub delayed cancelled",
    },
    "hotel": {
        9: "hotel hotels room rooms night nights guest guests rates stay check book",
        4: "checkin checkout reservation reservations booking adults children accommodation suite "
        "suites bed beds double single breakfast star stars city location destination dates "
        "arrival departure resort resorts inn availability travel vacation",
        2: "lodging motel motels hostel hostels spa pool amenities lobby concierge twin king queen "
        "smoking balcony view beach downtown airport shuttle parking wifi restaurant bar gym "
        "fitness conference meeting weekend deals discount bedding nightly occupancy",
        1: "bnb apartment villa chalet housekeeping minibar kitchenette reception luggage tourist "
        "sightseeing attractions honeymoon pet friendly wheelchair sauna terrace",
    },
    "rental": {
        9: "car cars rental rentals rent pickup location return vehicle date time",
        4: "pick drop dropoff rate rates reservation reservations driver age airport city class "
        "compact economy midsize fullsize luxury suv van minivan truck convertible daily weekly "
        "day days hire unlimited mileage travel",
        2: "insurance waiver damage liability fuel tank license transmission automatic manual air "
        "conditioning doors passengers luggage counter branch office hours oneway surcharge "
        "additional navigation seat upgrade corporate discount code coupon rewards fleet sedan "
        "hatchback station wagon",
        1: "toll roadside assistance deposit moving trailer motorcycle camper motorhome chauffeur "
        "limousine excess collision booster agreement keys",
    },
    "apartment": {
        9: "apartment apartments rent bedroom bedrooms bath city neighborhood property rental",
        4: "rentals baths bathroom studio month monthly lease square feet furnished unfurnished "
        "listing listings housing home homes house houses condo condos zip state area landlord "
        "tenant available estate realty map floor price",
        2: "deposit utilities parking garage laundry washer dryer dishwasher balcony patio pool "
        "gym pets cats dogs roommate roommates sublet short term loft townhouse duplex "
        "community complex broker agent agents renters move relocation mortgage unit",
        1: "doorman elevator hardwood closet carpet appliances fireplace fenced yard credit "
        "application screening eviction maintenance amenities schools transit",
    },
    "route": {
        9: "route map maps directions from to train bus station stop travel",
        4: "departure arrival timetable timetables schedule schedules trains buses line lines "
        "journey planner time date via destination start end street address distance miles "
        "kilometers minutes driving transit public transport railway rail",
        2: "connections connection change changes platform tram subway metro underground ferry "
        "coach fare fares zone zones ticket tickets road roads highway motorway traffic "
        "walking cycling fastest shortest itinerary stops network commuter express regional "
        "intercity north south east west",
        1: "toll detour junction exit roundabout bridge tunnel accessible wheelchair delay delays "
        "disruption weekday weekdays sunday holidays operator depot",
    },
    "product": {
        9: "product products price shop shopping brand store buy item items compare",
        4: "prices category categories cart sale deals discount shipping delivery review reviews "
        "rating ratings stock model manufacturer warranty electronics computer computers "
        "camera phone laptop order free new best seller",
        2: "merchants merchant offers offer lowest bargain clearance coupon accessories appliances "
        "kitchen garden tools toys clothing shoes jewelry watches sports outdoors furniture "
        "beauty health baby office printers monitors memory audio video tv battery charger "
        "wireless black white color size weight dimensions features specifications",
        1: "refurbished wholesale catalog gift gifts wishlist refund returns barcode sku "
        "bundle inches pack voltage stainless leather cotton adapter cable",
    },
    "music": {
        9: "music artist album albums song songs band track tracks",
        4: "artists cd cds lyrics label release releases genre rock jazz pop classical composer "
        "concert guitar piano singer vinyl record records download listen audio tour",
        2: "blues country folk hip hop rap metal punk soul reggae electronic dance opera "
        "orchestra symphony soundtrack remix single singles vocal vocals drums bass violin "
        "chart charts playlist radio musician musicians bands discography lp sheet chords",
        1: "tablature acoustic ballad chorus duet encore festival gig harmony keyboard lyricist "
        "melody producer quartet rhythm sonata studio tempo trumpet saxophone",
    },
    "people": {
        9: "people person name first last phone address city state directory",
        4: "names email number white pages yellow residential find lookup search records public "
        "background reunion classmates staff faculty student members member department office "
        "profile profiles contact contacts friend friends alumni",
        2: "surname maiden birth age relatives relative family genealogy neighbors reverse area "
        "code zip street listing listings business professional title position organization "
        "employee employees biography missing adoption census marriage divorce obituaries",
        1: "ancestry cemetery county court criminal deceased employer gender married nickname "
        "occupation pedigree register residence veteran yearbook",
    },
}

FOREIGN: dict[str, dict[str, str]] = {
    "de": {
        "airfare": "flug flüge abflug ankunft hinflug rückflug flughafen reisende airline "
        "flugticket billigflüge zielflughafen",
        "auto": "auto autos gebrauchtwagen neuwagen fahrzeug marke modell kilometerstand "
        "baujahr kraftstoff diesel händler",
        "book": "buch bücher autor titel verlag isbn taschenbuch roman buchhandlung "
        "erscheinungsjahr bibliothek antiquariat",
        "hotel": "hotel hotels zimmer übernachtung anreise abreise gäste doppelzimmer frühstück "
        "unterkunft sterne pension",
        "job": "job jobs stellenangebote stelle beruf bewerbung arbeitgeber karriere gehalt "
        "vollzeit teilzeit ausbildung",
        "movie": "film filme kino regisseur schauspieler dvd trailer darsteller drehbuch "
        "filmkritik premiere spielfilm",
        "music": "musik album lied lieder künstler band konzert interpret cd songtexte klassik "
        "schallplatte",
        "rental": "mietwagen autovermietung mieten abholung rückgabe fahrer fahrzeug "
        "versicherung kleinwagen mietpreis abholort kilometer",
        "apartment": "wohnung wohnungen miete zimmer mietwohnung kaltmiete quadratmeter "
        "immobilien kaution vermieter balkon haus",
        "route": "fahrplan verbindung abfahrt ankunft bahnhof haltestelle zug bus route "
        "umsteigen strecke fahrt",
        "product": "produkt produkte preis preisvergleich warenkorb angebot versand hersteller "
        "marke bestellen lieferung artikel",
        "people": "personen person vorname nachname telefonbuch telefonnummer adresse ort "
        "mitarbeiter verzeichnis mitglieder straße",
    },
    "fr": {
        "airfare": "vol vols billet billets avion aéroport départ retour compagnie passagers "
        "aller escale",
        "auto": "voiture voitures occasion véhicule marque modèle kilométrage année essence "
        "diesel concessionnaire automobile",
        "book": "livre livres auteur titre éditeur isbn roman librairie poche parution "
        "bibliothèque édition",
        "hotel": "hôtel hôtels chambre chambres nuit réservation arrivée départ séjour "
        "hébergement étoiles petit",
        "job": "emploi emplois offre offres poste recrutement carrière candidature salaire "
        "contrat métier stage",
        "movie": "film films cinéma réalisateur acteur acteurs dvd sortie séance scénario "
        "critique affiche",
        "music": "musique album chanson chansons artiste groupe concert disque paroles titre "
        "chanteur morceaux",
        "rental": "location louer voiture agence prise retour conducteur véhicule assurance "
        "kilométrage utilitaire tarif",
        "apartment": "appartement appartements loyer location chambres pièces surface "
        "immobilier meublé studio maison bail",
        "route": "itinéraire trajet horaires train bus gare arrêt départ arrivée ligne "
        "correspondance carte",
        "product": "produit produits prix comparer panier marque livraison promotion achat "
        "article boutique soldes",
        "people": "personnes annuaire nom prénom téléphone adresse ville personne membres "
        "contact généalogie famille",
    },
    "es": {
        "airfare": "vuelo vuelos billete billetes aeropuerto salida regreso aerolínea pasajeros "
        "ida vuelta escala",
        "auto": "coche coches ocasión vehículo marca modelo kilómetros año gasolina diésel "
        "concesionario automóvil",
        "book": "libro libros autor título editorial isbn novela librería bolsillo edición "
        "biblioteca lectura",
        "hotel": "hotel hoteles habitación habitaciones noche reserva entrada salida huéspedes "
        "alojamiento estrellas desayuno",
        "job": "empleo empleos trabajo oferta ofertas puesto carrera salario contrato vacante "
        "candidato empresa",
        "movie": "película películas cine director actor actores dvd estreno guion cartelera "
        "crítica reparto",
        "music": "música álbum canción canciones artista grupo concierto disco letras cantante "
        "género discografía",
        "rental": "alquiler alquilar coche recogida devolución conductor vehículo seguro "
        "oficina tarifa furgoneta kilometraje",
        "apartment": "piso pisos alquiler apartamento habitaciones baño inmobiliaria vivienda "
        "metros amueblado casa mensual",
        "route": "ruta rutas horario horarios tren autobús estación parada salida llegada línea "
        "mapa",
        "product": "producto productos precio precios comparar carrito marca envío oferta "
        "comprar tienda artículo",
        "people": "personas persona nombre apellido teléfono dirección guía ciudad contacto "
        "miembros familia directorio",
    },
}
"""By language and domain."""

GENERAL: dict[str, dict[int, str]] = {
    "nl": {
        9: "de het een en van in is op te voor met niet zijn dat die",
        4: "aan er om ook als bij maar uit naar door over nog dan wij u uw onze meer deze dit kan "
        "wordt worden heeft hebben",
        2: "zoeken contact nieuws home inloggen registreren winkelwagen bestellen prijs gratis "
        "informatie pagina website overzicht vragen klanten levering aanbod vandaag jaar nieuwe "
        "alle onder geen wat hoe waar lees verder bekijk",
    },
    "pt": {
        9: "de a o que e do da em um para com não uma os no se na",
        4: "por mais as dos como mas ao das seu sua ou quando muito nos já eu também só pelo pela "
        "até isso ela entre depois sem mesmo",
        2: "pesquisar contato notícias início entrar cadastro carrinho comprar preço grátis "
        "informações página site produtos serviços clientes entrega oferta hoje ano novo todos "
        "sobre ajuda leia veja empresa brasil",
    },
    "it": {
        9: "di e il la che in un a per è una non con del",
        4: "i le da si della sono al più come anche nel alla dei delle ma lo gli ha questo dal o "
        "ci tutti su nella tra",
        2: "cerca contatti notizie accedi registrati carrello acquista prezzo gratis informazioni "
        "pagina sito prodotti servizi clienti consegna offerta oggi anno nuovo aiuto leggi "
        "vedi azienda",
    },
}
"""Everyday words of languages with few real pages, for their general words."""
