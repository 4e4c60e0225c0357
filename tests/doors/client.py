"""The client that the authors of MCP publish for Python, against `wisp mcp`: `client.py WISP`, run by `toolchain/doors`.

Each check runs over standard streams and over HTTP, and in each with both protocols: the one with `initialize` (2025-11-25), and the
one in which each request stands alone (2026-07-28). Prints a table, and what failed; 1 if anything did.
"""

import asyncio
import sys
import threading
import traceback
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

import checks
from lib.mcp_server import serving

SECONDS = 60  # for one check
PROTOCOLS = {"2025-11-25": "legacy", "2026-07-28": "auto"}  # as the client calls them: `auto` asks the server


class Site(BaseHTTPRequestHandler):
    """What code in the sandbox may ask, below /allowed/, and what it may not."""

    def do_GET(self):
        body = f"the site's {self.path}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


def site():
    """A server of this machine: its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


@asynccontextmanager
async def over_http(server, mode, events):
    """A client with the token."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {server.token}"}, timeout=httpx2.Timeout(SECONDS)) as http,
        Client(streamable_http_client(server.url, http_client=http), mode=mode, message_handler=events) as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(wisp, options, mode, events):
    """A client that starts the server."""
    server = StdioServerParameters(command=wisp, args=["mcp", *options], env={"WISP_LOG": "error"})
    async with Client(server, mode=mode, message_handler=events) as client:
        yield client


async def run(connect, asked, protocol):
    """Each check with a connection of its own. Returns name → what went wrong, or nothing."""
    found = {}
    for check in asked:
        events = checks.Events()
        try:
            async with asyncio.timeout(SECONDS), connect(events) as client:
                await check(checks.Session(client, events, protocol))
            found[check.__name__] = None
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            found[check.__name__] = "".join(traceback.format_exception(error))
    return found


def main():
    """Every check over everything; 1 if one fails."""
    wisp, columns = sys.argv[1], {}
    checks.SITE = site()
    options = ["--allow", f"{checks.SITE}/allowed/"]
    for protocol, mode in PROTOCOLS.items():
        columns[f"stdio, {protocol}"] = asyncio.run(run(lambda events, mode=mode: over_stdio(wisp, options, mode, events), checks.ALL, protocol))
        # A server for each check, because requests that stand alone share a session.
        column = columns[f"HTTP, {protocol}"] = {}
        for check in checks.ALL:
            with serving(wisp, *options) as server:
                column |= asyncio.run(run(lambda events, mode=mode, server=server: over_http(server, mode, events), [check], protocol))
    column = columns["stdio, no network"] = {}
    column |= asyncio.run(run(lambda events: over_stdio(wisp, [], "legacy", events), checks.WITHOUT_NETWORK, "2025-11-25"))
    with serving(wisp, *options) as server:
        columns["HTTP, strangers"] = asyncio.run(checks.strangers(server))
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    wrong = [(where, name, text) for where, column in columns.items() for name, text in column.items() if text]
    width = max(map(len, names))
    for where, name, text in wrong:
        print(f"! {name} ({where}):\n{text}")
    print(f"{'':{width}}  " + "  ".join(columns))
    for name in names:
        marks = [("-" if name not in column else "FAILS" if column[name] else "ok").center(len(where)) for where, column in columns.items()]
        print(f"{name:{width}}  " + "  ".join(marks))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
