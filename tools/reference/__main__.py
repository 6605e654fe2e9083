"""`python -m tools.reference`: writes every reference page from the code."""

from tools.reference import commands, flags, python, rest

flags.main()
commands.main()
rest.main()
python.main()
