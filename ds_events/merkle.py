"""Merkle trees as in RFC 6962: SHA-256, with a prefix for leaves and one for nodes.

>>> [leaf_hash(b"a").hex()[:8], node_hash(leaf_hash(b"a"), leaf_hash(b"b")).hex()[:8]]
['022a6979', 'b137985f']
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

HASH_SIZE: Final = 32
"""Bytes of a hash."""


def leaf_hash(content: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\0" + content).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node over its two children."""
    return sha256(b"\1" + left + right).digest()


def root(hashes: Iterable[bytes]) -> bytes:
    """Return the root over leaf hashes, in memory that grows with their logarithm.

    The root of no leaves is the hash of nothing.

    >>> root([]).hex()[:8], root([leaf_hash(b"a")]) == leaf_hash(b"a")
    ('e3b0c442', True)
    """
    # Whole subtrees from the left, the largest first, each twice the size of the next at least.
    subtrees: list[tuple[int, bytes]] = []
    for leaf in hashes:
        size, top = 1, leaf
        while subtrees and subtrees[-1][0] == size:
            top = node_hash(subtrees.pop()[1], top)
            size *= 2
        subtrees.append((size, top))
    if not subtrees:
        return sha256().digest()
    top = subtrees.pop()[1]
    while subtrees:
        top = node_hash(subtrees.pop()[1], top)
    return top


def path(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """Return the hashes that lead from leaf `index`, from 0, to the root, the nearest first.

    Raises `IndexError` if there is no such leaf.

    >>> a, b, c = (leaf_hash(letter) for letter in (b"a", b"b", b"c"))
    >>> path([a, b, c], 2) == [node_hash(a, b)]
    True
    """
    if not 0 <= index < len(hashes):
        raise IndexError(index)
    if len(hashes) == 1:
        return []
    half = _left_size(len(hashes))
    if index < half:
        return [*path(hashes[:half], index), root(hashes[half:])]
    return [*path(hashes[half:], index - half), root(hashes[:half])]


def root_from(leaf: bytes, index: int, size: int, steps: Sequence[bytes]) -> bytes | None:
    """Return the root that a path gives for leaf `index` of `size`, `None` if it cannot fit.

    >>> a, b, c = (leaf_hash(letter) for letter in (b"a", b"b", b"c"))
    >>> root_from(a, 0, 3, [b, c]) == root([a, b, c])
    True
    """
    if not 0 <= index < size:
        return None
    if size == 1:
        return None if steps else leaf
    if not steps:
        return None
    half = _left_size(size)
    if index < half:
        left = root_from(leaf, index, half, steps[:-1])
        return None if left is None else node_hash(left, steps[-1])
    right = root_from(leaf, index - half, size - half, steps[:-1])
    return None if right is None else node_hash(steps[-1], right)


def _left_size(size: int) -> int:
    """The largest power of two that is smaller than `size`."""
    return 1 << (size - 1).bit_length() - 1
