"""The policy waits for the first byte of a response for so long: a TimeoutError, in every library its own."""
import asyncio
import http.client
import os
import urllib.request

import httpx
import requests

HTTP, PORT = os.environ["HTTP"], int(os.environ["PORT"])


def attempt(what, *arguments, **options):
    try:
        print(what(*arguments, **options))
    except Exception as error:
        print(type(error).__module__, type(error).__name__, isinstance(error, TimeoutError), str(error).replace(str(PORT), "PORT"))


def client():
    connection = http.client.HTTPConnection("web.test", PORT)
    connection.request("GET", "/silent")
    try:
        connection.getresponse()
    except TimeoutError as error:
        print("first:", error)
    connection.close()
    connection.request("GET", "/silent")
    return connection.getresponse()


async def waiting():
    async with httpx.AsyncClient() as web:
        return await web.get(HTTP + "/silent")


attempt(client)
attempt(urllib.request.urlopen, HTTP + "/silent")
attempt(urllib.request.urlopen, HTTP + "/silent", data=b"body", timeout=20)
attempt(requests.get, HTTP + "/silent")
attempt(requests.post, HTTP + "/silent", data=b"body", timeout=20)
attempt(httpx.get, HTTP + "/silent")
attempt(httpx.post, HTTP + "/silent", content=b"body", timeout=20)
attempt(lambda: asyncio.run(waiting()))
