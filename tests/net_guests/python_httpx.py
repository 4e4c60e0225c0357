"""httpx, waiting and on the event loop."""
import asyncio
import os

import httpx

HTTP, HTTPS, PORT = os.environ["HTTP"], os.environ["HTTPS"], os.environ["PORT"]


def attempt(*arguments, **options):
    try:
        print(httpx.request(*arguments, **options))
    except httpx.HTTPError as error:
        print(type(error).__name__, error, error.request.method)


def body(response):
    return response.text.partition("\n\n")[2]


answer = httpx.get(HTTPS + "/json")
print(answer, answer.json(), answer.http_version, answer.headers["content-type"])
with httpx.Client(base_url=HTTP, headers={"X-Own": "yes"}) as client:
    print(client.get("/echo", params={"q": "ä b"}).text)
    print(body(client.post("/echo", data={"a": "1"})), body(client.post("/echo", json=[1])), body(client.put("/echo", content=iter([b"x", b"y"]))))
    print("name=\"f\"; filename=\"n\"" in body(client.post("/echo", files={"f": ("n", b"content")})))
    print(client.get("/moved/302"), client.get("/redirect?" + HTTPS + "/hello", follow_redirects=True).history)
    client.get("/cookie")
    print([line for line in client.get("/echo").text.splitlines() if line.startswith("cookie")])
    print(client.get("/secret", auth=("a", "b")).text, client.get("/packed").text)
    with client.stream("GET", "/bytes/5000000") as answer:
        print(sum(len(piece) for piece in answer.iter_bytes()))
    with client.stream("GET", "/endless") as answer:
        print(len(next(answer.iter_raw(1000))))
print(httpx.get(HTTPS + "/hello", verify=False).text)

print("--- failures")
for url in ("http://denied.test/", f"http://private.test:{PORT}/", "http://nowhere.test/", "http://refused.test:1/",
            f"https://stranger.test:{os.environ['TLS_PORT']}/", HTTP + "/close", HTTP + "/short", "ftp://web.test/"):
    attempt("GET", url)
attempt("GET", HTTP + "/bytes/16777217")
attempt("POST", HTTP + "/count", content=bytes(5_000_000))
attempt("GET", HTTP + "/silent", timeout=0.2)
attempt("GET", HTTP + "/stuck", timeout=0.2)
attempt("GET", HTTP + "/loop", follow_redirects=True)
attempt("POST", f"http://reader.test:{PORT}/hello", content=b"x")
attempt("GET", f"http://reader.test:{PORT}/hello")
try:
    httpx.Client(proxy="http://proxy.test")
except ValueError as error:
    print(error)


async def main():
    async with httpx.AsyncClient() as client:
        answers = await asyncio.gather(*(client.get(f"{HTTPS}/bytes/{size}") for size in range(20)))
        print([len(answer.content) for answer in answers])
        # Both wait at the same time: the one without a response does not delay the other.
        silent = asyncio.create_task(client.get(HTTP + "/silent", timeout=30))
        print((await client.get(HTTP + "/hello")).text)
        silent.cancel()
        print(await asyncio.gather(silent, return_exceptions=True))
        async with client.stream("GET", HTTP + "/bytes/1000000") as answer:
            print(sum([len(piece) async for piece in answer.aiter_bytes()]))

        async def pieces():
            for start in range(0, 300_000, 100_000):
                yield bytes(at * 31 % 251 for at in range(start, start + 100_000))

        print((await client.post(HTTP + "/count", content=pieces())).text)
        for url, limit in (("http://denied.test/", 5), (HTTP + "/silent", 0.2), (HTTP + "/stuck", 0.2), (HTTP + "/close", 5)):
            try:
                await client.get(url, timeout=limit)
            except httpx.HTTPError as error:
                print(type(error).__name__, error)


asyncio.run(main())
