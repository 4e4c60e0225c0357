# An uncaught exception that the host's error caused: a traceback and status 1, in every client.
import subprocess
import sys

for call in (
    'import urllib.request; urllib.request.urlopen("https://docs.example/")',
    'import http.client; http.client.HTTPSConnection("docs.example").request("GET", "/")',
    'import requests; requests.get("https://docs.example/")',
    'import httpx; httpx.get("https://docs.example/")',
):
    ended = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
    last = ended.stderr.strip().splitlines()[-1]
    print(ended.returncode, last.split(":")[0], "denied by wisp: the policy grants no network" in last)
