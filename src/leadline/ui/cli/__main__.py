"""`python -m leadline.ui.cli` is `leadline`."""

from leadline.ui.cli.app import main

main()
