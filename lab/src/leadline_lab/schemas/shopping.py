"""Goods of any kind."""

SHOPPING = """
[product: product]
one: product; item | Produkt; Artikel | produit; article | producto; artículo
many: products; items; goods; deals | Produkte; Artikel; Angebote | produits; articles
    | productos; artículos; ofertas
prompts: Search products; Find products; Product search; Compare prices; Shop by category;
    Product finder; Search our store; Find the best price | Produkte suchen; Produktsuche;
    Artikel finden; Preise vergleichen | Rechercher un produit; Trouver un produit;
    Comparer les prix | Buscar productos; Encontrar producto; Comparar precios
paths: products shop store catalog items productsearch prices deals
name (title) product name item productname prodname: Product; Product name; Item; Item name
    | Produkt; Artikelbezeichnung; Produktname | Produit; Nom du produit; Article
    | Producto; Nombre del producto; Artículo
category (category) category cat dept department catid: Category; Department; Product category;
    Shop by department | Kategorie; Abteilung; Warengruppe | Catégorie; Rayon; Département
    | Categoría; Departamento; Sección
    * Appliances; Baby; Beauty; Bicycles; Cameras; Clothing; Computers; Electronics; Furniture;
    Garden;
    Jewelry; Kitchen; Lighting; Office supplies; Pet supplies; Phones; Shoes; Sports; Tools; Toys;
    Watches
brand (category) brand mfr manufacturer make vendor: Brand; Manufacturer; Maker | Marke; Hersteller
    | Marque; Fabricant | Marca; Fabricante
    * Ardent; Brightway; Calder; Dorado; Elmwood; Finch; Granite; Harrow; Ionic; Juno; Kelvin;
    Linden;
    Mistral; Nordic Trail; Orbit; Pinnacle; Quill; Ridge; Solace; Tempo
price (price) price pr maxprice price_range amount: Price; Price range; Price between; Budget |
    Preis;
    Preisspanne | Prix; Fourchette de prix | Precio; Rango de precios
    * 10; 25; 50; 100; 200; 500; 1000
sku (code) sku itemno model partno artnr: Item number; SKU; Model number; Product code
    | Artikelnummer; Bestellnummer; Modell | Référence; Code produit; Modèle
    | Referencia; Código; Modelo
condition (category) condition cond newused: Condition; New or used | Zustand | État | Estado
    * New; Refurbished; Used; Open box
color (category) color colour clr: Color; Colour | Farbe | Couleur | Color
    * Black; Blue; Brown; Green; Grey; Pink; Red; Silver; White; Yellow
size (category) size sz dim: Size | Größe | Taille | Talla; Tamaño
    * Small; Medium; Large; Extra large; One size
material (category) material mat fabric: Material; Made of; Fabric | Material | Matière; Matériau
    | Material
    * Ceramic; Cotton; Glass; Leather; Metal; Plastic; Silk; Stone; Wood; Wool
seller (category) seller store merchant shipsfrom: Seller; Merchant; Sold by | Anbieter; Händler
    | Vendeur; Marchand | Vendedor; Tienda
    * Authorized dealer; Marketplace; Our stock; Partner shop
rating (number) rating stars minrating review: Customer rating; Minimum rating; Stars
    | Kundenbewertung | Avis clients; Note | Valoración; Puntuación
    * 1; 2; 3; 4
description (text) description descr keywords text: Description; Words in description; Keywords
    | Beschreibung; Stichwörter | Description; Mots-clés | Descripción; Palabras clave
"""
