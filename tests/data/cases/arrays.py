"""Arrays: numpy's broadcasting, indexing, record arrays, masks, dates, einsum, random streams, errors; files are in array_files.py."""

import warnings
from fractions import Fraction

import numpy as np

rng = np.random.default_rng(12345)

# --- Random streams are the same on every machine.
print(rng.integers(0, 1000, 6, dtype=np.int64).tolist(), rng.random(3).round(6).tolist(), rng.normal(size=3).round(6).tolist())
print(rng.permutation(8).tolist(), rng.choice(["a", "b", "c"], 5, p=[0.5, 0.3, 0.2]).tolist(), rng.poisson(4, 4).tolist(), rng.beta(2, 3, 2).round(6).tolist())
print(np.random.RandomState(0).rand(2).round(6).tolist(), np.random.RandomState(0).permutation(5).tolist())
print(np.random.default_rng([1, 2]).integers(0, 99, 3, dtype=np.int64).tolist())
streams = [np.random.Generator(np.random.PCG64(seed)).random() for seed in np.random.SeedSequence(7).spawn(2)]
print([round(value, 6) for value in streams], round(np.random.Generator(np.random.MT19937(5)).random(), 6))
print(round(np.random.Generator(np.random.Philox(5)).random(), 6))

# --- Shapes.
grid = np.arange(24, dtype=np.int64).reshape(2, 3, 4)
print(grid[:, ::-1, 1:3].tolist(), grid[..., -1].sum(), grid.transpose(2, 0, 1).shape, grid.strides, np.swapaxes(grid, 0, 2)[3, 2, 1])
print((grid[0] - grid[0].mean(axis=0, keepdims=True)).tolist()[0], np.einsum("ijk,ilk->jl", grid, grid).tolist()[0])
print(np.tensordot(grid, grid, axes=([0, 2], [0, 2])).trace())
print(grid[grid % 7 == 3].tolist(), np.where(grid[0] > 5, grid[0], -1).tolist()[1])
print(np.take_along_axis(grid[0], grid[0].argmax(axis=1)[:, None], 1).ravel().tolist())
windows = np.lib.stride_tricks.sliding_window_view(np.arange(6, dtype=np.int64), 3)
print(windows.sum(axis=1).tolist(), np.pad(np.ones((2, 2), dtype=np.int64), 1).tolist()[1])
print(np.block([[np.eye(1), np.zeros((1, 1))], [np.ones((1, 2))]]).tolist())
values, inverse, counts = np.unique(np.array(list("banana")), return_inverse=True, return_counts=True)
print(values.tolist(), inverse.tolist(), counts.tolist(), np.searchsorted([1, 3, 5], [0, 3, 6]).tolist())
print(np.intersect1d([1, 2, 3], [3, 1]).tolist(), np.lexsort(([1, 0, 1], [2, 2, 1])).tolist())
print(np.add.reduceat(np.arange(8, dtype=np.int64), [0, 3, 5]).tolist(), np.maximum.accumulate([1, 5, 2, 7]).tolist())
print(np.partition([5, 1, 4, 2], 1)[:2].tolist(), np.digitize([0.5, 2.5], [1, 2]).tolist())

# --- Numbers: overflow, division, precision, sums; big and exact ones.
with warnings.catch_warnings(), np.errstate(all="ignore"):
    warnings.simplefilter("ignore")
    print((np.array([200], dtype=np.uint8) + np.uint8(100)).tolist(), (np.array([2**31 - 1], dtype=np.int32) + np.int32(1)).tolist())
    print((np.array([1.0, 0.0, -1.0]) / 0).tolist(), np.float32(16777217))
print(np.int64(2) ** 62, np.array([2**63], dtype=np.uint64)[0], np.iinfo(np.int32).max, np.finfo(np.float64).eps == 2.0**-52)
print(round(float(np.float32(0.1)), 9), np.float16(65504))
print(sum([0.1] * 10) == 1.0, np.isclose(sum([0.1] * 10), 1), np.nansum([1, np.nan]), np.nanargmax([np.nan, 2, 1]))
print(np.array([Fraction(1, 3), Fraction(2, 3)]).sum(), np.gcd.reduce([12, 18, 30]))
try:
    np.array([1, 2, 3]) + np.array([1, 2])
except ValueError as error:
    print("ValueError:", error)
try:
    np.uint8(300)
except OverflowError:
    print("OverflowError")

# --- Algebra.
a = np.array([[4.0, 1.0], [2.0, 3.0]])
values = np.sort(np.linalg.eigvals(a).real)
print(values.round(6).tolist(), np.linalg.det(a).round(6), np.linalg.inv(a).round(6).tolist(), np.linalg.matrix_rank(np.outer([1, 2], [3, 4])))
print(np.linalg.norm([3, 4]), np.linalg.cond(np.eye(3)))
b = rng.normal(size=(40, 30))
q, r = np.linalg.qr(b)
print(np.allclose(q @ r, b), np.allclose(b @ np.linalg.pinv(b) @ b, b), np.allclose(np.fft.ifft(np.fft.fft(b, axis=0), axis=0).real, b))
print(np.allclose(b.T @ b, np.einsum("ki,kj->ij", b, b)))
print(np.polynomial.Polynomial([6, -5, 1]).roots().round(6).tolist(), np.trapezoid([1, 2, 3]), np.gradient([1.0, 4.0, 9.0]).tolist())
print(np.interp(2.5, [1, 2, 3], [10, 20, 30]), np.cross([1, 0, 0], [0, 1, 0]).tolist())

# --- Records, masks, text, dates.
people = np.array([("Ada", 36, 1.7), ("Bo", 19, 1.8)], dtype=[("name", "U8"), ("age", "<i4"), ("height", "<f8")])
print(np.sort(people, order="age")["name"].tolist(), people[people["age"] > 20].tolist(), people.dtype.itemsize, people.view(np.recarray).height.tolist())
masked = np.ma.masked_greater([1, 99, 3], 50)
print(masked.mean(), masked.filled(0).tolist(), np.char.upper(np.array(["ab", "ç"])).tolist(), np.strings.find(np.array(["hello", "yellow"]), "l").tolist())
days = np.arange("2024-02-27", "2024-03-02", dtype="datetime64[D]")
print(days.astype("str").tolist(), (days[-1] - days[0]).astype("int64"), days.astype("datetime64[M]").astype("str")[-1])
print(np.datetime64("2024-01-01T10:30") - np.timedelta64(45, "m"), np.isnat(np.datetime64("NaT", "D")))

# --- As text.
print(np.array2string(np.array([[1.0, 2.5], [1e-3, 4]]), precision=3, suppress_small=True), np.array(["a", None], dtype=object).tolist())
print(f"{np.float64(1) / 3:.4f}")
