"""How many of the records held show what a query is about to ask for."""

from leadline.core.harvest import Query
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface


def records_shown(holdings: Holdings, interface: Interface, query: Query) -> int | None:
    """To be asked before the query is: of the records held those that show its one typed word.

    None when it types nothing, several words, or chooses something besides. Beside the number
    of matches that the source prints, it tells the source's size even where a cap hides most of
    the answer.
    """
    fixed, boxes = dict(interface.fixed), {box.name for box in interface.boxes}
    asked = [(name, value) for name, value in query.values if value and fixed.get(name) != value]
    if len(asked) != 1 or asked[0][0] not in boxes or len(asked[0][1].split()) != 1:
        return None
    row = holdings.terms.numbers.get(asked[0][1].lower())
    return 0 if row is None else int(holdings.terms.df[row])
