"""What goes wrong, by name."""


class IllegalAction(ValueError):
    """An action that the rules do not allow; the message says which rule it breaks."""


def one_of(kind: str, value: object, allowed) -> str:
    """Return `value` if it is allowed, else raise a ValueError that names both."""
    if value not in allowed:
        raise ValueError(f"unknown {kind} {value!r}: use one of {', '.join(map(str, allowed))}")
    return value


def in_range(kind: str, value: object, low: int, high: int) -> int:
    """Return `value` if it is a whole number from `low` to `high`, else raise a ValueError."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{kind} is {value!r}: use a whole number from {low} to {high}")
    return value
