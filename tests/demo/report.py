"""Read `file program tests comments` lines, add them up by crate, and write a page with a chart and a table of them.

The page needs nothing else: no script, no font, no picture from elsewhere, and its policy lets a browser load none.
"""

import csv
import os
import sys
from html import escape

import chart

COLUMNS = ("crate", "files", *chart.KINDS, "lines")

STYLE = """
:root { color-scheme: light dark; --page: #f3f2ee; --card: #fcfcfb; --text: #16150f; --quiet: #5c5a54; --line: #dedcd4 }
@media (prefers-color-scheme: dark) { :root { --page: #0f0f0e; --card: #1a1a19; --text: #f4f3ef; --quiet: #b3b1a8; --line: #383733 } }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2 }
p { color: var(--quiet); margin: .4rem 0 1.5rem }
dl { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; margin: 0 0 1.25rem }
dl div, figure, .table { background: var(--card); border: 1px solid var(--line); border-radius: 10px }
dl div { padding: .7rem 1rem }
dt { color: var(--quiet); font-size: .85rem }
dd { margin: 0; font-size: 1.5rem; font-weight: 600 }
figure { margin: 0 0 1.25rem; overflow: hidden }
figure svg { display: block; width: 100%; height: auto }
.table { overflow-x: auto; padding: .25rem 1rem 1rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: .75rem 0 }
th, td { padding: .3rem .5rem; text-align: right; border-bottom: 1px solid var(--line); font-weight: 400; white-space: nowrap }
th:first-child { text-align: left }
thead th { color: var(--quiet); font-size: .85rem }
tbody tr:hover { background: var(--page) }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0 }
@media (max-width: 44rem) {
dl { grid-template-columns: repeat(2, 1fr) }
figure { overflow-x: auto }
figure svg { width: 44rem }
table { font-size: .8rem }
th, td { padding: .3rem .25rem }
}
"""


def crate_of(path):
    """Returns the innermost folder above a file that has a `Cargo.toml`."""
    folder = os.path.dirname(path)
    while folder and not os.path.exists(os.path.join(folder, "Cargo.toml")):
        folder = os.path.dirname(folder)
    return folder or "."


def by_crate(lines):
    """Returns a row for each crate, in the order of `COLUMNS`, the largest first."""
    found = {}
    for line in lines:
        path, *counts = line.rsplit(maxsplit=len(chart.KINDS))
        row = found.setdefault(crate_of(path), [0] * (len(COLUMNS) - 1))
        numbers = [1, *map(int, counts)]
        for place, number in enumerate([*numbers, sum(numbers[1:])]):
            row[place] += number
    return sorted(((name, *row) for name, row in found.items()), key=lambda row: (-row[-1], row[0]))


def table(rows, total):
    """Returns the rows and their sum as a table of HTML."""
    def cells(row):
        return f'<th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{number:,}</td>" for number in row[1:])

    head = "".join(f'<th scope="col">{name}</th>' for name in COLUMNS)
    body = "\n".join(f"<tr>{cells(row)}</tr>" for row in rows)
    return (f"<table>\n<caption>Lines of Rust by crate</caption>\n<thead><tr>{head}</tr></thead>\n"
            f"<tbody>\n{body}\n</tbody>\n<tfoot><tr>{cells(total)}</tr></tfoot>\n</table>")


def page(rows, total):
    """Returns the page."""
    share = total[COLUMNS.index("tests")] / total[-1]
    facts = (("lines", f"{total[-1]:,}"), ("crates", f"{len(rows):,}"), ("files", f"{total[1]:,}"), ("share of tests", f"{share:.0%}"))
    tiles = "\n".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    version = ".".join(map(str, sys.version_info[:3]))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>wisp in lines of Rust</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>wisp in lines of Rust</h1>
<p>Counted by find and awk and drawn by Python {version} in a sandbox that could read this repository, and reach no network.</p>
<dl>
{tiles}
</dl>
<figure>
{chart.alone(rows)}
</figure>
<div class="table">
{table(rows, total)}
</div>
</main>
</body>
</html>
"""


def main():
    rows = by_crate(sys.stdin)
    if not rows:
        sys.exit("report.py: there are no lines to count")
    total = ("all", *map(sum, list(zip(*rows))[1:]))
    with open("/output/lines.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
    for name, text in (("report.html", page(rows, total)), ("picture.svg", chart.picture(rows, total, COLUMNS))):
        with open(f"/output/{name}", "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
