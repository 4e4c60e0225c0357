"""Regression: ordinary least squares of statsmodels beside scikit-learn, diagnostics, regularisation, a logit and a Poisson model."""

import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler
from statsmodels.stats.diagnostic import het_breuschpagan
from statsmodels.stats.outliers_influence import variance_inflation_factor
from statsmodels.stats.stattools import durbin_watson

rng = np.random.default_rng(11)
size = 300
homes = pd.DataFrame(
    {
        "area": rng.uniform(30, 200, size).round(1),
        "age": rng.integers(0, 80, size, dtype=np.int64),
        "district": np.array(["centre", "east", "west"])[rng.integers(0, 3, size, dtype=np.int64)],
    }
)
bonus = homes["district"].map({"centre": 60.0, "east": 0.0, "west": 15.0})
homes["price"] = (50 + 2.5 * homes["area"] - 0.8 * homes["age"] + bonus + rng.normal(0, 20, size)).round(2)

# --- statsmodels: a formula with a categorical.
fit = smf.ols("price ~ area + age + C(district, Treatment('east'))", data=homes).fit()
table = pd.DataFrame({"coef": fit.params, "std err": fit.bse, "t": fit.tvalues}).round(3)
table.index = table.index.str.replace(r"C\(.*\)\[T\.(\w+)\]", r"\1", regex=True)
print(table.to_string())
low, high = fit.conf_int().loc["area"].round(3)
print(f"R2 {fit.rsquared:.4f} adjusted {fit.rsquared_adj:.4f} F {fit.fvalue:.1f} AIC {fit.aic:.1f} n {int(fit.nobs)} df {int(fit.df_resid)}")
print("area within", [float(low), float(high)])
summary = fit.summary().as_text()
print("summary:", len(summary.splitlines()) > 20, "Dep. Variable" in summary, "OLS Regression Results" in summary)
print("p values small:", (fit.pvalues < 0.001).tolist())
print(f"Durbin-Watson {durbin_watson(fit.resid):.3f}, Breusch-Pagan p {het_breuschpagan(fit.resid, fit.model.exog)[1]:.3f}")
factors = sm.add_constant(homes[["area", "age"]])
print("VIF", [round(float(variance_inflation_factor(factors.to_numpy(), number)), 3) for number in (1, 2)])
new = pd.DataFrame({"area": [50.0, 120.0], "age": [10, 40], "district": ["centre", "west"]})
print(fit.get_prediction(new).summary_frame(alpha=0.05)[["mean", "mean_ci_lower", "mean_ci_upper"]].round(1).to_string(index=False))
robust = fit.get_robustcov_results("HC3")
print("robust:", np.round(robust.bse[-2:], 3).tolist(), "worst residual:", int(fit.get_influence().resid_studentized_internal.argmax()))

# --- The same by scikit-learn.
encode = ColumnTransformer([("district", OneHotEncoder(drop=["east"]), ["district"])], remainder="passthrough")
model = make_pipeline(encode, LinearRegression()).fit(homes.drop(columns="price"), homes["price"])
line = model[-1]
print("scikit-learn:", line.coef_.round(3).tolist(), round(float(line.intercept_), 3), "equal:", bool(np.allclose(model.predict(homes), fit.fittedvalues)))
folds = KFold(5, shuffle=True, random_state=0)
features = homes[["area", "age"]]
for name, estimator in [("plain", LinearRegression()), ("ridge", Ridge(50.0)), ("lasso", Lasso(5.0))]:
    chain = make_pipeline(StandardScaler(), estimator)
    scores = cross_val_score(chain, features, homes["price"], cv=folds, scoring="r2")
    fitted = chain.fit(features, homes["price"])
    print(f"{name} R2 {scores.mean():.3f} coef {fitted[-1].coef_.round(2).tolist()} MAE {mean_absolute_error(homes['price'], fitted.predict(features)):.2f}")
curve = np.linspace(-2, 2, 50)
target = 1 - 2 * curve + 0.5 * curve**3
cubic = make_pipeline(PolynomialFeatures(3), LinearRegression()).fit(curve[:, None], target)
print("cubic:", (cubic[-1].coef_.round(6) + 0.0).tolist()[1:], round(r2_score(target, cubic.predict(curve[:, None])), 6))
print("polyfit:", (np.polyfit(curve, target, 3).round(6) + 0.0).tolist())

# --- Generalised: sold or not, and visits by count.
odds = -4 + 0.03 * homes["area"]
homes["sold"] = (rng.uniform(size=size) < 1 / (1 + np.exp(-odds))).astype("int64")
homes["visits"] = rng.poisson(np.exp(0.5 + 0.01 * homes["area"])).astype("int64")
logit = smf.logit("sold ~ area", data=homes).fit(disp=False)
plain = LogisticRegression(C=np.inf, tol=1e-8, max_iter=1000).fit(homes[["area"]], homes["sold"])
print(f"logit {logit.params['area']:.4f} {logit.params['Intercept']:.3f} pseudo R2 {logit.prsquared:.4f}, scikit-learn {plain.coef_[0, 0]:.4f}")
poisson = smf.glm("visits ~ area", data=homes, family=sm.families.Poisson()).fit()
print(f"poisson {poisson.params['area']:.4f} deviance {poisson.deviance:.2f} converged {poisson.converged}")
print(sm.stats.anova_lm(smf.ols("price ~ C(district)", data=homes).fit())[["df", "F"]].round(2).to_string())
