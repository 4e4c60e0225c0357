# Redirects are followed on request; the policy decides about each hop.
exec 2>&1
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
say curl -sS $HTTP/moved/302 -w '%{http_code} %{redirect_url}\n'
say curl -sSL $HTTP/moved/302 -o /dev/null -w '%{http_code} %{num_redirects} %{url_effective}\n'
say curl -sSL "$HTTP/redirect?$HTTPS/hello" -w '%{url_effective}\n'
say curl -sSL --max-redirs 3 $HTTP/loop
say curl -sSL "$HTTP/redirect?http://denied.test/"
say curl -sSL "$HTTP/redirect?file:///etc/passwd"
for code in 301 302 303 307 308; do
    echo "$code: $(curl -sSL -d a=1 $HTTP/moved/$code | sed -n '1p;$p' | tr '\n' ' ')"
done
echo "put: $(curl -sSL -X PUT -d a=1 $HTTP/moved/303 | head -1)"
# Credentials stay with the host that they are for.
say curl -sSL -u a:b "$HTTP/redirect?http://reader.test:$PORT/echo" -o there
grep -i authorization there || echo "no credentials for another host"
curl -sSL -u a:b -H 'Cookie: c=1' "$HTTP/redirect?$HTTP/echo" | grep -i 'authorization\|cookie'
curl -sSL -H 'Authorization: Bearer x' "$HTTP/redirect?http://reader.test:$PORT/echo" | grep -i authorization || echo "nor by -H"
curl -sSL --location-trusted -u a:b "$HTTP/redirect?http://reader.test:$PORT/echo" | grep -i authorization
