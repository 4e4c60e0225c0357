"""Classification: a pipeline over mixed columns with missing values, cross-validation, a search of parameters, metrics, a model kept in a file."""

import pickle

import joblib
import numpy as np
import pandas as pd
from sklearn.calibration import calibration_curve
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, IsolationForest, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import classification_report, confusion_matrix, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

rng = np.random.default_rng(99)
size = 600
loans = pd.DataFrame(
    {
        "income": rng.lognormal(8, 0.4, size).round(),
        "debt": rng.uniform(0, 1, size).round(3),
        "job": np.array(["clerk", "engineer", "farmer", "none"])[rng.integers(0, 4, size, dtype=np.int64)],
        "noise": rng.normal(0, 1, size),
    }
)
risk = 6 * loans["debt"] - loans["income"] / 1500 + loans["job"].map({"clerk": 0.0, "engineer": -1.5, "farmer": 0.5, "none": 2.0})
target = (risk + rng.normal(0, 0.5, size) > 1).astype("int64").rename("default")
loans.loc[rng.choice(size, 40, replace=False), "income"] = np.nan
loans.loc[rng.choice(size, 25, replace=False), "job"] = None
print(loans.isna().sum().to_dict(), "share", round(float(target.mean()), 3))
train_x, test_x, train_y, test_y = train_test_split(loans, target, test_size=0.3, random_state=0, stratify=target)
print(train_x.shape, test_x.shape, int(train_y.sum()), int(test_y.sum()))

numbers = Pipeline([("fill", SimpleImputer(strategy="median", add_indicator=True)), ("scale", StandardScaler())])
words = Pipeline(
    [("fill", SimpleImputer(strategy="constant", fill_value="unknown", missing_values=np.nan)), ("encode", OneHotEncoder(handle_unknown="ignore"))]
)
prepare = ColumnTransformer([("numbers", numbers, ["income", "debt", "noise"]), ("words", words, ["job"])])
model = Pipeline([("prepare", prepare), ("fit", LogisticRegression(max_iter=1000, tol=1e-8))]).fit(train_x, train_y)
print(prepare.fit(train_x).get_feature_names_out().tolist())
predicted = model.predict(test_x)
auc = roc_auc_score(test_y, model.predict_proba(test_x)[:, 1])
print("confusion", confusion_matrix(test_y, predicted).tolist(), "AUC", round(float(auc), 3))
report = classification_report(test_y, predicted, output_dict=True)
print({name: round(float(report["1"][name]), 3) for name in ("precision", "recall", "f1-score")}, "accuracy", round(float(report["accuracy"]), 3))
print("signs:", np.sign(model["fit"].coef_[0][:2]).tolist())
print("a word never seen:", model.predict(pd.DataFrame({"income": [2000.0], "debt": [0.95], "job": ["astronaut"], "noise": [0.0]})).tolist())

# --- Search, with folds that keep the shares.
folds = StratifiedKFold(4, shuffle=True, random_state=0)
search = GridSearchCV(model, {"fit__C": [0.0001, 1.0]}, cv=folds, scoring="roc_auc").fit(train_x, train_y)
print("best", search.best_params_, "better than chance:", bool(search.best_score_ > 0.9), len(search.cv_results_["mean_test_score"]))
for name, estimator in [
    ("forest", RandomForestClassifier(60, random_state=0)),
    ("boosting", GradientBoostingClassifier(n_estimators=40, random_state=0)),
    ("histogram boosting", HistGradientBoostingClassifier(max_iter=40, random_state=0)),
    ("vectors", SVC(random_state=0)),
]:
    scores = cross_val_score(Pipeline([("prepare", prepare), ("fit", estimator)]), train_x, train_y, cv=folds, scoring="roc_auc")
    print(name, "at least 0.9:", bool(scores.mean() > 0.9), "steady:", bool(scores.std() < 0.05))

# --- What matters; outliers; calibration.
forest = Pipeline([("prepare", prepare), ("fit", RandomForestClassifier(80, min_samples_leaf=3, random_state=1))]).fit(train_x, train_y)
importance = permutation_importance(forest, test_x, test_y, n_repeats=5, random_state=0)
order = loans.columns[np.argsort(importance.importances_mean)[::-1]].tolist()
print("most important", order[0], "the noise is small:", bool(importance.importances_mean[3] < 0.03))
strange = np.vstack([rng.normal(0, 1, (200, 2)), [[9.0, 9.0], [-9.0, 9.0]]])
found = IsolationForest(random_state=0, contamination=0.01).fit_predict(strange)
print("outliers", sorted(np.flatnonzero(found == -1).tolist())[-2:])
share, mean = calibration_curve(test_y, model.predict_proba(test_x)[:, 1], n_bins=3)
print("calibrated:", bool(np.abs(share - mean).max() < 0.25))

# --- The model survives a file.
joblib.dump(model, "model.joblib", compress=3)
with open("model.pickle", "wb") as file:
    pickle.dump(forest, file)
with open("model.pickle", "rb") as file:
    again = pickle.load(file)
print("kept:", bool((joblib.load("model.joblib").predict(test_x) == predicted).all()), bool((again.predict(test_x) == forest.predict(test_x)).all()))
