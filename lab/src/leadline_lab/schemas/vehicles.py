"""Cars: used ones on classified sites, and new ones with their parts, which speak differently."""

VEHICLES = """
[auto: auto]
one: used car; car; vehicle | Gebrauchtwagen; Auto | voiture d'occasion; voiture
    | coche usado; coche
many: used cars; cars; vehicles | Gebrauchtwagen; Autos; Fahrzeuge | voitures d'occasion; véhicules
    | coches de ocasión; coches; vehículos
prompts: Find a used car; Search used cars; Find cars for sale; Search inventory; Find your car;
    Search by make and model; Quick car search | Gebrauchtwagen suchen; Fahrzeugsuche; Autos finden;
    Auto suchen | Rechercher une voiture; Trouver votre voiture; Voitures d'occasion
    | Buscar coche; Encontrar coches; Coches de segunda mano
paths: cars usedcars auto vehicles carsearch inventory classifieds
model (title) model mdl auto_model modelname car_model: Model; Car model; Model name | Modell;
    Fahrzeugmodell | Modèle | Modelo
make (category) make mk auto_make brand mmMakes manufacturer: Make; Brand; Manufacturer; Car make
    | Marke; Hersteller; Automarke | Marque; Constructeur | Marca; Fabricante
    * Acura; Audi; BMW; Buick; Chevrolet; Chrysler; Dodge; Fiat; Ford; Honda; Hyundai; Jeep; Kia;
    Lexus; Mazda; Mercedes-Benz; Nissan; Opel; Peugeot; Porsche; Renault; Saab; Seat; Skoda; Subaru;
    Suzuki; Toyota; Volkswagen; Volvo
year (year) year yr model_year auto_year reg_year: Year; Model year; Registration year
    | Baujahr; Erstzulassung; Jahr | Année; Année modèle | Año; Año de matriculación
price (price) price prc maxprice cost price_limit: Price; Price range; Asking price; Budget
    | Preis; Kaufpreis | Prix; Budget | Precio; Presupuesto
    * 1000; 2500; 5000; 7500; 10000; 15000; 20000; 30000; 50000
mileage (number) mileage miles km odometer mil: Mileage; Miles; Maximum mileage; Odometer
    | Kilometerstand; Laufleistung | Kilométrage; Kilomètres | Kilómetros; Kilometraje
    * 10000; 25000; 50000; 75000; 100000; 150000
body (category) body bodystyle style body_type type: Body style; Body type; Style; Vehicle type
    | Karosserieform; Fahrzeugtyp | Carrosserie; Type de véhicule | Carrocería; Tipo de vehículo
    * Convertible; Coupe; Hatchback; Minivan; Pickup; Sedan; SUV; Wagon; Van
fuel (category) fuel fueltype engine: Fuel; Fuel type; Engine | Kraftstoff; Treibstoff
    | Carburant; Énergie | Combustible
    * Petrol; Diesel; Electric; Hybrid; LPG
transmission (category) transmission trans gearbox gear: Transmission; Gearbox | Getriebe
    | Boîte de vitesses; Transmission | Cambio; Transmisión
    * Automatic; Manual
zip (place) zip zipcode postal ZIP location near: ZIP code; Near ZIP; Postal code; Your ZIP;
    Location
    | PLZ; Postleitzahl; Umkreis von PLZ | Code postal; Localisation | Código postal; Provincia
radius (number) radius distance dist within miles: Within; Distance; Search radius; Miles from ZIP
    | Umkreis; Entfernung | Rayon; Distance | Distancia; Radio
    * 10; 25; 50; 75; 100; 250
color (category) color colour clr ext_color: Color; Exterior color; Colour | Farbe; Außenfarbe
    | Couleur | Color
    * Black; Blue; Brown; Gold; Green; Grey; Red; Silver; White; Yellow
seller (category) seller sellertype dealer from_who: Seller; Seller type; Dealer or private
    | Anbieter; Händler oder privat | Vendeur; Professionnel ou particulier | Vendedor
    * Dealer; Private seller; Certified

[auto_parts: auto]
one: new car; car part | Neuwagen; Autoteil | voiture neuve; pièce auto | coche nuevo; recambio
many: new cars; car parts; accessories | Neuwagen; Autoteile; Ersatzteile
    | voitures neuves; pièces détachées | coches nuevos; recambios; repuestos
prompts: Find parts for your vehicle; Build and price; Research new cars; Find a dealer near you;
    Select your vehicle; Parts finder; Search parts catalog | Ersatzteile suchen; Neuwagen
    konfigurieren; Händler finden; Fahrzeug auswählen | Trouver une pièce; Choisir votre véhicule;
    Rechercher un concessionnaire | Buscar recambios; Seleccione su vehículo; Configurar coche
paths: parts newcars autoparts accessories dealers configurator vehicle
part (title) part partname item descr product: Part; Part name; Product; Accessory | Teil;
    Ersatzteil; Artikel | Pièce; Nom de la pièce | Pieza; Recambio
number (code) partno oem oe_number sku part_number pn: Part number; OEM number; Part no.
    | Teilenummer; OE-Nummer | Référence; Numéro OEM | Referencia; Número de pieza
make (category) make vehicle_make ddlMake brand mk: Make; Vehicle make; Select make; Brand | Marke;
    Fahrzeughersteller | Marque | Marca
    * Alfa Romeo; Audi; BMW; Chevrolet; Citroen; Dacia; Ford; Honda; Hyundai; Kia; Mazda; Mini;
    Mitsubishi; Nissan; Opel; Peugeot; Renault; Tesla; Toyota; Volkswagen; Volvo
model (title) model vehicle_model ddlModel trim: Model; Vehicle model; Trim | Modell; Typ;
    Ausführung
    | Modèle; Finition | Modelo; Acabado
year (year) year vehicle_year ddlYear yr: Year; Model year; Vehicle year | Baujahr; Modelljahr
    | Année | Año
category (category) category cat system dept: Category; Part category; Department | Kategorie;
    Warengruppe | Catégorie; Rayon | Categoría
    * Body; Brakes; Cooling; Drivetrain; Electrical; Engine; Exhaust; Filters; Interior; Lighting;
    Suspension; Tires and wheels
engine (category) engine eng engine_size motor: Engine; Engine size; Engine type | Motor;
    Motorisierung | Motorisation; Moteur | Motor; Motorización
    * 1.0; 1.2; 1.4; 1.6; 1.8; 2.0; 2.5; 3.0; V6; V8
condition (category) condition cond newUsed: Condition; New or rebuilt | Zustand | État | Estado
    * New; Remanufactured; Used
price (price) price msrp maxprice prc: Price; MSRP; List price | Preis; Listenpreis
    | Prix; Prix catalogue | Precio; PVP
    * 10; 25; 50; 100; 250; 500; 1000
dealer (place) dealer_zip zip plz location: Dealer near; ZIP code; Your location | Händler in der
    Nähe; PLZ | Concessionnaire près de; Code postal | Concesionario cerca de; Código postal
"""
