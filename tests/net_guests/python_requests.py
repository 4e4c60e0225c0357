"""requests, on urllib3, on the host."""
import io
import os
import warnings

import requests
import urllib3

warnings.simplefilter("error")
HTTP, HTTPS, PORT = os.environ["HTTP"], os.environ["HTTPS"], os.environ["PORT"]


def attempt(*arguments, **options):
    try:
        print(requests.request(*arguments, **options))
    except requests.RequestException as error:
        print(type(error).__name__, str(error).partition(" object at ")[0])


def body(response):
    return response.text.partition("\n\n")[2]


answer = requests.get(HTTPS + "/json", timeout=5)
print(answer, answer.json(), answer.headers["content-type"], answer.ok, answer.reason)
session = requests.Session()
session.headers["X-Own"] = "yes"
print(session.get(HTTP + "/echo", params={"q": "ä b", "l": [1, 2]}).text)
print(body(session.post(HTTP + "/echo", data={"a": "1", "b": "2"})))
print(body(session.post(HTTP + "/echo", json={"a": [1]})))
print(body(session.put(HTTP + "/echo", data=(piece for piece in (b"one ", b"two")))))
form = body(session.post(HTTP + "/echo", files={"f": ("n.txt", io.BytesIO(b"content"), "text/plain")}, data={"k": "v"}))
print(form.replace(form.split("\r\n")[0].lstrip("-"), "BOUNDARY"))
print(session.post(HTTP + "/count", data=bytes(at * 31 % 251 for at in range(1_000_000))).text)
moved = session.get(HTTP + "/redirect?" + HTTPS + "/hello")
print(moved.text, moved.history, moved.url == HTTPS + "/hello", session.get(HTTP + "/moved/302", allow_redirects=False))
session.get(HTTP + "/cookie")
print([line for line in session.get(HTTP + "/echo").text.splitlines() if line.startswith("cookie")], session.cookies.get_dict())
print(session.get(HTTP + "/secret", auth=("a", "b")).text, session.get(HTTP + "/packed").text, session.get(HTTP + "/deflated").text)
print(session.get(HTTP + "/latin").text, session.head(HTTP + "/bytes/10").headers["Content-Length"], session.options(HTTP + "/echo").text.split("\n")[0])
with session.get(HTTPS + "/bytes/5000000", stream=True) as answer:
    print(sum(len(piece) for piece in answer.iter_content(100_000)))
with session.get(HTTP + "/endless", stream=True) as answer:
    print(len(next(answer.iter_content(1000))))
print(requests.get(HTTPS + "/hello", verify=False).text, requests.get(HTTPS + "/hello", verify="/usr/lib/python3.14/ssl.py").text)
retrying = requests.Session()
retrying.mount("http://", requests.adapters.HTTPAdapter(max_retries=urllib3.Retry(3, status_forcelist=[503], backoff_factor=0)))
print(retrying.get(HTTP + "/flaky/2").text)
os.environ["http_proxy"] = "http://proxy.test:3128"
print(requests.get(HTTP + "/hello").text)
print(urllib3.request("GET", HTTPS + "/hello").data, urllib3.PoolManager().request("POST", HTTP + "/count", body=b"\0\x1f").data)

print("--- failures")
for url in ("http://denied.test/", f"http://private.test:{PORT}/", "http://nowhere.test/", "http://refused.test:1/",
            f"https://stranger.test:{os.environ['TLS_PORT']}/", HTTP + "/close", HTTP + "/short", HTTP + "/loop",
            HTTP + "/redirect?http://denied.test/", HTTP + "/damaged"):
    attempt("GET", url)
attempt("GET", HTTP + "/silent", timeout=0.2)
attempt("GET", HTTP + "/stuck", timeout=(3, 1))
attempt("GET", HTTP + "/hello", proxies={"http": "http://proxy.test:3128"})
attempt("POST", f"http://reader.test:{PORT}/hello", data="x")
attempt("GET", f"http://reader.test:{PORT}/hello")
attempt("GET", HTTP + "/bytes/16777217")
attempt("POST", HTTP + "/count", data=bytes(5_000_000))
try:
    requests.get(HTTP + "/status/503").raise_for_status()
except requests.HTTPError as error:
    print(error)
