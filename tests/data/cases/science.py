"""SciPy: optimise, fit, interpolate, integrate, differential equations, tests of statistics, FFT and filters, sparse and dense algebra."""

import numpy as np
from scipy import constants, fft, integrate, interpolate, linalg, ndimage, optimize, signal, sparse, spatial, special, stats
from scipy.sparse import csgraph
from scipy.sparse import linalg as sparse_linalg

rng = np.random.default_rng(42)


def show(name, *values):
    """Numbers with six digits, without a negative zero."""
    print(name, *((np.round(np.asarray(value, dtype=np.float64), 6) + 0.0).tolist() for value in values))


# --- Optimise.
for method in ("BFGS", "Nelder-Mead", "L-BFGS-B"):
    found = optimize.minimize(optimize.rosen, [-1.2, 1.0], method=method, options={"maxiter": 2000})
    print("minimum by", method, found.success, bool(np.allclose(found.x, 1, atol=1e-3)))
limit = {"type": "ineq", "fun": lambda x: 3 - x.sum()}
bound = optimize.minimize(lambda x: (x[0] - 3) ** 2 + (x[1] - 2) ** 2, [0, 0], method="SLSQP", constraints=limit, bounds=[(0, None)] * 2)
print("with a constraint", bound.x.round(4).tolist())
show("root", optimize.brentq(lambda x: np.cos(x) - x, 0, 1))
plan = optimize.linprog([-40, -30], A_ub=[[2, 1], [1, 1]], b_ub=[100, 80], method="highs")
show("linear programme", plan.x, -plan.fun)
costs = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
print("assignment", costs[optimize.linear_sum_assignment(costs)].tolist())
time = np.linspace(0, 5, 60)
decay = 3.0 * np.exp(-1.2 * time) + 0.5 + rng.normal(0, 0.02, 60)
fitted, covariance = optimize.curve_fit(lambda t, a, b, c: a * np.exp(-b * t) + c, time, decay, p0=[1, 1, 0])
print("fit", fitted.round(3).tolist(), "errors small:", bool((np.sqrt(np.diag(covariance)) < 0.05).all()))

# --- Interpolate, integrate, solve.
knots = np.linspace(0, 2 * np.pi, 9)
spline = interpolate.CubicSpline(knots, np.sin(knots), bc_type="periodic")
print("spline", round(float(spline(1.0)), 4), "area", round(abs(float(spline.integrate(0, np.pi)) - 2), 3))
print("pchip", round(float(interpolate.PchipInterpolator([0, 1, 2], [0, 1, 1])(1.5)), 4))
grid = interpolate.RegularGridInterpolator((np.arange(4.0), np.arange(5.0)), np.add.outer(np.arange(4.0), 10 * np.arange(5.0)))
show("grid", grid([[1.5, 2.5]])[0], interpolate.griddata([[0, 0], [0, 1], [1, 0], [1, 1]], [0.0, 1.0, 2.0, 3.0], [[0.25, 0.5]])[0])
show("integral", integrate.quad(lambda x: np.exp(-(x**2)), -np.inf, np.inf)[0] ** 2 / np.pi, integrate.dblquad(lambda y, x: x * y, 0, 2, 0, 1)[0])
show("simpson", integrate.simpson(np.sin(knots[:5]), x=knots[:5]), integrate.trapezoid(np.sin(knots[:5]), x=knots[:5]))
orbit = integrate.solve_ivp(lambda t, y: [y[1], -y[0]], (0, np.pi), [1.0, 0.0], rtol=1e-9, atol=1e-9, events=lambda t, y: y[0])
print("oscillator", orbit.success, (orbit.y[:, -1].round(5) + 0.0).tolist(), "zero at", round(float(orbit.t_events[0][0]), 5))

# --- Statistics.
before, after = rng.normal(10, 2, 80), rng.normal(11, 2, 80)
result = stats.ttest_ind(before, after, equal_var=False)
print(f"t {result.statistic:.3f} p {result.pvalue:.4f} U p {stats.mannwhitneyu(before, after).pvalue:.4f}")
print(f"normal p {stats.shapiro(before).pvalue:.3f} KS p {stats.ks_2samp(before, after).pvalue:.4f}")
table = stats.chi2_contingency([[30, 10, 20], [20, 25, 15]])
print(f"chi2 {table.statistic:.3f} dof {table.dof} p {table.pvalue:.4f} fisher {stats.fisher_exact([[8, 2], [1, 5]]).pvalue:.4f}")
print(f"anova {stats.f_oneway(before, after, after + 1).statistic:.2f} slope {stats.linregress(time, 2 * time + 1).slope:.6f}")
both = before + after
print(f"pearson {stats.pearsonr(before, both).statistic:.4f} spearman {stats.spearmanr(before, both).statistic:.4f}")
show("distributions", stats.norm.ppf(0.975), stats.binom.pmf(3, 10, 0.5), stats.poisson(4).cdf(2), stats.t.interval(0.95, 9)[1])
show("fitted", stats.gamma.fit(np.arange(1.0, 9.0), floc=0)[0], stats.norm.fit([1, 2, 3])[1])
boot = stats.bootstrap((before,), np.mean, n_resamples=500, random_state=np.random.default_rng(1)).confidence_interval
print("bootstrap around the mean:", bool(boot.low < before.mean() < boot.high))
print("special", round(float(special.gamma(5.5)), 4), round(float(special.erf(0.5)), 6), int(special.comb(30, 12, exact=True)), constants.c)

# --- Signals: two tones in noise, found by the FFT; a filter removes one.
rate = 1000
t = np.arange(0, 2, 1 / rate)
wave = np.sin(2 * np.pi * 50 * t) + 0.5 * np.sin(2 * np.pi * 120 * t) + rng.normal(0, 0.2, t.size)
spectrum, frequencies = np.abs(fft.rfft(wave)) / t.size * 2, fft.rfftfreq(t.size, 1 / rate)
peaks, _ = signal.find_peaks(spectrum, height=0.3)
print("tones", frequencies[peaks].tolist(), spectrum[peaks].round(1).tolist(), "inverse:", bool(np.allclose(fft.irfft(fft.rfft(wave), t.size), wave)))
low = signal.sosfiltfilt(signal.butter(4, 80, fs=rate, output="sos"), wave)
left = np.abs(fft.rfft(low)) / t.size * 2
print("after the filter:", bool(left[peaks[0]] > 0.9), bool(left[peaks[1]] < 0.05))
bins, power = signal.welch(wave, rate, nperseg=500)
print("welch at", float(bins[power.argmax()]))
print("convolution agrees:", bool(np.allclose(signal.fftconvolve(wave, np.ones(9), "same"), np.convolve(wave, np.ones(9), "same"))))
print("2-d", bool(np.allclose(fft.ifft2(fft.fft2(np.eye(16))).real, np.eye(16))))

# --- Algebra and space.
matrix = rng.normal(size=(60, 60)) + 60 * np.eye(60)
u, s, vt = linalg.svd(matrix)
print("svd", bool(np.allclose(u * s @ vt, matrix)), "solve", bool(np.allclose(matrix @ linalg.solve(matrix, before[:60]), before[:60])))
print("eig", bool(np.isclose(linalg.eigvals(matrix).sum().real, np.trace(matrix))))
print("expm", linalg.expm(np.array([[0.0, 1.0], [-1.0, 0.0]])).round(4).tolist()[0])
print("lstsq", np.linalg.lstsq([[1, 0], [1, 1], [1, 2]], [1, 3, 5])[0].round(6).tolist())
laplace = sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(200, 200), format="csc")
print("sparse", laplace.nnz, bool(np.allclose(laplace @ sparse_linalg.spsolve(laplace, np.ones(200)), 1)))
print(round(float(sparse_linalg.eigsh(laplace, k=1, which="LM", return_eigenvectors=False)[0]), 5))
tree = spatial.cKDTree(np.column_stack([before, after]))
print("nearest", bool((tree.query(tree.data, k=1)[1] == np.arange(80)).all()))
print("hull", round(float(spatial.ConvexHull([[0, 0], [2, 0], [2, 1], [0, 1], [1, 0.5]]).volume), 6))
print("triangles", len(spatial.Delaunay([[0, 0], [1, 0], [0, 1], [1, 1.1]]).simplices))
print("shortest", csgraph.dijkstra(sparse.csr_array([[0, 7, 2], [0, 0, 0], [0, 3, 0]]), indices=0).tolist())
print("parts", ndimage.label([[1, 1, 0], [0, 0, 0], [0, 1, 1]])[1])
