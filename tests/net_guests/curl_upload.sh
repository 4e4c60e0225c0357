# Bodies: of known length, in chunks, from files, from a pipe, as a form.
exec 2>&1
cd /tmp
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
body() { sed '1,/^$/d'; }
python3 -c 'import sys; sys.stdout.buffer.write(bytes(at * 31 % 251 for at in range(3_000_000)))' > large
say curl -sS -T large $HTTPS/count
say curl -sS --data-binary @large $HTTPS/count
say curl -sS -X PUT -T - $HTTPS/count < large
cat large | curl -sS -T - $HTTPS/count
say curl -sS -H 'Transfer-Encoding: chunked' --data-binary @large $HTTPS/count
say curl -sS -T large "$HTTP/moved/307" -L -o moved
tail -c +1 moved | body | cmp - large && echo "sent again after 307"
printf 'line\nline\n' > text
curl -sS -d @text $HTTP/echo | body; echo
curl -sS --data-binary @text -d more $HTTP/echo | body; echo
curl -sS --data-raw @text $HTTP/echo | body; echo
curl -sS -F a=b -F 'f=@text;type=text/x-lines;filename=n.txt' -F 'j={"x":1};type=application/json' -F 'c=<text' $HTTP/echo | body | sed 's/-\{20,\}[0-9a-f]*/BOUNDARY/'
echo from stdin | curl -sS -d @- $HTTP/echo | body; echo
say curl -sS -F 'f=@missing' $HTTP/echo
say curl -sS -T text $HTTP/echo/ -o put; head -1 put
say wget -q --post-file text -O - $HTTP/count
say wget -q --method PUT --body-data abc -O - $HTTP/count
