"""A process that leaves orders and labels as fast as it can, to be killed. It tells each when the
desk has taken it.

python -m tests.store.labeller <store>
"""

import itertools
import sys

from leadline.core.inbox import FORM, PAUSE, RIGHT, Label, Order
from leadline.store.inbox import open_inbox


def main() -> None:
    desk = open_inbox(sys.argv[1])
    for number in itertools.count(1):
        desk.give(Order(PAUSE, float(number)))
        desk.label([Label(FORM, f"{number} {part}", RIGHT, float(number)) for part in "ab"])
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
