"""`python -m tools.reference`: writes every reference page from the code."""

from tools.reference import commands, python, rest

commands.main()
rest.main()
python.main()
