"""XML and HTML into tables and back: lxml with XPath, XSLT and a schema, pandas' read_xml and read_html, Beautiful Soup, JSON and YAML."""

import io
import json
import xml.etree.ElementTree as ET

import pandas as pd
import yaml
from bs4 import BeautifulSoup
from lxml import etree, html

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<!-- a feed -->
<shop xmlns="urn:shop" xmlns:x="urn:extra" currency="EUR">
  <item id="1"><name>Schraube</name><price>0.25</price><x:tag>metal</x:tag><x:tag>small</x:tag></item>
  <item id="2" sale="yes"><name>Rohr &amp; Bogen</name><price>7.50</price></item>
  <item id="3"><name><![CDATA[<Sonder> "Größe"]]></name><price/></item>
</shop>
"""
PAGE = """<!DOCTYPE html><html><head><title>Ranking</title></head><body>
<p class=intro>Teams &lt;2024&gt;<br>unclosed <b>bold
<table id="rank"><thead><tr><th>Team</th><th colspan=2>Points</th></tr><tr><th></th><th>home</th><th>away</th></tr></thead>
<tbody><tr><td rowspan="2">Reds</td><td>1,203</td><td>7</td></tr><tr><td>5</td><td>n/a</td></tr>
<tr><td>Blues&nbsp;FC</td><td>3</td><td>9</td></tr></tbody></table>
<ul><li><a href="/a?x=1&amp;y=2">one</a><li><a href="b.html" rel=nofollow>two</a></ul></body></html>"""
SHEET = """<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:s="urn:shop">
<xsl:output method="text"/><xsl:param name="least" select="0"/>
<xsl:template match="/"><xsl:for-each select="//s:item[s:price &gt;= $least]"><xsl:sort select="s:price" data-type="number" order="descending"/>
<xsl:value-of select="concat(s:name, '=', s:price, ';')"/></xsl:for-each></xsl:template></xsl:stylesheet>"""
SCHEMA = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="n"><xs:complexType><xs:sequence>
<xs:element name="v" type="xs:int" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element></xs:schema>"""

# --- XML by lxml.
tree = etree.fromstring(FEED.encode())
space = {"s": "urn:shop", "x": "urn:extra"}
print(etree.QName(tree).localname, tree.get("currency"), tree.xpath("count(//s:item)", namespaces=space))
print(tree.xpath("//s:item[@sale='yes']/s:name/text()", namespaces=space))
for item in tree.iterfind("s:item", space):
    print(item.get("id"), item.findtext("s:name", namespaces=space), [tag.text for tag in item.iterfind("x:tag", space)])
sheet = etree.XSLT(etree.XML(SHEET))
print("transformed:", str(sheet(tree, least="0.2")))
schema = etree.XMLSchema(etree.XML(SCHEMA))
print("valid:", [schema.validate(etree.XML(text)) for text in ("<n><v>1</v><v>2</v></n>", "<n><v>x</v></n>", "<n/>")])
try:
    etree.fromstring("<a><b></a>")
except etree.XMLSyntaxError as error:
    print("XMLSyntaxError on line", error.lineno)
steps = [(event, element.tag.split("}")[1]) for event, element in etree.iterparse(io.BytesIO(FEED.encode()), events=("start", "end"))]
print("events", len(steps), steps[-1], "canonical:", etree.tostring(etree.XML("<b z='1' a='2'><c/></b>"), method="c14n").decode())
new = etree.Element("out")
etree.SubElement(new, "row", n="1").text = "ä < b"
print(etree.tostring(new, encoding="unicode"), etree.tostring(new, xml_declaration=True, encoding="iso-8859-1")[:44])
print(ET.fromstring(etree.tostring(new))[0].text)

# --- XML and pandas.
frame = pd.read_xml(io.BytesIO(FEED.encode()), xpath="//s:item", namespaces=space)
print(frame[["id", "name", "price", "sale"]].to_string(index=False, na_rep="-"))
text = frame[["id", "name", "price"]].to_xml(index=False, root_name="shop", row_name="item", xml_declaration=False, pretty_print=False)
print(text, pd.read_xml(io.StringIO(text))["price"].sum())

# --- HTML.
document = html.fromstring(PAGE)
document.make_links_absolute("https://shop.example/dir/")
print([link.get("href") for link in document.xpath("//a")], document.findtext(".//title"))
(ranking,) = pd.read_html(io.StringIO(PAGE), attrs={"id": "rank"}, thousands=",", na_values="n/a", flavor="lxml")
ranking.columns = ["team", "home", "away"]
print(ranking.to_string(index=False, na_rep="-"), "\nsums", ranking.groupby("team")[["home", "away"]].sum().to_dict("index"))
soup = BeautifulSoup(PAGE, "lxml")
print(soup.title.string, soup.select_one("p.intro").get_text(" ", strip=True)[:26])
print([cell.get_text() for cell in soup.select("table tr:last-child td")], soup.find("a", rel="nofollow")["href"])
other = BeautifulSoup("<p>a<p>b", "html.parser")
print(len(other.find_all("p")), BeautifulSoup("<td>x", "html5lib").body.get_text())
table = ranking.to_html(index=False, border=0, na_rep="")
print(table.count("<tr"), pd.read_html(io.StringIO(table))[0].equals(ranking))

# --- Nested JSON, and YAML.
records = json.loads("""[{"id": 1, "who": {"name": "Ada", "tags": ["x", "y"]}, "log": [{"d": "2024-01-01", "n": 2}, {"d": "2024-01-02", "n": 3}]},
    {"id": 2, "who": {"name": "Bo"}, "log": []}]""")
print(pd.json_normalize(records, sep="_")[["id", "who_name"]].to_dict("list"), pd.json_normalize(records, "log", ["id", ["who", "name"]]).to_dict("records"))
settings = yaml.safe_load("limits: {rows: 10, ratio: .5}\nnames: [ä, 'on', yes]\nday: 2024-05-06\ntext: |\n  a\n  b\n")
print(settings, yaml.safe_dump({"b": [1, None], "a": "ü"}, allow_unicode=True, sort_keys=True).split("\n"))
lines = frame[["id", "price"]].to_json(orient="records", lines=True)
print(lines.splitlines(), pd.read_json(io.StringIO(lines), lines=True)["price"].isna().tolist())
