"""The command line. What a command needs is imported when it runs: `--help` must not wait."""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code."""
    from leadline.ui.cli.app import main as run_and_exit

    run_and_exit(arguments)
