"""Read `name number` lines, write them as JSON and as a bar chart, and say what was written."""

import json
import sys
from xml.sax.saxutils import escape

rows = [(name, int(number)) for name, number in (line.split() for line in sys.stdin)]
total = sum(number for _, number in rows)

with open("/output/report.json", "w") as file:
    json.dump({"total": total, "lines": dict(rows)}, file, indent=2)

widest = max(number for _, number in rows) or 1
bars = []
for index, (name, number) in enumerate(rows):
    top = 10 + index * 30
    bars.append(
        f'<text x="90" y="{top + 15}" text-anchor="end">{escape(name)}</text>'
        f'<rect x="100" y="{top}" width="{300 * number / widest:.1f}" height="20" fill="steelblue"/>'
        f'<text x="{105 + 300 * number / widest:.1f}" y="{top + 15}">{number}</text>'
    )
with open("/output/chart.svg", "w") as file:
    file.write(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="480" height="{20 + 30 * len(rows)}" font-family="sans-serif" font-size="14">'
        + "".join(bars) + "</svg>\n"
    )

for name, number in rows:
    print(f"{name:<12}{number:>8}")
print(f"{'total':<12}{total:>8}")
