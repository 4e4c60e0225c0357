"""The modes: how the rows of a statement are printed."""

from . import values

#: Mode → separators of columns and rows, which are set when the mode is chosen.
SEPARATORS = {
    "list": ("|", "\n"), "quote": (",", "\n"), "csv": (",", "\r\n"), "tabs": ("\t", "\n"),
    "ascii": ("\x1f", "\x1e"), "tcl": (" ", "\n"),
}
MODES = "ascii box column csv html insert json line list markdown qbox quote table tabs tcl".split()
COLUMNAR = ("column", "table", "markdown", "box")


class Style:
    """The settings of the output."""

    def __init__(self):
        self.mode = "list"
        self.headers = False
        self.headers_set = False
        self.column, self.row = "|", "\n"
        self.null = ""
        self.table = "table"
        self.widths = []
        self.wrap, self.word_wrap, self.quote = 0, False, False

    def choose(self, mode):
        """Set a mode and its separators."""
        if mode == "qbox":
            mode, self.wrap, self.quote = "box", 60, True
        self.mode = mode
        if mode in SEPARATORS:
            self.column, self.row = SEPARATORS[mode]

    def describe(self):
        """The text that `.mode` prints."""
        if self.mode in COLUMNAR:
            quote = "--quote" if self.quote else "--noquote"
            return f"{self.mode} --wrap {self.wrap} --wordwrap {'on' if self.word_wrap else 'off'} {quote}"
        if self.mode == "insert":
            return f"insert {self.table}"
        return self.mode


def rows(style, names, cursor, write):
    """Print the result of a statement."""
    if style.mode in COLUMNAR:
        found = cursor.fetchall()
        if found:
            write(columns(style, names, found))
        return
    printer = _PRINTERS.get(style.mode, _separated)
    printer(style, names, cursor, write)


def _separated(style, names, cursor, write):
    column, row, null = style.column, style.row, style.null
    convert = {"quote": lambda v: values.literal(v), "csv": lambda v: values.csv(v, column, null),
               "tcl": lambda v: values.c_string(values.text(v, null))}.get(style.mode, lambda v: values.text(v, null))
    first = True
    for found in cursor:
        if first and style.headers:
            heading = [values.literal(n) if style.mode == "quote" else convert(n) for n in names]
            write(column.join(heading) + row)
        first = False
        write(column.join([convert(value) for value in found]) + row)


def _line(style, names, cursor, write):
    width = max([5, *map(len, names)])
    for number, found in enumerate(cursor):
        if number:
            write(style.row if style.row in ("\n", "\r\n") else "\n")
        for name, value in zip(names, found):
            write(f"{name:>{width}} = {values.text(value, style.null)}\n")


def _html(style, names, cursor, write):
    def part(tag, cells):
        write("<TR>" + "\n".join(f"<{tag}>{values.html(c)}</{tag}>" for c in cells) + "\n</TR>\n")

    for number, found in enumerate(cursor):
        if not number and style.headers:
            part("TH", names)
        part("TD", [values.text(v, style.null) for v in found])


def _json(style, names, cursor, write):
    keys = [values.json(name) for name in names]
    before = "["
    for found in cursor:
        write(before + "{" + ",".join(f"{k}:{values.json(v)}" for k, v in zip(keys, found)) + "}")
        before = ",\n"
    if before != "[":
        write("]\n")


def _insert(style, names, cursor, write):
    head = f"INSERT INTO {values.name(style.table)}"
    if style.headers:
        head += "(" + ",".join(map(values.name, names)) + ")"
    for found in cursor:
        write(f"{head} VALUES({','.join(values.literal(v, True) for v in found)});\n")


_PRINTERS = {"line": _line, "html": _html, "json": _json, "insert": _insert}


def _cell(style, value):
    if style.quote:
        return values.literal(value).replace("X'", "x'", 1) if isinstance(value, bytes) else values.literal(value)
    return values.text(value, style.null)


def _pieces(cell, width, by_words):
    """The lines of a cell: broken at its own line ends and at the width."""
    out = []
    for line in cell.replace("\r\n", "\n").split("\n"):
        line = "".join(c if c >= " " or c == "\t" else "" for c in line.expandtabs(8))
        while width and len(line) > width:
            cut = width
            if by_words and line[width] != " ":
                at = max((i for i in range(width, width // 2, -1) if not line[i - 1].isalnum()), default=0)
                cut = at or width
            out.append(line[:cut])
            line = line[cut:].lstrip(" ") if by_words else line[cut:]
        out.append(line)
    return out


def columns(style, names, found):
    """The modes that align columns."""
    asked = [*style.widths, *[0] * len(names)][: len(names)]
    limits = [abs(w) or style.wrap for w in asked]
    header = style.headers or style.mode != "column"
    cells = [[_pieces(_cell(style, v), limit, style.word_wrap) for v, limit in zip(row, limits)] for row in found]
    heads = [_pieces(values.literal(n) if style.quote else n, limit, style.word_wrap)[0] for n, limit in zip(names, limits)]
    widths = []
    for at, limit in enumerate(asked):
        longest = max(len(piece) for row in cells for piece in row[at])
        widths.append(max(abs(limit), len(heads[at]) if header else 0, longest))
    lines = [(row, max(map(len, row))) for row in cells]
    several = any(height > 1 for _, height in lines)
    out = []
    if style.mode == "column":
        if header:
            out.append("  ".join(_aligned(n, w, a) for n, w, a in zip(heads, widths, asked)))
            out.append("  ".join("-" * w for w in widths))
        _body(out, lines, asked, widths, ("", "  ", ""), "" if several else None)
    else:
        bars = {"table": "|||", "markdown": "|||", "box": "│││"}[style.mode]
        rules = {"table": ("+-++", "+-++", "+-++"), "markdown": (None, "|-||", None),
                 "box": ("┌─┬┐", "├─┼┤", "└─┴┘")}[style.mode]
        rule = [r and r[0] + r[2].join(r[1] * (w + 2) for w in widths) + r[3] for r in rules]
        edges = (bars[0] + " ", f" {bars[1]} ", " " + bars[2])
        out += [rule[0]] if rule[0] else []
        out.append(edges[0] + edges[1].join(_centred(n, w) for n, w in zip(heads, widths)) + edges[2])
        out.append(rule[1])
        _body(out, lines, asked, widths, edges, rule[1] if several and style.mode != "markdown" else None)
        out += [rule[2]] if rule[2] else []
    return "\n".join(out) + "\n"


def _body(out, lines, asked, widths, edges, between):
    for number, (row, height) in enumerate(lines):
        if number and between is not None:
            out.append(between)
        for at in range(height):
            parts = [cell[at] if at < len(cell) else "" for cell in row]
            out.append(edges[0] + edges[1].join(_aligned(p, w, a) for p, w, a in zip(parts, widths, asked)) + edges[2])


def _aligned(cell, width, asked):
    return cell.rjust(width) if asked < 0 else cell.ljust(width)


def _centred(cell, width):
    left = (width - len(cell)) // 2
    return " " * left + cell + " " * (width - len(cell) - left)
