"""A body that was cut off is an error in every library; one that is whole, in chunks or until the connection ends, is not."""
import asyncio
import http.client
import os
import urllib.request

import httpx
import requests
import urllib3

HTTP, PORT = os.environ["HTTP"], int(os.environ["PORT"])


def attempt(what, *arguments, **options):
    try:
        print(what(*arguments, **options))
    except Exception as error:
        print(type(error).__module__, type(error).__name__, error)


def client(path, *size):
    connection = http.client.HTTPConnection("web.test", PORT)
    connection.request("POST", path, body=b"in chunks")
    return connection.getresponse().read(*size)


def lines(path):
    return list(requests.get(HTTP + path, stream=True).iter_lines())


async def waiting(path):
    async with httpx.AsyncClient() as web:
        return (await web.get(HTTP + path)).content


for path in ("/chunks", "/unframed", "/cut", "/short"):
    print("---", path)
    attempt(client, path)
    attempt(client, path, 2)
    attempt(lambda: urllib.request.urlopen(HTTP + path).read())
    attempt(lambda: urllib3.request("GET", HTTP + path, retries=False).data)
    attempt(lambda: requests.get(HTTP + path).content)
    attempt(lines, path)
    attempt(lambda: httpx.get(HTTP + path).content)
    attempt(lambda: asyncio.run(waiting(path)))
session = requests.Session()
print([session.post(HTTP + "/chunks", data=b"x" * 3).text for _ in range(3)])
answer = requests.post(HTTP + "/chunks", data=b"abc")
print(answer.headers.get("transfer-encoding"), requests.head(HTTP + "/hello").headers.get("transfer-encoding"))
print(requests.get(HTTP + "/status/204").content, len(urllib.request.urlopen(HTTP + "/hello").read(1)))
