"""Pages: Beautiful Soup over html.parser and html5lib, selectors, html5lib itself."""
import html5lib
import soupsieve
from bs4 import BeautifulSoup, Comment

PAGE = """<html><head><title>Shop</title></head><body>
<!-- prices --><table id=t><tr><th>Item<th>Price</tr>
<tr class="row odd"><td>Tea</td><td data-n="3">3 €</td></tr><tr class=row><td>Milk<td>2 &euro;</table>
<p>See <a href="/a?x=1&amp;y=2">this <b>link</b></a> and <a href="https://example.com/b">that</a>.</p><br>
</body></html>"""
for parser in ("html.parser", "html5lib"):
    soup = BeautifulSoup(PAGE, parser)
    print(parser, soup.title.string, [a["href"] for a in soup.find_all("a")], soup.find(id="t").name)
    print([cell.get_text(strip=True) for cell in soup.select("tr.row > td:nth-of-type(2)")], soup.select_one("td[data-n]")["data-n"])
soup = BeautifulSoup(PAGE, "html5lib")
print([[cell.text.strip() for cell in row.find_all(["td", "th"])] for row in soup.find_all("tr")])
print(soup.p.get_text(" ", strip=True), [c.strip() for c in soup.find_all(string=lambda text: isinstance(text, Comment))])
soup.p.a.decompose()
soup.p.append(soup.new_tag("i"))
print(soup.p, soup.find("td").find_next_sibling("td").text, soup.b)
print(BeautifulSoup("<ul><li>1<li>2</ul>", "html5lib").ul.prettify())
print(len(soupsieve.select("td:not(:first-child)", soup)), soupsieve.match("table", soup.table))
try:
    BeautifulSoup("<a/>", "lxml")
except Exception as error:
    print(type(error).__name__)
try:
    BeautifulSoup("<a/>", "xml")
except Exception as error:
    print(type(error).__name__)
tree = html5lib.parse("<p>one<p>two", namespaceHTMLElements=False)
print([p.text for p in tree.iter("p")], html5lib.serialize(tree))
print(BeautifulSoup("<p>caf\xe9</p>".encode("latin-1"), "html.parser", from_encoding="latin-1").p.text)
