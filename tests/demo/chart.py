"""Stacked bars as SVG: the chart of the page, and a picture of the page for the README.

Each has a background of its own, so that it is readable on any page, and follows the reader's light or dark colours.
"""

from html import escape

KINDS = ("program", "tests", "comments")

SHOWN = 14  # crates with a bar
WIDTH, LEFT, RIGHT = 880, 190, 76
TOP, BAR, PITCH = 104, 18, 28

STYLE = """<style>
.wisp text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #16150f }
.wisp .title { font-size: 18px; font-weight: 600 } .wisp .strong { font-weight: 600 } .wisp .quiet { fill: #5c5a54 }
.wisp .end { text-anchor: end } .wisp .middle { text-anchor: middle }
.wisp .program { fill: #2a78d6 } .wisp .tests { fill: #e08b1d } .wisp .comments { fill: #aeaba1 }
.wisp .back { fill: #fcfcfb } .wisp .bar { fill: #eceae4 } .wisp .edge { fill: none; stroke: #c9c7be }
.wisp .grid { stroke: #e4e2da } .wisp .axis { stroke: #8f8d85 }
@media (prefers-color-scheme: dark) {
.wisp text { fill: #f4f3ef } .wisp .quiet { fill: #b3b1a8 }
.wisp .program { fill: #4a92ea } .wisp .tests { fill: #d98a1f } .wisp .comments { fill: #77756d }
.wisp .back { fill: #1a1a19 } .wisp .bar { fill: #2b2a28 } .wisp .edge { stroke: #4a4943 }
.wisp .grid { stroke: #34332f } .wisp .axis { stroke: #77756d }
}
</style>"""


def text(x, y, words, classes=""):
    """Returns one line of text."""
    named = f' class="{classes}"' if classes else ""
    return f'<text x="{x:g}" y="{y:g}"{named}>{escape(words)}</text>'


def line(x1, y1, x2, y2, classes):
    """Returns a line, on the pixels that it covers."""
    return f'<line x1="{x1 + 0.5:g}" y1="{y1 + 0.5:g}" x2="{x2 + 0.5:g}" y2="{y2 + 0.5:g}" class="{classes}"/>'


def rect(x, y, width, height, classes, inside=""):
    """Returns a rectangle; `inside` is what it is called where the mouse rests on it."""
    end = f"><title>{escape(inside)}</title></rect>" if inside else "/>"
    return f'<rect x="{x:.4g}" y="{y:g}" width="{width:.4g}" height="{height:g}" class="{classes}"{end}'


def step(largest):
    """Returns the distance between marks of the axis, so that six of them reach the largest: 1, 2 or 5 and noughts."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power * 6 >= largest:
                return factor * power
        power *= 10


def bars(rows):
    """Returns the lines of SVG that draw the chart, and its height."""
    shown = [(row[0], row[2:-1]) for row in rows[:SHOWN]]
    largest = max(sum(counts) for _, counts in shown)
    apart = step(largest)
    scale = (WIDTH - LEFT - RIGHT) / largest
    bottom = TOP + PITCH * len(shown)

    of = f"The {len(shown)} largest of {len(rows)} crates" if len(rows) > len(shown) else "All crates"
    drawn = [text(24, 36, "Where the Rust of wisp is", "title"), text(24, 58, f"{of}, in lines that are not blank", "quiet"),
             text(LEFT - 12, TOP - 14, "crate", "quiet end")]
    x = WIDTH - 24
    for kind in reversed(KINDS):
        x -= 34 + 7.5 * len(kind)
        drawn += [rect(x, 47, 12, 12, kind), text(x + 17, 58, kind)]
    for mark in range(0, largest + 1, apart):
        x = round(LEFT + mark * scale)
        drawn += [line(x, TOP - 8, x, bottom, "grid" if mark else "axis"), text(x, bottom + 20, f"{mark:,}", "quiet middle")]
    drawn.append(text((LEFT + WIDTH - RIGHT) / 2, bottom + 44, "lines of Rust", "quiet middle"))
    for place, (name, counts) in enumerate(shown):
        y, x = TOP + PITCH * place, LEFT + 1.0
        drawn.append(text(LEFT - 12, y + 13.5, name, "end"))
        for kind, count in zip(KINDS, counts):
            drawn.append(rect(x, y, max(count * scale - 1, 0), BAR, kind, f"{name}: {count:,} lines of {kind}"))
            x += count * scale
        drawn.append(text(x + 6, y + 13.5, f"{sum(counts):,}", "quiet"))
    return drawn, bottom + 64


def frame(title, height, drawn):
    """Returns the SVG of these lines."""
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'class="wisp" role="img" aria-label="{escape(title)}">')
    return "\n".join([head, STYLE, *drawn, "</svg>"])


def alone(rows):
    """Returns the chart."""
    drawn, height = bars(rows)
    return frame("Lines of Rust by crate", height, [rect(0, 0, WIDTH, height, "back"), *drawn])


def picture(rows, total, columns, listed=5):
    """Returns a picture of the page's chart and of the first rows of its table, in the frame of a window."""
    drawn, top = bars(rows)
    lines, right = [], [WIDTH - 24 - 118 * place for place in range(len(columns) - 2, -1, -1)]
    for place, row in enumerate([columns, *rows[:listed], ("…", *[""] * len(right)), total]):
        y = top + 24 + 26 * place
        look = "quiet" if place == 0 else "strong" if row is total else ""
        lines.append(text(24, y, row[0], look))
        for x, cell in zip(right, row[1:]):
            if cell != "":
                lines.append(text(x, y, cell if isinstance(cell, str) else f"{cell:,}", f"{look} end".strip()))
        if row is not total:
            lines.append(line(24, y + 8, WIDTH - 24, y + 8, "grid"))
    bar, corner = 36, 10
    height = top + 24 + 26 * (listed + 2) + 24 + bar
    path = f"M0 {bar}V{corner}a{corner} {corner} 0 0 1 {corner}-{corner}h{WIDTH - 2 * corner}a{corner} {corner} 0 0 1 {corner} {corner}V{bar}z"
    window = [f'<rect width="{WIDTH}" height="{height}" rx="{corner}" class="back"/>', f'<path d="{path}" class="bar"/>']
    for place, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        window.append(f'<circle cx="{22 + 20 * place}" cy="18" r="6" fill="{colour}"/>')
    window += [text(WIDTH / 2, 23, "report.html", "quiet middle"),
               f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="{corner}" class="edge"/>',
               f'<g transform="translate(0 {bar})">', *drawn, *lines, "</g>"]
    return frame("A page that a program in wisp made: a chart and a table of the lines of Rust in each crate", height, window) + "\n"
