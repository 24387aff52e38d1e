"""Proofs: that one game was in a seal, checked without a database.

A proof is one document of JSON: the line of the seal, the game's record as it was sealed
(ds-game/1), its place among the leaves from 0, and the Merkle path from its leaf to the root.
"""

import json
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, TypeAdapter, with_config
from sqlalchemy import Connection
from typing_extensions import TypedDict

from ds_events import log, merkle
from ds_events.errors import BadRecord, CorruptLog
from ds_events.findings import SEAL, AuditReport, Located, plain
from ds_events.ids import format_id
from ds_events.interchange import GameLine, format_record, parse_json, reads, record_of, to_store
from ds_events.merkle import HASH_SIZE
from ds_events.seal import Leaf, Seal, latest_seal, leaves_of

FORMAT: Final = "ds-proof/1"


def _read_hash(text: str) -> bytes:
    step = bytes.fromhex(text)
    if len(step) != HASH_SIZE:
        raise ValueError(f"a hash is {HASH_SIZE} bytes in hex, not {len(step)}")
    return step


@with_config(ConfigDict(strict=True, extra="forbid"))
class ProofDocument(TypedDict):
    """A proof as it is written; `path` holds hashes in hex, the nearest to the leaf first."""

    format: Literal["ds-proof/1"]
    seal: str
    index: int
    path: list[Annotated[bytes, reads(_read_hash)]]
    record: GameLine


_PROOF: Final = TypeAdapter(ProofDocument)


def make_proof(connection: Connection, game_id: int) -> tuple[Seal, str]:
    """Return the newest seal that holds a game, and the proof that it does.

    Raises `GameNotFound` if no seal holds the game, `CorruptLog` if it is not what was
    sealed.
    """
    seal = latest_seal(connection, game_id)
    leaves = list(leaves_of(connection, seal.at))
    index = next(i for i, leaf in enumerate(leaves) if leaf.game_id == game_id)
    stored, entries = log.load_with_log(connection, game_id, leaves[index].version)
    if stored.head != leaves[index].head:
        raise CorruptLog(game_id, None, "it is not what was sealed")
    record = format_record(stored, entries)
    steps = merkle.path([leaf.hash for leaf in leaves], index)
    proof = {
        "format": FORMAT,
        "seal": str(seal),
        "index": index,
        "path": [step.hex() for step in steps],
        "record": json.loads(record),
    }
    return seal, json.dumps(proof, ensure_ascii=False, separators=(",", ":"))


def audit_proof(proof: bytes, seal: Seal) -> AuditReport:
    """Hold a proof against a seal whose line was kept elsewhere.

    The record in it is refereed, its hash chain is computed, and its leaf and path have to
    give the seal's root. Raises `BadRecord` for what is no proof.
    """
    said = parse_json(proof, _PROOF)
    record = record_of(said["record"])
    verdict = record.judge()
    name = format_id(record.id)
    report = AuditReport()
    report.count(verdict, name)
    if verdict.faults:
        return report
    if record.player is None or record.started_at is None:
        raise BadRecord("record: the game of a proof says its player and when it was started")
    stored, _ = to_store(record, verdict, record.player, record.started_at)
    leaf = Leaf(stored.id, stored.version, stored.head)
    root = merkle.root_from(leaf.hash, said["index"], seal.games, said["path"])
    if root != seal.root:
        message = "the game, its place and its path do not give the root of the seal"
        computed = None if root is None else root.hex()
        report.faults.append(Located(plain(SEAL, message, computed, seal.root.hex()), name))
    return report
