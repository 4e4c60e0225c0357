"""Statistical plots by seaborn and pandas: a heat map, boxes, regression lines, facets; the picture has what was asked for."""

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns

rng = np.random.default_rng(8)
size = 240
birds = pd.DataFrame({"species": np.repeat(["finch", "gull", "swan"], size // 3), "sex": np.tile(["f", "m"], size // 2)})
centre = birds["species"].map({"finch": 10.0, "gull": 30.0, "swan": 60.0})
birds["wing"] = (centre + birds["sex"].map({"f": 0.0, "m": 2.0}) + rng.normal(0, 2, size)).round(1)
birds["weight"] = (birds["wing"] * 12 + rng.normal(0, 20, size)).round(0)
birds["age"] = rng.integers(1, 9, size, dtype=np.int64)
print(birds.groupby(["species", "sex"])["wing"].median().unstack().round(0).astype("int64").to_dict("index"))

sns.set_theme(style="whitegrid", palette="deep")
figure, axes = plt.subplots(2, 2, figsize=(8, 7), layout="constrained")
correlation = birds[["wing", "weight", "age"]].corr()
sns.heatmap(correlation, annot=True, fmt=".2f", cmap="vlag", vmin=-1, vmax=1, ax=axes[0, 0])
sns.boxplot(birds, x="species", y="wing", hue="sex", ax=axes[0, 1])
sns.regplot(birds, x="wing", y="weight", scatter_kws={"s": 8}, ax=axes[1, 0], seed=1, n_boot=100)
sns.histplot(birds, x="wing", hue="species", bins=20, kde=True, ax=axes[1, 1])
figure.savefig("birds.png", dpi=60)
print("picture", plt.imread("birds.png").shape)
print("annotations", sorted({text.get_text() for text in axes[0, 0].texts})[-2:], "diagonal", [round(float(value), 6) for value in np.diag(correlation)])
print("boxes:", [label.get_text() for label in axes[0, 1].get_xticklabels()], [text.get_text() for text in axes[0, 1].get_legend().get_texts()])
print(axes[0, 1].get_ylabel())
slope = np.polyfit(*axes[1, 0].lines[0].get_data(), 1)[0]
print("slope", round(float(slope), 1), "bars", sum(round(patch.get_height()) for patch in axes[1, 1].patches), "curves", len(axes[1, 1].lines))
plt.close(figure)

grid = sns.relplot(birds, x="age", y="weight", col="species", hue="sex", height=2, aspect=1, facet_kws={"sharey": False})
print("facets", [axis.get_title() for axis in grid.axes.flat], len(grid.axes.flat[0].collections[0].get_offsets()))
grid.savefig("facets.svg")
print("SVG", open("facets.svg").read().count("<path") > 50)
pairs = sns.pairplot(birds[["wing", "weight", "species"]], hue="species", height=1.5, diag_kind="hist")
print("pairs", pairs.axes.shape)
counts = sns.countplot(birds, x="age", ax=plt.subplots()[1])
print("counts", [int(patch.get_height()) for patch in counts.patches] == birds["age"].value_counts().sort_index().tolist())
plt.close("all")

# --- Plots by pandas; three dimensions; a contour; text as mathematics; colours by value.
axis = birds.pivot_table(index="age", columns="species", values="weight", aggfunc="mean", observed=True).plot.area(stacked=True, figsize=(4, 3))
print("areas", len(axis.collections), [text.get_text() for text in axis.get_legend().get_texts()])
pd.plotting.scatter_matrix(birds[["wing", "age"]])
space = plt.figure(figsize=(4, 3)).add_subplot(projection="3d")
u, v = np.meshgrid(np.linspace(-2, 2, 20), np.linspace(-2, 2, 20))
surface = space.plot_surface(u, v, np.exp(-(u**2) - v**2), cmap="viridis")
space.set_title(r"$z = e^{-x^2 - y^2}$")
space.figure.savefig("surface.png", dpi=50)
print("surface", plt.imread("surface.png").shape, len({tuple(colour) for colour in plt.imread("surface.png").reshape(-1, 4).round(2).tolist()}) > 50)
flat = plt.figure(figsize=(3, 3)).add_subplot(polar=True)
flat.fill([0, 2, 4], [1, 2, 1.5], alpha=0.4)
contour = plt.figure().add_subplot().contour(u, v, u**2 + v**2, levels=[1, 4])
radius = [float(np.hypot(*path.vertices.T).mean().round(1)) for path in contour.get_paths()]
print("contours at", radius, "hues", [tuple(round(part, 2) for part in sns.color_palette("deep")[0])])
print(matplotlib.colormaps["viridis"](0.0)[:3] == plt.get_cmap("viridis")(0)[:3])
print("open", len(plt.get_fignums()), [plt.close("all"), len(plt.get_fignums())][1])
