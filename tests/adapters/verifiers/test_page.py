"""What the page about the adapter shows, with a model whose answers are written down."""

import asyncio
import threading

from model import scripted
from test_agent import solve

import _page


def test_the_page():
    loop, found, ready = asyncio.new_event_loop(), [], threading.Event()

    async def serve():
        stop = asyncio.Event()
        async with scripted(solve) as (url, _):
            found.extend([url, stop])
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    ready.wait()
    try:
        _page.run("verifiers", replace={"http://127.0.0.1:8000/v1": found[0]})
    finally:
        loop.call_soon_threadsafe(found[1].set)
        thread.join()
        loop.close()
