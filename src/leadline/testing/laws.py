"""How a law is put to a part."""


class LawBrokenError(AssertionError):
    """A part does not keep what its port promises. The message says what."""


def must(claim: bool, law: str, but: object = "") -> None:
    """Raises LawBrokenError unless the claim holds; `but` is what was found instead."""
    if not claim:
        raise LawBrokenError(f"{law}; but {but}" if but != "" else law)
