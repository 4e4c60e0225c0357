"""urllib.request and http.client."""
import http.client
import http.cookiejar
import io
import os
import socket
import ssl
import urllib.error
import urllib.parse
import urllib.request

HTTP, HTTPS, PORT = os.environ["HTTP"], os.environ["HTTPS"], int(os.environ["PORT"])


def attempt(what, *arguments, **options):
    try:
        print(what(*arguments, **options))
    except Exception as error:
        print(type(error).__name__, error)


with urllib.request.urlopen(HTTPS + "/json") as response:
    print(response.status, response.reason, response.headers["Content-Type"], response.url == HTTPS + "/json", response.read())
request = urllib.request.Request(HTTP + "/echo", data=b"a=1", headers={"X-Own": "yes"}, method="PUT")
print(urllib.request.urlopen(request).read().decode())
print(urllib.request.urlopen(HTTP + "/redirect?" + HTTPS + "/hello").url == HTTPS + "/hello")
print(len(urllib.request.urlopen(HTTPS + "/bytes/3000000").read()))
name, headers = urllib.request.urlretrieve(HTTP + "/range/10", "/tmp/digits")
print(open(name).read(), headers["Accept-Ranges"])
jar = http.cookiejar.CookieJar()
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
opener.open(HTTP + "/cookie").read()
print([line for line in opener.open(HTTP + "/echo").read().decode().splitlines() if line.startswith("cookie")])
manager = urllib.request.HTTPPasswordMgrWithDefaultRealm()
manager.add_password(None, HTTP, "a", "b")
print(urllib.request.build_opener(urllib.request.HTTPBasicAuthHandler(manager)).open(HTTP + "/secret").read())
os.environ["http_proxy"] = "http://proxy.test:3128"
print(urllib.request.urlopen(HTTP + "/hello").read())
unverified = ssl.create_default_context()
unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE

print("--- failures")
stranger = f"https://stranger.test:{os.environ['TLS_PORT']}/"
for url in (HTTP + "/status/404", "http://denied.test/", f"http://private.test:{PORT}/", "http://nowhere.test/", "http://refused.test:1/",
            stranger, HTTP + "/close", HTTP + "/redirect?http://denied.test/", HTTP + "/loop"):
    attempt(urllib.request.urlopen, url)
attempt(urllib.request.urlopen, stranger, context=unverified)
attempt(urllib.request.urlopen, HTTP + "/silent", timeout=0.2)
attempt(lambda: urllib.request.urlopen(HTTP + "/short").read())
attempt(lambda: urllib.request.urlopen(HTTP + "/stuck", timeout=0.2).read())
attempt(urllib.request.urlopen, f"http://reader.test:{PORT}/hello", data=b"x")
print(urllib.request.urlopen(f"http://reader.test:{PORT}/hello").read())
attempt(lambda: len(urllib.request.urlopen(HTTP + "/bytes/16777217").read()))
attempt(lambda: len(urllib.request.urlopen(HTTP + "/bytes/16777216").read()))
attempt(lambda: urllib.request.urlopen(HTTP + "/count", data=bytes(5_000_000)).read())
attempt(lambda: urllib.request.urlopen(HTTP + "/count", data=bytes(4_194_304)).read())

print("--- http.client")
connection = http.client.HTTPConnection("web.test", PORT, timeout=5)
for number in range(2):
    connection.request("GET", f"/hello?{number}", headers={"A": "b"})
    response = connection.getresponse()
    print(response.status, response.getheader("content-type"), response.read())
connection.request("POST", "/count", body=io.BytesIO(bytes(at * 31 % 251 for at in range(1_000_000))))
print(connection.getresponse().read())
connection.request("POST", "/echo", body=iter([b"one ", b"two"]), encode_chunked=True)
print(connection.getresponse().read().decode().splitlines()[-1])
connection.putrequest("POST", "/echo", skip_accept_encoding=True)
connection.putheader("Content-Length", "4")
connection.endheaders()
connection.send(b"ab")
connection.send(b"cd")
print(connection.getresponse().read().decode().splitlines()[-1])
connection.request("HEAD", "/bytes/10")
response = connection.getresponse()
print(response.getheader("Content-Length"), response.read())
connection.request("GET", "/endless")
response = connection.getresponse()
print(len(response.read(100_000)), response.getheader("Transfer-Encoding"))
response.close()
connection.close()
connection.set_tunnel("elsewhere.test")
attempt(connection.request, "GET", "/")
attempt(http.client.HTTPConnection("web.test", PORT).request, "GET", "/", headers={"Host": "other.test"})
attempt(http.client.HTTPConnection("web.test", PORT).request, "GET", "/a b")
attempt(socket.create_connection, ("web.test", PORT))
