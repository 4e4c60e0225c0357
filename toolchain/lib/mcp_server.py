"""`wisp mcp --http`, as the clients of `toolchain/doors` and tests/doors meet it."""

import asyncio
import queue
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from .steps import Missing

SECONDS = 120  # the first start on a machine compiles


class Address(NamedTuple):
    """Where the server is, and the token that it asks for."""

    url: str
    token: str


@contextmanager
def serving(wisp, *options: str) -> Iterator[Address]:
    """A server over HTTP, until the block ends: the address and the token that it printed."""
    server = subprocess.Popen([wisp, "mcp", "--http", "127.0.0.1:0", *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
    lines = queue.Queue()

    def read():
        for line in server.stderr:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    said = ""
    try:
        while (found := _address(said)) is None:
            try:
                line = lines.get(timeout=SECONDS)
            except queue.Empty:
                line = None
            if line is None:
                raise Missing("`wisp mcp --http` printed no address and token", "build wisp (`toolchain/just build`), then run it by hand", said)
            said += line
        yield found
    finally:
        server.terminate()
        server.wait(timeout=SECONDS)


def _address(said):
    """What the server printed, once it has printed both."""
    url = re.search(r"serving at (http://\S+)", said)
    token = re.search(r"Authorization: Bearer ([^`\s]+)", said)
    return Address(url[1], token[1]) if url and token else None


class Relay:
    """A relay that adds the server's token to each request, for clients that cannot send one. It changes nothing else."""

    def __init__(self):
        self.server = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._listener = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._connected, "127.0.0.1", 0), self._loop).result()
        self.origin = f"http://127.0.0.1:{self._listener.sockets[0].getsockname()[1]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self):
        self._listener.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _connected(self, reader, writer):
        there = urlsplit(self.server.url)
        try:
            up_reader, up_writer = await asyncio.open_connection(there.hostname, there.port)
        except OSError:
            writer.close()
            return
        ways = [asyncio.ensure_future(_requests(reader, up_writer, self.server.token)), asyncio.ensure_future(_bytes(up_reader, writer))]
        try:
            # If one side closes, so does the other: a client that goes away is seen as such.
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            writer.close()
            up_writer.close()


async def _requests(reader, writer, token):
    """Pass requests on, each with the token."""
    while True:
        head = await reader.readuntil(b"\r\n\r\n")
        first, _, rest = head.partition(b"\r\n")
        writer.write(first + f"\r\nAuthorization: Bearer {token}\r\n".encode() + rest)
        length = re.search(rb"\r\ncontent-length:\s*(\d+)", head, re.IGNORECASE)
        if length:
            writer.write(await reader.readexactly(int(length[1])))
        elif re.search(rb"\r\ntransfer-encoding:\s*chunked", head, re.IGNORECASE):
            while True:
                line = await reader.readuntil(b"\r\n")
                size = int(line.partition(b";")[0], 16)
                writer.write(line + await reader.readexactly(size + 2))
                if size == 0:
                    break
        await writer.drain()


async def _bytes(reader, writer):
    """Pass answers on as they come."""
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
