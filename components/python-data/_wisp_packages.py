"""What is said in this image about what is missing: which packages with native code are here, and what to use in place of the others."""

from _wisp import advice, refusals

_TABLE = "use pandas, numpy or sqlite3"
_TENSORS = "there is no library for tensors here; use numpy, and scikit-learn for models (sklearn.neural_network has perceptrons)"
_TREES = "use sklearn.ensemble: HistGradientBoostingClassifier and HistGradientBoostingRegressor"
_NO_PARQUET = "nothing here reads Parquet or Arrow; keep tables as CSV, JSON, Excel or pickle, or in sqlite3"
_NO_HDF5 = "nothing here reads HDF5; use numpy.savez, pickle or sqlite3"

#: Packages with native code that are not here, by module: what to use instead. The others are those of `advice`.
_INSTEAD = {
    "polars": _TABLE,
    "duckdb": _TABLE,
    "pyarrow": _NO_PARQUET,
    "fastparquet": _NO_PARQUET,
    "h5py": _NO_HDF5,
    "tables": _NO_HDF5,
    "netCDF4": "scipy.io.netcdf_file reads and writes NetCDF 3",
    "bokeh": "use matplotlib",
    "cv2": "use PIL with numpy and scipy.ndimage",
    "skimage": "use scipy.ndimage, PIL and numpy",
    "fitz": "pypdf reads and reportlab writes PDF",
    "pdfplumber": "pypdf reads the text of a PDF",
    "torch": _TENSORS,
    "tensorflow": _TENSORS,
    "keras": _TENSORS,
    "jax": _TENSORS,
    "transformers": _TENSORS,
    "xgboost": _TREES,
    "lightgbm": _TREES,
    "catboost": _TREES,
    "prophet": "use statsmodels.tsa",
    "numba": "use whole arrays of numpy in place of loops",
    "cvxpy": "use scipy.optimize: linprog, milp, minimize",
    "ortools": "use scipy.optimize: linprog, milp, linear_sum_assignment",
    "igraph": "use networkx",
    "shapely": "use scipy.spatial and matplotlib.path",
    "geopandas": "use pandas, scipy.spatial and matplotlib.path",
    "spacy": "use re, regex and sklearn.feature_extraction.text",
    "tiktoken": "it has no substitute here; estimate: a token is some four characters of English, or three of code",
}

#: Packages that are pure Python, and need of native code only what is here.
_PURE = {"docx": "python-docx", "pptx": "python-pptx", "nltk": "nltk", "xarray": "xarray"}

#: What to use here instead of packages of pure Python, where pip has neither an index nor wheels.
_PURE_INSTEAD = {"plotly": "use matplotlib", "altair": "use matplotlib or seaborn", "pygal": "use matplotlib", "dask": _TABLE}


def install():
    """Change the tables of `_wisp`."""
    for name in (*advice.OF_DATA, *_PURE, "reportlab"):
        advice.NATIVE.pop(name, None)
    advice.NATIVE.update(_INSTEAD)
    advice.WHEELS.update(_PURE)
    advice.PURE_INSTEAD.update(_PURE_INSTEAD)
    advice.here = advice.OF_DATA
    refusals.MISSING_MODULES["_zstd"] = "it is not in the data image; the programs zstd and unzstd are here"
