"""Merkle trees: held against the definition of RFC 6962 and its reference vectors."""

from hashlib import sha256

import pytest

from ds_events.merkle import leaf_hash, node_hash, path, root, root_from

CONTENTS = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The roots over the first one, two, … of the contents, as Certificate Transparency has them."""


def _tree(contents: list[bytes]) -> bytes:
    """Return the hash of a tree as section 2.1 of the RFC defines it."""
    if not contents:
        return sha256().digest()
    if len(contents) == 1:
        return sha256(b"\0" + contents[0]).digest()
    half = 1
    while half * 2 < len(contents):
        half *= 2
    return sha256(b"\1" + _tree(contents[:half]) + _tree(contents[half:])).digest()


def _contents(size: int) -> list[bytes]:
    return [f"leaf {number}".encode() for number in range(size)]


@pytest.mark.parametrize("size", range(1, 9))
def test_the_reference_vectors(size: int) -> None:
    assert root(map(leaf_hash, CONTENTS[:size])).hex() == ROOTS[size - 1]


@pytest.mark.parametrize("size", [*range(20), 31, 32, 33, 100])
def test_the_root_is_that_of_the_definition(size: int) -> None:
    contents = _contents(size)

    assert root(map(leaf_hash, contents)) == _tree(contents)


def test_a_leaf_is_never_taken_for_a_node() -> None:
    left, right = leaf_hash(b"a"), leaf_hash(b"b")

    assert leaf_hash(left + right) != node_hash(left, right)


@pytest.mark.parametrize("size", [*range(1, 18), 33])
def test_every_path_leads_to_the_root(size: int) -> None:
    contents = _contents(size)
    hashes = [leaf_hash(content) for content in contents]

    for index, leaf in enumerate(hashes):
        steps = path(hashes, index)
        assert len(steps) <= (size - 1).bit_length()
        assert root_from(leaf, index, size, steps) == _tree(contents)


@pytest.mark.parametrize("index", [-1, 3, 100])
def test_there_is_no_path_from_a_leaf_that_is_not_there(index: int) -> None:
    hashes = [leaf_hash(content) for content in _contents(3)]

    with pytest.raises(IndexError):
        path(hashes, index)


def test_nothing_else_leads_to_the_root() -> None:
    for size in (2, 3, 5, 8, 13):
        hashes = [leaf_hash(content) for content in _contents(size)]
        top = root(hashes)
        for index, leaf in enumerate(hashes):
            steps = path(hashes, index)
            other = leaf_hash(b"other")
            wrong = [
                root_from(other, index, size, steps),
                root_from(leaf, index, size, steps[:-1]),
                root_from(leaf, index, size, [*steps, other]),
                root_from(leaf, index, size, []),
                root_from(leaf, -1, size, steps),
                root_from(leaf, size, size, steps),
                root_from(leaf, 0, 0, steps),
                *(
                    root_from(leaf, index, size, [*steps[:at], other, *steps[at + 1 :]])
                    for at in range(len(steps))
                ),
                *(
                    root_from(leaf, elsewhere, size, steps)
                    for elsewhere in range(size)
                    if elsewhere != index
                ),
            ]
            assert top not in wrong


def test_a_tree_of_one_leaf_has_no_path() -> None:
    leaf = leaf_hash(b"a")

    assert path([leaf], 0) == []
    assert root_from(leaf, 0, 1, []) == leaf == root([leaf])
    assert root_from(leaf, 0, 1, [leaf]) is None
