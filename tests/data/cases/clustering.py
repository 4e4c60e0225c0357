"""Clustering: KMeans, silhouettes, PCA, DBSCAN and a hierarchy find groups that were put there; the labels are made comparable."""

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import adjusted_rand_score, confusion_matrix, silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, export_text

rng = np.random.default_rng(3)
centres = np.array([[20.0, 1.0, 5.0, 0.0], [60.0, 8.0, 5.0, 1.0], [40.0, 4.0, 30.0, 0.5], [90.0, 2.0, 15.0, 0.2]])
sizes = [60, 50, 70, 40]
truth = np.repeat(np.arange(4, dtype=np.int64), sizes)
shoppers = pd.DataFrame(centres[truth] + rng.normal(0, 1, (220, 4)) * [4.0, 0.6, 2.0, 0.1], columns=["age", "visits", "basket", "returns"])
order = rng.permutation(220)
shoppers, truth = shoppers.iloc[order].reset_index(drop=True), truth[order]
scaler = StandardScaler().fit(shoppers)
points = scaler.transform(shoppers)
print(shoppers.describe().loc[["mean", "std", "min", "max"]].round(2).to_string())

# How many clusters? The silhouette is largest at the right number.
scores = {}
for count in range(2, 8):
    labels = KMeans(count, n_init=10, random_state=0).fit_predict(points)
    scores[count] = silhouette_score(points, labels)
best = max(scores, key=scores.get)
print("silhouettes", {count: round(float(scores[count]), 3) for count in (3, 4)}, "best", best)

model = KMeans(best, n_init=10, random_state=0).fit(points)
shoppers["cluster"] = model.labels_
profile = shoppers.groupby("cluster").mean().sort_values("age", ignore_index=True)
sizes_found = sorted(np.bincount(model.labels_).tolist())
print(profile.round(2).to_string(), f"\nsizes {sizes_found} inertia {model.inertia_:.2f} agreement {adjusted_rand_score(truth, model.labels_):.3f}")
youngest = shoppers.groupby("cluster")["age"].mean().idxmin()
new = pd.DataFrame([[22.0, 1.0, 6.0, 0.1]], columns=shoppers.columns[:4])
print("a new shopper belongs to the youngest:", bool(model.predict(scaler.transform(new))[0] == youngest))

# Two dimensions keep most of the variance; clusters there are the same.
pca = PCA().fit(points)
print("explained", pca.explained_variance_ratio_.round(3).tolist(), "two:", round(float(pca.explained_variance_ratio_[:2].sum()), 3))
flat = PCA(2).fit_transform(points)
print("orthogonal:", bool(np.allclose(pca.components_ @ pca.components_.T, np.eye(4))), "mean", (np.abs(flat.mean(axis=0)).round(6)).tolist())
loading = pd.Series(np.abs(pca.components_[0]), index=shoppers.columns[:4])
print("first component:", loading.round(3).to_dict())
in_two = KMeans(4, n_init=10, random_state=0).fit_predict(flat)
print("agreement in two dimensions at least 0.95:", bool(adjusted_rand_score(truth, in_two) >= 0.95))

# Others.
print("ward", round(adjusted_rand_score(truth, AgglomerativeClustering(4).fit_predict(points)), 3))
print("scipy", round(adjusted_rand_score(truth, fcluster(linkage(points, "ward"), 4, "maxclust")), 3))
mixture = GaussianMixture(4, random_state=0, n_init=3).fit(points)
print("mixture", round(adjusted_rand_score(truth, mixture.predict(points)), 3), mixture.converged_, np.sort(mixture.weights_).round(2).tolist())
angles = np.linspace(0, np.pi, 60)
moons = np.vstack([np.column_stack([np.cos(angles), np.sin(angles)]), np.column_stack([1 - np.cos(angles), 0.4 - np.sin(angles)])])
dense = DBSCAN(eps=0.15, min_samples=3).fit(np.vstack([moons, [[5, 5]]]))
halves = KMeans(2, n_init=5, random_state=0).fit_predict(moons)
print("two moons:", np.bincount(dense.labels_ + 1).tolist(), "KMeans cannot:", bool(adjusted_rand_score(np.repeat([0, 1], 60), halves) < 0.5))
distances, _ = NearestNeighbors(n_neighbors=2).fit(points).kneighbors(points)
print("mean distance to the neighbour", round(float(distances[:, 1].mean()), 3))

# With labels: a tree explains the clusters, a forest and neighbours predict held-out ones.
tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(shoppers[["age", "basket"]], truth)
rules = export_text(tree, feature_names=["age", "basket"], decimals=1)
print("rules", rules.count("class:"), "accuracy", round(tree.score(shoppers[["age", "basket"]], truth), 3))
train_x, test_x, train_y, test_y = train_test_split(points, truth, test_size=0.25, stratify=truth, random_state=1)
for name, classifier in [("forest", RandomForestClassifier(30, random_state=0)), ("neighbours", KNeighborsClassifier(5))]:
    print(name, confusion_matrix(test_y, classifier.fit(train_x, train_y).predict(test_x)).tolist())
blobs, groups = make_blobs(n_samples=[5, 6], centers=[[0, 0], [9, 9]], cluster_std=0.1, random_state=0)
print("blobs", blobs.shape, np.bincount(groups).tolist())
