"""SQL values as text: numbers as SQLite writes them, literals, names, cells of CSV and JSON."""

import math
import re

#: Words that SQLite does not accept as an unquoted name.
KEYWORDS = frozenset(
    """abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case
    cast check collate column commit conflict constraint create cross current current_date current_time current_timestamp
    database default deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive
    exists explain fail filter first following for foreign from full generated glob group groups having if ignore immediate
    in index indexed initially inner insert instead intersect into is isnull join key last left like limit match
    materialized natural no not nothing notnull null nulls of offset on or order others outer over partition plan pragma
    preceding primary query raise range recursive references regexp reindex release rename replace restrict returning right
    rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded union unique
    update using vacuum values view virtual when where window with without""".split()
)


def real(value):
    """A floating point number as text, with at most 15 digits and always a decimal point."""
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    shown = f"{value:.15g}"
    mantissa, mark, exponent = ("0" if shown == "-0" else shown).partition("e")
    return mantissa + ("" if "." in mantissa else ".0") + mark + exponent


def _extended(number):
    """A fraction rounded to the 64 bits of an extended double, the type in which SQLite's shell computes."""
    if not number:
        return number
    shift = 64 - (number.numerator.bit_length() - number.denominator.bit_length())
    scaled = number * 2**shift if shift >= 0 else number / 2**-shift
    if scaled >= 2**64:
        scaled, shift = scaled / 2, shift - 1
    whole = type(number)(round(scaled))
    return whole / 2**shift if shift >= 0 else whole * 2**-shift


def exact(value):
    """A floating point number as a literal of 20 digits, as SQLite's shell writes it."""
    if math.isinf(value):
        return "1e999" if value > 0 else "-1e999"
    if abs(value) < 1e15 and value * 1024 % 1 == 0 and float(real(value)) == value:
        return real(value)
    from fractions import Fraction  # few values need this

    rest, power, scale = Fraction(abs(value)), 0, Fraction(1)
    for step, factor in ((100, Fraction(1e100)), (10, Fraction(1e10)), (1, Fraction(10))):
        while rest >= _extended(factor * scale):
            scale, power = _extended(scale * factor), power + step
    rest = _extended(rest / scale)
    while rest < Fraction(1e-8):
        rest, power = _extended(rest * 10**8), power - 8
    while rest < 1:
        rest, power = _extended(rest * 10), power - 1
    rest = _extended(rest + Fraction(5e-20))
    if rest >= 10:
        rest, power = _extended(rest * Fraction(0.1)), power + 1
    digits = ""
    for _ in range(20):
        digit = int(rest)
        digits += str(digit)
        rest = _extended(_extended(rest - digit) * 10)
    sign = "-" if value < 0 else ""
    if power < -4 or power > 19:
        return f"{sign}{digits[0]}.{digits[1:].rstrip('0') or '0'}e{power:+03d}"
    digits = "0" * -power + digits
    whole = max(power, 0) + 1
    return f"{sign}{digits[:whole]}.{digits[whole:].rstrip('0') or '0'}"


def text(value, null=""):
    """A value as the plain modes print it."""
    if value is None:
        return null
    if isinstance(value, str):
        return value.partition("\0")[0]
    if isinstance(value, float):
        return real(value)
    if isinstance(value, bytes):
        return value.partition(b"\0")[0].decode("utf-8", "surrogateescape")
    return str(value)


def literal(value, escape_lines=False):
    """A value as SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return exact(value)
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, int):
        return str(value)
    quoted = "'" + value.partition("\0")[0].replace("'", "''") + "'"
    if not escape_lines or not ("\n" in value or "\r" in value):
        return quoted
    if "\n" in value:
        mark = _unused(value, "\\n", "\\012")
        quoted = f"replace({quoted.replace(chr(10), mark)},'{mark}',char(10))"
    if "\r" in value:
        mark = _unused(value, "\\r", "\\015")
        quoted = f"replace({quoted.replace(chr(13), mark)},'{mark}',char(13))"
    return quoted


def _unused(value, *marks):
    for mark in marks:
        if mark not in value:
            return mark
    number = 0
    while f"({marks[0]}{number})" in value:
        number += 1
    return f"({marks[0]}{number})"


def name(word, always=False):
    """A name, quoted if necessary."""
    if always or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", word) or word.lower() in KEYWORDS:
        return '"' + word.replace('"', '""') + '"'
    return word


_PLAIN = re.compile(r"[!#-&(-~]+")


def csv(value, separator, null):
    """A cell of a CSV file."""
    if value is None:
        return null
    cell = text(value)
    if cell and _PLAIN.fullmatch(cell) and separator not in cell:
        return cell
    return '"' + cell.replace('"', '""') + '"'


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def json(value):
    """A value as JSON."""
    if value is None:
        return "null"
    if isinstance(value, (int, float)):
        return literal(value)
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    return '"' + re.sub(r'[\x00-\x1f"\\]', lambda m: _ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04x}", value) + '"'


def c_string(value):
    """A string literal of C."""
    special = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r"}
    out = ['"']
    for byte in value.encode("utf-8", "surrogateescape"):
        char = chr(byte)
        out.append(special.get(char) or (char if 32 <= byte < 127 else f"\\{byte:03o}"))
    return "".join(out) + '"'


def html(value):
    """Text for HTML."""
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        value = value.replace(char, entity)
    return value
