"""Journeys: flights, hotels, hired cars, routes. Co-located on real travel sites, and alike."""

TRAVEL = """
[airfare: airfare]
one: flight; fare | Flug | vol | vuelo
many: flights; air fares; airline tickets | Flüge; Flugtickets | vols; billets d'avion
    | vuelos; billetes de avión
prompts: Search flights; Find flights; Find cheap flights; Book a flight; Compare fares;
    Where do you want to fly?; Lowest fares | Flüge suchen; Flug buchen; Billigflüge finden;
    Wohin möchten Sie fliegen? | Rechercher un vol; Trouver un vol; Réserver un vol;
    Comparer les vols | Buscar vuelos; Vuelos baratos; Reservar vuelo; ¿Adónde quiere volar?
paths: flights airfare flightsearch fares air booking tickets
destination (place) to destination dest arr toCity arrival_city arv: To; Going to; Destination;
    Arrival city; Flying to; To (city or airport) | Nach; Zielflughafen; Reiseziel
    | Vers; Destination; Arrivée; Aéroport d'arrivée | A; Destino; Ciudad de llegada; Hacia
origin (place) from origin orig dep fromCity departure_city dpt: From; Leaving from; Departure city;
    Origin; Flying from; From (city or airport) | Von; Abflughafen; Abflugort
    | De; Départ; Ville de départ; Aéroport de départ | De; Origen; Ciudad de salida; Desde
depart (date) depart departDate dep_date outbound date1 ddate: Depart; Departing; Departure date;
    Outbound date; Leave | Hinflug; Abflugdatum; Abreise | Aller; Date de départ; Départ le
    | Ida; Fecha de salida; Salida
back (date) return returnDate ret_date inbound date2 rdate: Return; Returning; Return date;
    Inbound date | Rückflug; Rückflugdatum; Rückreise | Retour; Date de retour
    | Vuelta; Fecha de regreso; Regreso
trip (category) trip triptype tt rt_ow journey: Trip type; Type of trip; Trip | Reiseart; Flugart
    | Type de trajet | Tipo de viaje
    * Round trip; One way; Multi-city
airline (category) airline carrier al airline_code: Airline; Carrier; Preferred airline
    | Fluggesellschaft; Airline | Compagnie aérienne; Compagnie | Aerolínea; Compañía
    * Aurora Air; Blue Meridian; Condorra; Delfin Airways; Eastwind; Fjord Air; Gulf Crest;
    Heron Lines; Island Hopper; Jetwell; Kestrel; Lumen Air
cabin (category) cabin class cabinClass service_class cls: Class; Cabin; Cabin class; Service class
    | Klasse; Reiseklasse | Classe; Cabine | Clase; Cabina
    * Economy; Premium Economy; Business; First
adults (number) adults adt pax passengers numAdults: Adults; Passengers; Travelers; Adults (18+)
    | Erwachsene; Reisende; Passagiere | Adultes; Passagers | Adultos; Pasajeros
    * 1; 2; 3; 4; 5; 6
children (number) children chd kids numChildren: Children; Kids; Children (2-11) | Kinder
    | Enfants | Niños
    * 1; 2; 3; 4
stops (category) stops nonstop direct max_stops: Stops; Number of stops; Nonstop flights only
    | Zwischenstopps; Nur Direktflüge | Escales; Vols directs uniquement | Escalas; Solo directos
    * Nonstop; One stop; Two stops
fare (price) fare price maxfare total: Price; Fare; Ticket price | Preis; Flugpreis | Prix; Tarif
    | Precio; Tarifa
    * 100; 200; 300; 400; 600; 800; 1200
flight (code) flight flightno flt flight_number: Flight number; Flight no. | Flugnummer
    | Numéro de vol | Número de vuelo

[hotel: hotel]
one: hotel; room | Hotel | hôtel | hotel
many: hotels; rooms; places to stay | Hotels; Unterkünfte | hôtels; hébergements
    | hoteles; alojamientos
prompts: Find a hotel; Search hotels; Hotel search; Check availability; Book a room;
    Find a place to stay; Find rooms | Hotel suchen; Hotels finden; Verfügbarkeit prüfen;
    Unterkunft suchen; Zimmer buchen | Rechercher un hôtel; Trouver un hôtel;
    Réserver une chambre; Vérifier les disponibilités | Buscar hoteles; Encontrar hotel;
    Reservar habitación; Ver disponibilidad
paths: hotels hotelsearch lodging accommodation rooms stay reservations
name (title) hotel hotelname hname property name: Hotel name; Name of hotel; Property name; Hotel
    | Hotelname; Name des Hotels | Nom de l'hôtel | Nombre del hotel
city (place) city destination dest location where town: City; Destination; Where; Location;
    City or town; Where are you going? | Ort; Reiseziel; Stadt; Zielort
    | Ville; Destination; Où allez-vous ? | Ciudad; Destino; ¿Dónde?
country (category) country ctry country_code land: Country | Land | Pays | País
    * Austria; Belgium; Croatia; Denmark; France; Germany; Greece; Ireland; Italy; Mexico;
    Netherlands; Norway; Portugal; Spain; Switzerland; United Kingdom; United States
checkin (date) checkin check_in arrival arr_date ci inDate: Check-in; Check-in date; Arrival;
    Arrival date | Anreise; Anreisedatum; Ankunft | Arrivée; Date d'arrivée
    | Entrada; Llegada; Fecha de entrada
checkout (date) checkout check_out departure dep_date co outDate: Check-out; Check-out date;
    Departure; Departure date | Abreise; Abreisedatum | Départ; Date de départ
    | Salida; Fecha de salida
nights (number) nights numNights los stay: Nights; Number of nights; Length of stay
    | Nächte; Aufenthaltsdauer | Nuits; Nombre de nuits | Noches
    * 1; 2; 3; 4; 5; 7; 10; 14
guests (number) guests adults persons occupancy pax: Guests; Adults; Persons; Guests per room
    | Gäste; Personen; Erwachsene | Personnes; Adultes; Voyageurs | Huéspedes; Adultos; Personas
    * 1; 2; 3; 4; 5; 6
rooms (number) rooms numRooms room_count rm: Rooms; Number of rooms | Zimmer; Anzahl Zimmer
    | Chambres; Nombre de chambres | Habitaciones
    * 1; 2; 3; 4
stars (category) stars rating starRating class category: Star rating; Stars; Hotel class; Category
    | Sterne; Hotelkategorie | Étoiles; Catégorie | Estrellas; Categoría
    * One star; Two stars; Three stars; Four stars; Five stars
rate (price) rate price maxRate nightly_rate budget: Price per night; Rate; Nightly rate; Budget
    | Preis pro Nacht; Zimmerpreis | Prix par nuit; Tarif | Precio por noche; Tarifa
    * 40; 60; 80; 100; 150; 200; 300
amenity (category) amenities facilities amenity features: Amenities; Facilities; Hotel features
    | Ausstattung | Équipements; Services | Servicios; Instalaciones
    * Swimming pool; Parking; Breakfast; Pets allowed; Gym; Restaurant; Wireless internet; Spa

[rental: rental]
one: rental car; car hire | Mietwagen | voiture de location | coche de alquiler
many: rental cars; car hire; hire cars | Mietwagen; Leihwagen | voitures de location
    | coches de alquiler
prompts: Rent a car; Find a rental car; Search car rentals; Get rates; Car hire search;
    Check rates and availability; Reserve a vehicle | Mietwagen suchen; Auto mieten;
    Mietwagen vergleichen | Louer une voiture; Rechercher une voiture; Comparer les prix
    | Alquilar un coche; Buscar coche de alquiler; Ver tarifas
paths: rental carrental carhire cars rent-a-car vehicles reserve
car (title) vehicle car carname model: Vehicle; Car; Car model | Fahrzeug; Automodell
    | Véhicule; Modèle | Vehículo; Modelo
pickup (place) pickup pickupLocation pu_loc puCity plocation: Pick-up location; Pick up at;
    Pick-up city or airport; Renting from; Pick-up | Abholort; Anmietstation; Abholung
    | Lieu de prise en charge; Agence de départ | Lugar de recogida; Oficina de recogida; Recogida
dropoff (place) dropoff returnLocation do_loc dropCity rlocation: Drop-off location; Return to;
    Return location; Drop-off | Rückgabeort; Rückgabestation | Lieu de restitution;
    Agence de retour | Lugar de devolución; Oficina de devolución
pickup_date (date) pickupDate pu_date pdate start: Pick-up date; Pick up on; Rental start
    | Abholdatum; Mietbeginn | Date de prise en charge; Du | Fecha de recogida
return_date (date) returnDate do_date rdate end: Return date; Drop-off date; Return on; Rental end
    | Rückgabedatum; Mietende | Date de retour; Au | Fecha de devolución
time (category) pickupTime pu_time ptime hour: Pick-up time; Time; Hour | Uhrzeit; Abholzeit
    | Heure; Heure de départ | Hora; Hora de recogida
    * 08:00; 09:00; 10:00; 12:00; 14:00; 16:00; 18:00; 20:00
class (category) carClass carType vehicle_class category type: Car class; Vehicle type; Car type;
    Category | Fahrzeugklasse; Wagenklasse; Kategorie | Catégorie; Type de véhicule
    | Tipo de coche; Categoría
    * Economy; Compact; Midsize; Full size; Premium; Luxury; Minivan; Convertible; SUV; Van
company (category) company vendor supplier agency: Rental company; Company; Preferred company
    | Vermieter; Anbieter | Loueur; Société de location | Compañía; Empresa de alquiler
    * Alpha Rent; Budgetina; CityDrive; Eurohire; Freeway; GoCar; Nomad Rentals; Thriftway
age (number) age driverAge driver_age: Driver's age; Age of driver | Alter des Fahrers
    | Âge du conducteur | Edad del conductor
    * 18; 21; 25; 30; 40; 65
gearbox (category) transmission gear gearbox: Transmission; Gearbox | Getriebe
    | Boîte de vitesses | Transmisión; Cambio
    * Automatic; Manual
rate (price) rate price dailyRate maxprice: Daily rate; Price per day; Rate | Preis pro Tag;
    Tagespreis | Prix par jour | Precio por día
    * 20; 30; 40; 60; 80; 120

[route: route]
one: route; connection | Strecke; Verbindung | itinéraire; trajet | ruta; trayecto
many: routes; timetables; directions; connections | Verbindungen; Fahrpläne; Routen
    | itinéraires; horaires | rutas; horarios
prompts: Plan your trip; Get directions; Find a route; Search timetables; Journey planner;
    Find your way; Show route | Route berechnen; Verbindung suchen; Fahrplanauskunft; Route planen
    | Calculer un itinéraire; Rechercher un trajet; Voir les horaires
    | Calcular ruta; Buscar ruta; Cómo llegar; Consultar horarios
paths: routes planner directions timetable journey trip itinerary maps
line (title) line route lineName service: Line; Route; Route name; Service | Linie; Strecke
    | Ligne; Itinéraire | Línea; Ruta
start (place) from start origin saddr departure startPoint: From; Start; Starting point; Origin;
    Starting address; Departure stop | Von; Start; Startpunkt; Abfahrtsort; Haltestelle
    | De; Départ; Point de départ; Adresse de départ | Desde; Origen; Punto de partida
end (place) to end destination daddr arrival endPoint: To; End; Destination; Ending address;
    Arrival stop | Nach; Ziel; Zielpunkt; Zielort | À; Arrivée; Destination; Adresse d'arrivée
    | Hasta; Destino; Punto de llegada
via (place) via stopover waypoint through: Via; Through; Stop over | Über; Zwischenziel
    | Via; Étape; En passant par | Pasando por; Vía
mode (category) mode transport means vehicle: Mode; Means of transport; Travel by; Vehicle
    | Verkehrsmittel; Fortbewegung | Mode de transport; Moyen | Medio de transporte; Modo
    * Bus; Train; Tram; Subway; Ferry; Car; Bicycle; On foot
date (date) date day travelDate when: Date; Date of travel; Day; When | Datum; Reisetag; Wann
    | Date; Jour du voyage; Quand | Fecha; Día
time (category) time hour depTime at: Time; Departing at; Hour | Uhrzeit; Abfahrt um | Heure; À
    | Hora
    * 06:00; 08:00; 10:00; 12:00; 15:00; 18:00; 21:00
option (category) option routeType optimize prefer: Route type; Prefer; Options; Fastest or shortest
    | Routenart; Routenoptionen | Type d'itinéraire; Préférence | Tipo de ruta; Preferencia
    * Fastest; Shortest; Avoid tolls; Avoid motorways; Fewest changes
operator (category) operator company agency: Operator; Agency; Company | Betreiber;
    Verkehrsverbund | Exploitant; Compagnie | Operador; Compañía
    * City Transit; Coastline Ferries; Metro Lines; Northern Rail; Overland Coaches; Valley Bus
distance (number) distance km miles maxdist: Distance; Length; Miles | Entfernung; Länge
    | Distance; Longueur | Distancia; Longitud
    * 5; 10; 25; 50; 100; 250; 500
"""
