"""A way to a Postgres server that breaks while something is being committed."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final, Literal

from sqlalchemy import URL

_SOCKET: Final = ".s.PGSQL.5432"

_COMMITTING: Final = (b"COMMIT\0", b"WITH advanced AS")
"""What asks for a commit: the statement, and the one that appends by itself."""

_DONE: Final = b"Z\0\0\0\x05I"
"""How the server says that it is ready, and in no transaction any more."""

_WRITING: Final = (b"INSERT INTO", b"WITH advanced AS")


class Proxy:
    """A socket that passes everything on, and hangs up at a commit once `cut` says so.

    `before`: the server never sees what asks for it. `after`: it has committed, and nobody hears
    of it. It hangs up once, on a connection that has written, and passes everything on again
    then.
    """

    def __init__(self, folder: Path, server: URL) -> None:
        self.cut: Literal["before", "after"] | None = None
        self.hung_up = 0
        self.folder = folder
        self._server = str(Path(str(server.query["host"])) / _SOCKET)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / _SOCKET))
        self._listening.listen()
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                has_written = Event()
                for pass_on in (self._ask, self._answer):
                    Thread(target=pass_on, args=(client, server, has_written), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket, has_written: Event) -> None:
        """Pass on what the client says."""
        with _both(client, server):
            while said := client.recv(1 << 16):
                if any(words in said for words in _WRITING):
                    has_written.set()
                if (
                    any(words in said for words in _COMMITTING)
                    and has_written.is_set()
                    and self.cut == "before"
                ):
                    self._hang_up()
                    return
                server.sendall(said)

    def _answer(self, client: socket.socket, server: socket.socket, has_written: Event) -> None:
        """Pass on what the server answers."""
        with _both(client, server):
            while said := server.recv(1 << 16):
                if _DONE in said and has_written.is_set():
                    if self.cut == "after":
                        self._hang_up()
                        return
                    has_written.clear()
                client.sendall(said)

    def _hang_up(self) -> None:
        self.cut = None
        self.hung_up += 1


@contextmanager
def _both(client: socket.socket, server: socket.socket) -> Iterator[None]:
    """Close both ends when either has nothing more to say."""
    with suppress(OSError):
        yield
    for end in (client, server):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
