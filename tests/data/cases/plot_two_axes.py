"""A plot with two axes: twinx, legends, tight_layout; PNG, SVG and PDF; what is drawn is where it should be, in its colour."""

import struct
import xml.etree.ElementTree as ET

import matplotlib

matplotlib.use("agg")
import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb

try:
    import wisp  # in the sandbox, the session returns what is in the output directory

    OUTPUT = wisp.output_directory()
except ImportError:
    OUTPUT = "."

months = pd.date_range("2024-01-01", periods=12, freq="MS")
sales = np.array([12, 14, 13, 17, 21, 26, 30, 29, 24, 19, 15, 22], dtype=np.float64)
rain = np.array([60, 48, 52, 40, 35, 22, 15, 18, 33, 55, 66, 71], dtype=np.float64)

figure, left = plt.subplots(figsize=(8, 4.5), dpi=100)
right = left.twinx()
bars = left.bar(months, sales, width=20, color="tab:blue", label="sales")
(line,) = right.plot(months, rain, color="tab:red", marker="o", linewidth=3, label="rain")
left.set(title="Sales and rain, 2024 (ü, €, α²)", xlabel="month", ylabel="sales in k€", ylim=(0, 35))
right.set(ylabel="rain in mm", ylim=(0, 100))
right.axhline(50, color="tab:green", linestyle="--")
left.xaxis.set_major_formatter(mdates.DateFormatter("%b"))
left.annotate("best month", (months[6], 30), (months[8], 33), arrowprops={"arrowstyle": "->"})
left.legend(handles=[bars, line], loc="upper left")
before = left.get_position().bounds
figure.tight_layout()
print("tight_layout moved the axes:", before != left.get_position().bounds, "the same for both:", left.get_position().bounds == right.get_position().bounds)
figure.savefig(f"{OUTPUT}/two_axes.png")

data = open(f"{OUTPUT}/two_axes.png", "rb").read()
print(data[:8] == b"\x89PNG\r\n\x1a\n", struct.unpack(">II", data[16:24]), len(data) > 10_000)
print(left.get_xlabel(), "|", left.get_ylabel(), "|", right.get_ylabel(), "|", [text.get_text() for text in left.get_legend().get_texts()])
print([label.get_text() for label in left.get_xticklabels()], [float(limit) for limit in (*left.get_ylim(), *right.get_ylim())])

# --- Pixels: transform from data to the picture, and look there.
picture = plt.imread(f"{OUTPUT}/two_axes.png")
print("picture", picture.shape, picture.dtype, "corner", picture[0, 0].tolist())


def colour(axes, x, y):
    """The colour of the picture at a point in the coordinates of the axes' data."""
    across, up = axes.transData.transform((mdates.date2num(x), y))
    return picture[round(picture.shape[0] - up), round(across), :3]


for what, axes, x, y, name in [
    ("a bar", left, months[4], 5, "tab:blue"),
    ("above the bar", left, months[4], 24, "white"),
    ("the line's marker", right, months[9], rain[9], "tab:red"),
    ("beside it", right, months[9], 80, "white"),
]:
    print(what, bool(np.abs(colour(axes, x, y) - to_rgb(name)).max() < 0.02))
share = {name: float((np.abs(picture[:, :, :3] - to_rgb(name)).max(axis=2) < 0.02).mean()) for name in ("tab:blue", "tab:red", "tab:green")}
print("enough of each:", share["tab:blue"] > 0.05, share["tab:red"] > 0.005, share["tab:green"] > 0.001)
boxes = [text.get_window_extent() for text in (left.yaxis.label, right.yaxis.label, left.title, left.xaxis.label)]
print("labels are inside:", all(min(box.x0, box.y0) >= 0 and box.x1 <= 800 and box.y1 <= 450 for box in boxes))
print("text was drawn:", all((picture[round(450 - box.y1) : round(450 - box.y0), round(box.x0) : round(box.x1), :3] < 0.5).any() for box in boxes))

# --- The same as SVG, with text as text, and as PDF.
with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "wisp"}):
    figure.savefig("two_axes.svg", metadata={"Date": None})
    first = open("two_axes.svg").read()
    figure.savefig("two_axes.svg", metadata={"Date": None})
root = ET.parse("two_axes.svg").getroot()
space = "{http://www.w3.org/2000/svg}"
texts = {"".join(element.itertext()).strip() for element in root.iter(space + "text")}
print(root.tag == space + "svg", root.get("width"), root.get("height"), first == open("two_axes.svg").read())
print(sorted(texts & {"month", "sales in k€", "rain in mm", "best month", "Sales and rain, 2024 (ü, €, α²)", "sales", "rain", "Jul"}))
figure.savefig("two_axes.pdf")
print(open("two_axes.pdf", "rb").read(5))
plt.close(figure)

# --- Four plots in one picture; pandas and numpy draw too; nothing is left open.
grid, axes = plt.subplots(2, 2, figsize=(6, 6), layout="constrained", sharex="col")
frame = pd.DataFrame({"sales": sales, "rain": rain}, index=months)
frame.plot(ax=axes[0, 0], secondary_y="rain")
axes[0, 1].hist(rain, bins=4, color="C1")
axes[1, 0].fill_between(months, sales, alpha=0.3)
mesh = axes[1, 1].imshow(np.outer(sales, rain), cmap="viridis")
grid.colorbar(mesh, ax=axes[1, 1], label="product")
grid.savefig("grid.png", dpi=50)
counts, edges = np.histogram(rain, bins=4)
print([int(patch.get_height()) for patch in axes[0, 1].patches] == counts.tolist(), counts.tolist(), edges.tolist(), plt.imread("grid.png").shape)
print("correlation", round(frame["sales"].corr(frame["rain"]), 3), "open", len(plt.get_fignums()))
