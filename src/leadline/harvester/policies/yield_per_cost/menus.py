"""What menus tell of the size of a database."""

from leadline.harvester.policies.yield_per_cost.controls import TRUSTED, Listed
from leadline.harvester.policies.yield_per_cost.knowledge import Knowledge
from leadline.harvester.policies.yield_per_cost.sizes import LARGEST


def learn_from_menus(known: Knowledge) -> None:
    sizes = known.sizes
    sizes.guess = max([0.0, *map(_whole, known.lists)])
    sizes.reasons = max([0.0, *map(_sized, known.lists)])
    sizes.least = max([0.0, *map(_at_least, known.lists)])
    sizes.most = LARGEST
    sizes.most = min([LARGEST, *(_at_most(known, one) for one in known.lists)])


def _at_least(listed: Listed) -> float:
    """Records that choices which exclude each other match together."""
    return sum(listed.done.values()) if listed.novelty.value >= TRUSTED else 0.0


def _at_most(known: Knowledge, listed: Listed) -> float:
    """Records of a menu that was asked through, and of those that show none of its choices."""
    if listed.open or listed.place is None or listed.novelty.value < TRUSTED:
        return LARGEST
    inside = sum(listed.sizes(known.database).values())
    held = float(listed.held(listed.closed).sum())
    return inside * max(1.0, known.records / max(1.0, held))


def _sized(listed: Listed) -> float:
    """Choices that exclude each other and of which it is known how many records match, beside those
    of which it is not, which are large ones."""
    sized = len(listed.done) - 2 * len(listed.beyond)
    return max(0.0, float(sized - 1)) if listed.novelty.value >= TRUSTED else 0.0


def _whole(listed: Listed) -> float:
    """What the choices asked for so far say of the size of the database."""
    total = sum(listed.done.values())
    if not listed.done or listed.novelty.value < TRUSTED:
        return total
    return total * max(1.0, len(listed.conditions) / len(listed.done))
