"""The tables of a store file, built and changed by numbered migrations."""

import sqlite3
from contextlib import closing
from pathlib import Path

from leadline.errors import StoreError, StoreVersionError
from leadline.store.address import quote_address
from leadline.store.damage import has_remains_of_a_log, make_damage_error

APPLICATION_ID = 0x6C656164
"""`lead`: tells a store from any other SQLite file."""

TOPIC_BY_EVENTS = (
    "coalesce((SELECT subject FROM events WHERE kind = 'started' AND events.at <= {}.at"
    " ORDER BY events.id DESC LIMIT 1), '')"
)
"""The topic of a form in a store that does not say it: that of the run that met it."""

MIGRATIONS = (
    """
    CREATE TABLE urls (             -- all URLs met, in order of arrival
        id       INTEGER PRIMARY KEY,
        url      TEXT NOT NULL,
        site     INTEGER NOT NULL,  -- sites.id
        tier     INTEGER NOT NULL,  -- priority on arrival; arrivals.ranks has the one in force
        score    REAL,
        why      TEXT NOT NULL,     -- the reason for it
        depth    INTEGER NOT NULL,
        parent   INTEGER,           -- the visit on whose page it stood; NULL for a seed
        anchor   TEXT NOT NULL,
        around   TEXT NOT NULL,
        tag_path TEXT NOT NULL,
        features BLOB NOT NULL,     -- little-endian int32
        skip     TEXT NOT NULL      -- why it was skipped; met again, it may arrive anew
    );
    CREATE TABLE arrivals (         -- what is read in bulk, as columns: one row per transaction
        first  INTEGER PRIMARY KEY, -- urls.id of the first cell; the others follow it
        hashes BLOB NOT NULL,       -- uint64: xxh3 of the URL
        sites  BLOB NOT NULL,       -- int32: sites.id
        ranks  BLOB NOT NULL        -- int64: the priority in force; -1 for skipped
    );
    CREATE TABLE visits (
        seq        INTEGER PRIMARY KEY,      -- order of recording
        id         INTEGER NOT NULL UNIQUE,  -- urls.id
        url        TEXT NOT NULL,
        site       INTEGER NOT NULL,         -- sites.id
        outcome    TEXT NOT NULL,
        at         REAL NOT NULL,
        status     INTEGER NOT NULL,
        final_url  TEXT,
        reason     TEXT NOT NULL,
        elapsed_s  REAL NOT NULL,
        size_bytes INTEGER NOT NULL,
        requests   INTEGER NOT NULL,
        title      TEXT NOT NULL,
        language   TEXT NOT NULL,
        relevance  REAL,
        reward     REAL,
        links      INTEGER NOT NULL,
        forms      INTEGER NOT NULL,
        digest     INTEGER NOT NULL          -- 64 bits, signed
    );
    CREATE TABLE forms (                     -- distinct forms, in order of first sight
        id         INTEGER PRIMARY KEY,
        signature  TEXT NOT NULL UNIQUE,
        site       INTEGER NOT NULL,         -- sites.id
        visit      INTEGER NOT NULL,         -- the visit that first met it
        at         REAL NOT NULL,
        searchable REAL,
        relevant   REAL,
        sightings  INTEGER NOT NULL,
        judged     BLOB NOT NULL             -- JudgedForm as msgpack
    );
    CREATE TABLE sites (
        id   INTEGER PRIMARY KEY,
        site TEXT NOT NULL
    );
    CREATE TABLE states (                    -- a site is as its last row says; see site_states
        seq             INTEGER PRIMARY KEY,
        site            INTEGER NOT NULL,    -- sites.id
        pages           INTEGER NOT NULL,
        forms           INTEGER NOT NULL,
        searchable      INTEGER NOT NULL,
        errors          INTEGER NOT NULL,
        errors_in_a_row INTEGER NOT NULL,
        ready_at        REAL NOT NULL,
        delay_s         REAL NOT NULL,
        closed          TEXT NOT NULL        -- why it is asked no more; '' while open
    );
    CREATE VIEW site_states AS
        SELECT sites.site AS site, max(seq) AS seq, states.site AS id, pages, forms, searchable,
            errors, errors_in_a_row, ready_at, delay_s, closed
        FROM states JOIN sites ON sites.id = states.site GROUP BY states.site;
    CREATE TABLE site_ranks (                -- a site's own rank is its last row
        seq   INTEGER PRIMARY KEY,
        site  INTEGER NOT NULL,              -- sites.id
        tier  INTEGER,                       -- NULL: that of its best link
        score REAL
    );
    CREATE TABLE events (
        id      INTEGER PRIMARY KEY,
        at      REAL NOT NULL,
        kind    TEXT NOT NULL,
        subject TEXT NOT NULL,
        detail  TEXT NOT NULL
    );
    CREATE TABLE saved (
        key   TEXT PRIMARY KEY,
        value BLOB NOT NULL
    );
    """,
    """
    CREATE TABLE harvests (                  -- one for each form that was harvested
        id         INTEGER PRIMARY KEY,
        signature  TEXT NOT NULL UNIQUE,     -- of the form
        site       TEXT NOT NULL,
        form       BLOB NOT NULL,            -- Form as msgpack
        searchable REAL,
        policy     TEXT NOT NULL,
        seed       INTEGER NOT NULL,
        settings   BLOB NOT NULL,            -- JSON
        interface  BLOB NOT NULL,            -- what can be asked
        reader     BLOB NOT NULL,            -- what was learned about reading the answers
        at         REAL NOT NULL,
        state      TEXT NOT NULL,            -- open, over
        reason     TEXT NOT NULL,            -- why it stopped
        requests   INTEGER NOT NULL          -- spent on anything but result pages and details
    );
    CREATE TABLE queries (
        harvest        INTEGER NOT NULL,     -- harvests.id
        number         INTEGER NOT NULL,
        filled         TEXT NOT NULL,        -- names and values, as JSON
        at             REAL NOT NULL,
        fresh_expected REAL,
        cost_expected  REAL,                 -- requests
        why            TEXT NOT NULL,
        max_pages      INTEGER,
        is_survey      INTEGER NOT NULL,     -- asked to get to know the source
        kind           TEXT,                 -- from here on the outcome; NULL while unfinished
        returned       INTEGER,
        fresh          INTEGER,
        total          INTEGER,
        is_total_exact INTEGER,
        pages          INTEGER,
        requests       INTEGER,
        is_cut         INTEGER,
        is_left        INTEGER,
        ended          TEXT,
        PRIMARY KEY (harvest, number)
    ) WITHOUT ROWID;
    CREATE TABLE result_pages (
        seq            INTEGER PRIMARY KEY,  -- order of recording
        harvest        INTEGER NOT NULL,     -- harvests.id
        query          INTEGER NOT NULL,     -- queries.number
        number         INTEGER NOT NULL,     -- in its answer, from 1
        at             REAL NOT NULL,
        kind           TEXT NOT NULL,
        url            TEXT NOT NULL,
        requests       INTEGER NOT NULL,
        total          INTEGER,
        is_total_exact INTEGER NOT NULL,
        why            TEXT NOT NULL,
        turn           BLOB,                 -- Turn as msgpack: what to ask next
        keys           BLOB NOT NULL,        -- uint64: records.hash of each record shown
        fresh          INTEGER NOT NULL,
        UNIQUE (harvest, query, number)
    );
    CREATE TABLE records (                   -- as first seen
        id        INTEGER PRIMARY KEY,
        harvest   INTEGER NOT NULL,          -- harvests.id
        hash      INTEGER NOT NULL,          -- 64 bits of the key, signed
        key       TEXT NOT NULL,
        query     INTEGER NOT NULL,
        page      INTEGER NOT NULL,
        position  INTEGER NOT NULL,
        at        REAL NOT NULL,
        title     TEXT NOT NULL,
        url       TEXT,
        cells     BLOB NOT NULL,             -- cells, links and images as msgpack
        sightings INTEGER NOT NULL,
        UNIQUE (harvest, hash)
    );
    CREATE TABLE details (                   -- the own pages of records, in their order
        harvest  INTEGER NOT NULL,
        record   INTEGER NOT NULL,           -- records.id
        at       REAL NOT NULL,
        requests INTEGER NOT NULL,
        cells    BLOB NOT NULL,              -- as msgpack; none when it could not be had
        PRIMARY KEY (harvest, record)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE orders (                    -- what people tell a crawl to do, in order
        id      INTEGER PRIMARY KEY,
        kind    TEXT NOT NULL,
        at      REAL NOT NULL,
        detail  TEXT NOT NULL,               -- JSON, or ''
        done_at REAL,                        -- when it was obeyed or refused; NULL while it waits
        outcome TEXT NOT NULL                -- what became of it
    );
    CREATE TABLE labels (                    -- of a subject the last row counts
        id      INTEGER PRIMARY KEY,
        what    TEXT NOT NULL,               -- form, page
        subject TEXT NOT NULL,
        verdict TEXT NOT NULL,               -- right, wrong, none
        at      REAL NOT NULL,
        topic   TEXT NOT NULL,
        before  REAL                         -- the critic's score then, if it had one
    );
    """,
    """
    CREATE TABLE lessons (                   -- what visits have to teach, until a model knows it
        id   INTEGER PRIMARY KEY,            -- rising, also over those that are gone
        body BLOB NOT NULL
    );
    CREATE TABLE models (                    -- the newest one only
        version INTEGER PRIMARY KEY,
        state   BLOB NOT NULL,
        upto    INTEGER NOT NULL             -- lessons.id of the last lesson in it
    );
    """,
    """
    ALTER TABLE queries ADD COLUMN held_matches INTEGER;   -- records held before that show its word
    """,
    f"""
    ALTER TABLE forms ADD COLUMN topic TEXT NOT NULL DEFAULT '';   -- under which it was judged
    UPDATE forms SET topic = {TOPIC_BY_EVENTS.format("forms")};
    """,  # noqa: S608 (words of our own)
    """
    CREATE TABLE sums (                      -- checksums of rows: store/sums.py
        kind  TEXT NOT NULL,
        first INTEGER NOT NULL,              -- key of the first row, and of the last
        last  INTEGER NOT NULL,
        sum   INTEGER NOT NULL,              -- 64 bits of xxh3, signed
        PRIMARY KEY (kind, first)
    ) WITHOUT ROWID;
    INSERT INTO sums SELECT 'sightings', 0, 0, coalesce(sum(sightings), 0) FROM forms;
    """,
)
OLDEST_READABLE = 1
"""Formats from here on are read as they are: later ones only added tables and columns that their
readers do without."""
WITH_HARVESTS = 2
"""The first format that has harvests."""
WITH_HELD_MATCHES = 5
"""The first format that has that column of queries."""
WITH_TOPICS = 6
"""The first format that says of a form under which topic it was judged."""
WITH_SUMS = 7
"""The first format with checksums."""
WITH_INBOX = 3
"""The first format that has orders and labels."""


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a store to this version, or make one of an empty file."""
    version = _version(connection, path)
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.executescript(
            f"BEGIN IMMEDIATE; {script};"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number}; COMMIT"
        )


def check_version(connection: sqlite3.Connection, path: Path) -> int:
    """The format of a store that can be read as it is; raises for any other."""
    version = _version(connection, path)
    if version < OLDEST_READABLE:
        raise StoreError(
            f"{path} holds no tables: it is empty, or its log {path}-wal, which had them, is cut, "
            "damaged or missing; put the log back, or move both files away and begin anew with: "
            f"leadline crawl --store {quote_address(path)}"
        )
    return version


def _version(connection: sqlite3.Connection, path: Path) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION_ID and (version or tables):
        if _is_ours(connection):
            raise make_damage_error(path, "its header says that it is of another program")
        raise StoreError(f"{path} is a database of something else; name another file")
    if application == APPLICATION_ID and not version:
        raise make_damage_error(path, "its header says no format")
    if version > len(MIGRATIONS):
        raise StoreVersionError(
            f"{path} has format {version}, this leadline knows up to {len(MIGRATIONS)}: "
            "it was written by a later leadline; upgrade to read it"
        )
    return version


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether it has a table that only stores have."""
    query = "SELECT 1 FROM sqlite_schema WHERE name = 'arrivals' AND type = 'table'"
    return connection.execute(query).fetchone() is not None


def is_blank(path: Path) -> bool:
    """Whether a file is as SQLite makes it before anything is in it: what began it was killed
    within its first milliseconds."""
    if has_remains_of_a_log(path):
        return False
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except (sqlite3.Error, UnicodeDecodeError):
            # Not blank, whatever it is: who opens it gets the message.
            return False
    return not tables and not version
