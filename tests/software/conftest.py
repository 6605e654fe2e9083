"""Search applications that others wrote, filled with real or generated records."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path

import pytest
from msgspec import Struct

from tests.realdata.conftest import find_data, read_rows
from tests.software import datasette, mezzanine, omega, trac
from tests.software.application import Application, Row
from tests.software.generated import generate_rows


class Kind(Struct, frozen=True):
    """What an application is run with."""

    run: Callable[[Iterable[Row], Path], AbstractContextManager[Application]]
    records: str
    count: int


KINDS = {
    "datasette": Kind(datasette.datasette, datasette.RECORDS, datasette.COUNT),
    "trac": Kind(trac.trac, trac.RECORDS, trac.COUNT),
    "mezzanine": Kind(mezzanine.mezzanine, mezzanine.RECORDS, mezzanine.COUNT),
    "omega": Kind(omega.omega, omega.RECORDS, omega.COUNT),
}


@pytest.fixture(scope="module", params=KINDS)
def application(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Application]:
    kind = KINDS[request.param]
    folder = find_data()
    # Without real records generated ones: the application is the same.
    source = read_rows(folder, kind.records) if folder else generate_rows()
    rows = islice(source, kind.count)
    with kind.run(rows, tmp_path_factory.mktemp(request.param)) as running:
        yield running
