# A server in the background, and every client of the sandbox.
exec 2>&1
mkdir site && cd site
echo 'a page' > page.txt
python3 -m http.server 8000 > ../server.log 2>&1 &
server=$!
until curl -s http://localhost:8000/ > /dev/null; do :; done
echo "$ curl"
curl -s http://localhost:8000/page.txt
curl -s http://127.0.0.1:8000/page.txt
curl -s -o /dev/null -w '%{http_code} %{size_download} %{content_type}\n' localhost:8000/page.txt
curl -sS -f http://localhost:8000/none; echo "[$?]"
curl -sI http://localhost:8000/page.txt | grep -i 'content-length'
echo "$ wget"
wget -q -O - http://localhost:8000/page.txt
echo "$ python"
python3 - <<'PYTHON'
import http.client, urllib.error, urllib.request
print(urllib.request.urlopen("http://localhost:8000/page.txt").read())
try:
    urllib.request.urlopen("http://127.0.0.1:8000/none")
except urllib.error.HTTPError as error:
    print(error)
connection = http.client.HTTPConnection("localhost", 8000)
connection.request("HEAD", "/page.txt")
response = connection.getresponse()
print(response.status, response.getheader("Content-Length"), response.read())
import requests, httpx, asyncio
print(requests.get("http://localhost:8000/page.txt").text, httpx.get("http://localhost:8000/page.txt").text, sep="", end="")
async def both():
    async with httpx.AsyncClient(base_url="http://localhost:8000") as client:
        answers = await asyncio.gather(client.get("/page.txt"), client.get("/none"))
        print([answer.status_code for answer in answers])
asyncio.run(both())
PYTHON
echo "$ the server's log"
sed 's/\[.*\]/[TIME]/' ../server.log | sort | uniq -c | sed 's/^ *//' | grep 'HEAD\|Serving'
kill $server; wait $server; echo "[$?]"
echo "$ nobody listens any more"
curl -sS http://localhost:8000/; echo "[$?]"
python3 -c 'import socket; socket.create_connection(("localhost", 8000))' 2>&1 | tail -n 1
