"""PDF: pypdf makes, merges, rotates, encrypts and reads."""
import io

from pypdf import PdfReader, PdfWriter, Transformation
from pypdf.errors import PdfReadError
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject


def page_with(writer, text):
    page = writer.add_blank_page(width=200, height=100)
    font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"), NameObject("/BaseFont"): NameObject("/Helvetica")})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})})
    stream = DecodedStreamObject()
    stream.set_data(f"BT /F1 12 Tf 10 50 Td ({text}) Tj ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    return page


writer = PdfWriter()
for text in ("Hello page one", "Second page"):
    page_with(writer, text)
writer.add_metadata({"/Title": "A title", "/Author": "me"})
writer.add_outline_item(title="Start", page_number=0)
writer.write("/tmp/a.pdf")

reader = PdfReader("/tmp/a.pdf")
print(len(reader.pages), [page.extract_text() for page in reader.pages], reader.metadata.title, reader.pages[0].mediabox.width)
print(reader.outline[0].title, reader.is_encrypted)
merged = PdfWriter()
merged.append("/tmp/a.pdf")
merged.append("/tmp/a.pdf", pages=(1, 2))
merged.pages[0].rotate(90)
merged.pages[1].add_transformation(Transformation().scale(0.5))
merged.pages[2].compress_content_streams()
out = io.BytesIO()
merged.write(out)
again = PdfReader(out)
print(len(again.pages), again.pages[0].rotation, again.pages[2].extract_text())
locked = PdfWriter(clone_from="/tmp/a.pdf")
locked.encrypt("secret", algorithm="RC4-128")
locked.write("/tmp/b.pdf")
reader = PdfReader("/tmp/b.pdf")
print(reader.is_encrypted, int(reader.decrypt("wrong")), int(reader.decrypt("secret")), reader.pages[1].extract_text())
try:
    PdfReader(io.BytesIO(b"not a pdf"))
except PdfReadError as error:
    print(type(error).__name__, error)
