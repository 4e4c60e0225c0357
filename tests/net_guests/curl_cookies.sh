# A cookie jar that persists, and the hosts that its cookies are sent to.
exec 2>&1
cd /tmp
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
say curl -sS -c jar $HTTP/cookie
cat jar
curl -sS -b jar $HTTP/echo | grep cookie
curl -sS -b jar -b x=9 $HTTP/hello/echo -o /dev/null
curl -sS -b jar "$HTTP/redirect?$HTTP/echo" -L | grep cookie
curl -sS -b jar http://reader.test:$PORT/echo | grep cookie || echo "none for another host"
curl -sS -b 'x=1; y=2' $HTTP/echo | grep cookie
say curl -sS -b missing -c jar2 $HTTP/cookie $HTTP/echo -o /dev/null -o second
grep cookie second
printf 'Set-Cookie: h=1; Domain=web.test; Path=/\n' > headers
curl -sS -b headers $HTTP/echo | grep cookie
say wget -q --save-cookies wjar --keep-session-cookies -O - $HTTP/cookie
tail -n 2 wjar
wget -q --load-cookies wjar -O - $HTTP/echo | grep cookie
