import re, string, textwrap, difflib, unicodedata, locale, shlex, fnmatch, pprint, codecs, gettext
print(re.findall(r"(\w+)@(\w+)\.com", "a@b.com, c@d.com"), re.sub(r"(?P<x>\d+)", lambda m: str(int(m["x"]) * 2), "a1b22"), re.split(r"[,;]\s*", "a, b;c"), re.match(r"(?i)HELLO", "hello").span())
print(textwrap.fill("the quick brown fox jumps over the lazy dog", 20), textwrap.dedent("  a\n    b"), textwrap.shorten("hello world again", 12))
print(list(difflib.unified_diff(["a", "b"], ["a", "c"], lineterm="")), difflib.get_close_matches("appel", ["ape", "apple"]))
print(unicodedata.name("é"), unicodedata.normalize("NFD", "é").encode(), "ß".upper(), "ǅ".title(), "İ".lower().encode(), "naïve café".encode("ascii", "ignore"), "日本".encode("shift_jis"), b"\xe9".decode("latin-1"))
print(shlex.split("a 'b c' d\\ e"), shlex.quote("it's"), fnmatch.filter(["a.py", "b.txt"], "*.py"), string.Template("$a ${b}").substitute(a=1, b=2), "{0:>5}|{name!r}".format(1, name="n"), "%05.1f|%-4s|%x" % (3.14159, "a", 255))
pprint.pprint({"k": list(range(30)), "z": {"nested": "x" * 50}}, width=60)
print("a,b,,c".split(","), "x".join("abc"), "Hello".swapcase(), "abc".translate(str.maketrans("a", "z")), "tab\tx".expandtabs(4), "a\nb\r\nc".splitlines(), f"{'nested ' + f'{1+1}'}", t"template {1}".strings)
print(codecs.encode("hello", "rot13"), "x" * 3, "é".encode("unicode_escape"), ascii("é"), repr("\x00\u2028"))
