# Compressed bodies are decoded on request, and a decompression bomb is stopped.
exec 2>&1
cd /tmp
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
say curl -sS --compressed $HTTP/packed
say curl -sS --compressed $HTTP/deflated
say curl -sS --compressed $HTTP/hello
curl -sS $HTTP/packed | gzip -d
curl -sS --compressed $HTTP/echo | grep accept-encoding
say curl -sS --compressed -o bomb $HTTP/bomb
[ $(wc -c < bomb) -lt 20000000 ] && echo "stopped early"
say curl -sS -o packed-bomb $HTTP/bomb -w '%{http_code}\n'
say wget -q --compression=auto -O - $HTTP/packed
