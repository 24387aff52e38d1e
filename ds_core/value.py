"""What the values of the rules have in common."""

from dataclasses import fields


class Value:
    """The base of the frozen dataclasses, which are copied and pickled by being made again.

    A frozen object has no other way that holds compiled as well: nothing may set what it holds.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        held = tuple([getattr(self, field.name) for field in fields(self)])  # type: ignore[arg-type]
        return type(self), held
