"""Which real texts stand for which topic."""

DOMAINS = (
    "airfare", "apartment", "auto", "book", "hotel", "job",
    "movie", "music", "people", "product", "rental", "route",
)  # fmt: skip
LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pt", "ru")

VERTICALS = ("auto", "book", "job", "movie")
"""Of SWDE: domains with real pages."""
WEBKB = ("campus", "course", "department", "faculty", "project", "staff", "student")
"""Classes of WebKB; `campus` is its class `other`."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "africa": ("Geography.African_Geography",),
    "america": ("Geography.North_American_Geography", "History.North_American_History"),
    "antiquity": ("History.Ancient_History", "History.Archaeology", "Religion.Myths"),
    "asia": ("Geography.Geography_of_Asia", "Geography.Geography_of_the_Middle_East"),
    "astronomy": ("Science.Physics.Space_Astronomy", "Science.Physics.The_Planets"),
    "biology": ("Science.Biology.General_Biology", "Science.Biology.Organisms"),
    "birds": ("Science.Biology.Birds",),
    "britain": ("Geography.Geography_of_Great_Britain",),
    "chemistry": ("Science.Chemistry.Chemical_compounds", "Science.Chemistry.General_Chemistry"),
    "climate": ("Geography.Climate_and_the_Weather", "Geography.Storms"),
    "composers": ("People.Performers_and_composers", "Language_and_literature.Poetry_and_Opera"),
    "countries": ("Countries",),
    "dinosaurs": ("Science.Biology.Dinosaurs",),
    "disasters": ("Geography.Natural_Disasters",),
    "elements": ("Science.Chemistry.Chemical_elements", "Science.Chemistry.Materials_science"),
    "europe": ("Geography.European_Geography",),
    "films": ("Everyday_life.Films", "People.Actors_models_and_celebrities"),
    "fish": ("Science.Biology.Insects_Reptiles_and_Fish",),
    "food": ("Everyday_life.Food_and_agriculture", "Everyday_life.Drink"),
    "games": ("Everyday_life.Computer_and_Video_games", "Everyday_life.Games"),
    "geology": ("Geography.Geology_and_geophysics", "Geography.Mineralogy"),
    "languages": ("Language_and_literature.Languages", "Language_and_literature.Linguistics"),
    "lives": ("People",),
    "literature": (
        "Language_and_literature.Novels",
        "Language_and_literature.General_Literature",
        "People.Writers_and_critics",
    ),
    "mammals": ("Science.Biology.Mammals",),
    "mathematics": ("Mathematics", "People.Mathematicians"),
    "medicine": ("Science.Biology.Health_and_medicine",),
    "monarchs": ("People.Monarchs_of_Great_Britain",),
    "oceania": ("Geography.Geography_of_Oceania_Australasia",),
    "painting": ("People.Artists",),
    "philosophy": ("Religion.Philosophy", "People.Philosophers"),
    "physics": ("Science.Physics.General_Physics", "Science.Physics.Electricity_and_Electronics"),
    "plants": ("Science.Biology.Plants",),
    "politics": ("People.Political_People", "People.USA_Presidents"),
    "religion": ("Religion.Religious_movements", "Religion.Divinities", "Religion.Religious"),
    "spaceflight": ("Science.Physics.Space_transport",),
    "sports": ("Everyday_life.Sports", "People.Sports_and_games_people"),
    "television": ("Everyday_life.Television", "Everyday_life.Cartoons"),
    "theatre": ("Language_and_literature.Theatre",),
    "wars": ("History.Military_History_and_War", "History.World_War_II", "History.Pre_1900"),
}
"""Topics made of articles whose subject begins with one of these."""

NEWS: dict[str, tuple[str, ...]] = {
    "earnings": ("earn",),
    "finance": ("money-fx", "interest", "money-supply", "dlr"),
    "grain": ("grain", "wheat", "corn", "oilseed", "soybean"),
    "oil": ("crude", "nat-gas"),
    "takeovers": ("acq",),
    "trade": ("trade", "bop", "ship"),
}
"""Topics made of Reuters news with one of these labels."""

LISTS: dict[str, str] = {
    "healthcare list": "awesome-healthcare",
    "osint": "awesome-osint",
    "interfaces": "public-apis",
}
"""Topics made of curated link lists."""

PARTS = ("composers", "films", "healthcare list", "lives")
"""Not topics of their own: they are stirred into domains."""

BACKGROUND = tuple(
    sorted({*SUBJECTS, *NEWS, *LISTS, *WEBKB, "healthcare", "software"} - set(PARTS))
)

Recipe = tuple[tuple[str, int], ...]
"""(ingredient, per mille of the words)."""

RECIPES: dict[str, Recipe] = {
    "auto": (("auto pages", 1000),),
    "book": (("book pages", 880), ("book titles", 120)),
    "job": (("job pages", 950), ("remote list", 50)),
    "movie": (("movie pages", 850), ("movie titles", 100), ("films", 50)),
    "healthcare": (("healthcare list", 600), ("medicine", 400)),
    "airfare": (
        ("seed airfare", 260), ("seed hotel", 45), ("seed rental", 35), ("seed route", 35),
        ("airports", 45), ("commercial", 580),
    ),
    "hotel": (
        ("seed hotel", 270), ("seed airfare", 45), ("seed rental", 35), ("seed apartment", 20),
        ("commercial", 630),
    ),
    "rental": (
        ("seed rental", 250), ("seed airfare", 35), ("seed hotel", 40), ("auto", 90),
        ("seed apartment", 15), ("commercial", 570),
    ),
    "apartment": (
        ("seed apartment", 290), ("seed hotel", 35), ("seed rental", 25), ("job", 40),
        ("commercial", 610),
    ),
    "route": (
        ("seed route", 290), ("seed airfare", 45), ("seed rental", 20), ("airports", 45),
        ("commercial", 600),
    ),
    "product": (
        ("seed product", 260), ("book", 50), ("movie", 30), ("auto", 30), ("commercial", 630),
    ),
    "music": (
        ("seed music", 180), ("composers", 120), ("music list", 60), ("book", 90), ("movie", 120),
        ("commercial", 430),
    ),
    "people": (
        ("seed people", 200), ("faculty", 110), ("staff", 70), ("student", 60), ("lives", 60),
        ("job", 60), ("commercial", 440),
    ),
}  # fmt: skip
"""What domains are made of, in an order in which each finds its ingredients made.
Shared ingredients are what makes domains confusable."""
