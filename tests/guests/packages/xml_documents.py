"""XML: xmltodict, defusedxml."""
import xmltodict
from defusedxml import ElementTree, minidom
from defusedxml.common import DTDForbidden, EntitiesForbidden

TEXT = '<shop open="yes"><item n="1">Tea</item><item n="2">Milk &amp; honey</item><empty/><a:x xmlns:a="urn:a">ü</a:x></shop>'
data = xmltodict.parse(TEXT)
print(data)
print(xmltodict.parse("<a><b>1</b></a>", force_list=("b",)), xmltodict.parse(TEXT, process_namespaces=True)["shop"]["urn:a:x"])
print(xmltodict.unparse({"shop": {"@open": "no", "item": [{"@n": "1", "#text": "Tea"}, "Milk"], "none": None}}, pretty=True))
print([item.text for item in ElementTree.fromstring(TEXT).iter("item")], minidom.parseString(TEXT).documentElement.tagName)
BOMB = '<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]><a>&d;</a>'
for parse in (ElementTree.fromstring, minidom.parseString, lambda text: ElementTree.fromstring(text, forbid_dtd=True)):
    try:
        parse(BOMB)
    except (EntitiesForbidden, DTDForbidden) as error:
        print(type(error).__name__, error)
try:
    xmltodict.parse("<a><b></a>")
except Exception as error:
    print(type(error).__name__, error)
