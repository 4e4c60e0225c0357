# Where a response ends if its headers say two things about it, and headers on several lines.
exec 2>&1
for name in both long folded size line; do
  echo "--- $name"
  curl -s $HTTP/framed/$name > body; code=$?; echo "curl $code $(cat body)"
  case $name in size | line) ;; *) wget -q -O - $HTTP/framed/$name; echo " wget $?" ;; esac
done
curl -sI $HTTP/framed/both | grep -i length | tr -d '\r'
curl -sI $HTTP/framed/folded | grep -i 'x-a\|cookie' | tr -d '\r'
python3 - <<'P'
import os, urllib.request, requests, httpx
base = os.environ["HTTP"] + "/framed/"
for name in ("both", "long", "folded"):
    answer = urllib.request.urlopen(base + name)
    print(name, answer.read(), answer.headers["X-A"], answer.headers["Set-Cookie"])
    print(requests.get(base + name).content, httpx.get(base + name).content)
for name in ("size", "line"):
    for attempt in (lambda: urllib.request.urlopen(base + name).read(), lambda: requests.get(base + name).content):
        try:
            print(attempt())
        except Exception as error:
            print(type(error).__name__)
P
