# The output of a fetch, and where it goes.
exec 2>&1
cd /tmp
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
say curl -sS $HTTP/hello
say curl -sS $HTTPS/hello
say curl $HTTPS/hello
say curl -sS -i $HTTPS/status/404
say curl -sSI $HTTPS/bytes/10
say curl -sS $HTTP/echo -H 'X-One: 1' -H 'Accept:' -A agent
say curl -sS "$HTTP/{a,b}[1-2]" -o 'out-#1#2' -w '%{filename_effective} %{http_code}\n'
ls out-*
say curl -sS -G -d 'q=a b' --data-urlencode 'r=ä&' $HTTP/echo
say curl -sS -w '%{http_code} %{size_download} %{content_type} %{url_effective} %{num_redirects} %{method} %{scheme}\n' -o /dev/null $HTTPS/json
say curl -s $HTTP/json -w '%{stderr}to stderr\n%{stdout}%{header_json}'
say curl -sS $HTTP/json --next -X DELETE $HTTP/echo
say curl -sS -u user:pass $HTTP/secret
say curl -sS http://user:pass@web.test:$PORT/secret
say curl -sS --oauth2-bearer token $HTTPS/secret
printf 'url = "%s/echo"\nheader = "X-From: config"\nuser-agent = cfg\n' $HTTP > cfg
say curl -sS -K cfg
say curl -sS --json '{"a":1}' $HTTP/echo
curl -sv $HTTP/hello | sed 's/^/| /'
wget -q -O - $HTTPS/hello
