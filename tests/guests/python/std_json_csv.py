import json, csv, io, configparser, tomllib, xml.etree.ElementTree as ET, html, urllib.parse, base64, pickle, plistlib
print(json.dumps({"b": [1, 2.5, None, True], "a": "é\u2603"}, sort_keys=True), json.loads('{"x": [1, {"y": null}]}'))
print(json.dumps([1, {"a": []}], indent=2), json.dumps("é", ensure_ascii=False))
out = io.StringIO(); w = csv.DictWriter(out, ["a", "b"]); w.writeheader(); w.writerow({"a": 1, "b": 'q"u,o'}); print(repr(out.getvalue()), list(csv.DictReader(io.StringIO(out.getvalue()))))
c = configparser.ConfigParser(); c.read_string("[s]\nk = v\nn = 3\n"); print(c["s"]["k"], c.getint("s", "n"))
print(tomllib.loads('a = 1\n[t]\nb = ["x"]\nd = 2024-01-01'))
e = ET.fromstring("<r><i n='1'>t</i><i n='2'/></r>"); print([(i.get("n"), i.text) for i in e.iter("i")], ET.tostring(e))
print(html.escape("<a & 'b'>"), html.unescape("&eacute;&#x41;"), urllib.parse.urlencode({"q": "a b", "x": "é"}), urllib.parse.urlparse("http://u:p@h:1/p?q#f").port, urllib.parse.urljoin("http://a/b/c", "../d"))
print(base64.b64encode(b"\x00\xff"), base64.urlsafe_b64decode("_w=="), pickle.loads(pickle.dumps({"a": (1, {2})})), plistlib.dumps({"k": 1})[:5])
