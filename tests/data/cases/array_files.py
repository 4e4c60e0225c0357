"""Files of arrays: npy and npz, raw bytes by name and by open file, text, memory maps, MATLAB, WAV, Matrix Market, pickles."""

import io
import os
import pickle
import zipfile

import numpy as np
import scipy.io
import scipy.sparse
from scipy.io import wavfile

rng = np.random.default_rng(6)
table = rng.normal(size=(40, 30))
numbers = np.arange(6, dtype="<i8")
people = np.array([("Ada", 36, 1.7), ("Bo", 19, 1.8)], dtype=[("name", "<U8"), ("age", "<i4"), ("height", "<f8")])

# --- numpy's own format, and archives of it.
np.save("table.npy", table)
np.savez_compressed("two.npz", table=table, people=people)
with np.load("two.npz") as kept:
    print(sorted(kept.files), bool((kept["table"] == table).all()), kept["people"]["name"].tolist(), zipfile.ZipFile("two.npz").testzip())
print("npy:", bool((np.load("table.npy") == table).all()), os.path.getsize("table.npy") - table.nbytes, np.lib.format.open_memmap("table.npy", mode="r").shape)
try:
    np.load(io.BytesIO(b"no array"))
except (ValueError, pickle.UnpicklingError) as error:
    print("refused:", isinstance(error, (ValueError, pickle.UnpicklingError)))

# --- Text.
text = io.StringIO()
np.savetxt(text, [[1.5, 2], [3, 4]], fmt="%.2f", delimiter=",", header="x,y")
print(text.getvalue().splitlines(), np.loadtxt(io.StringIO(text.getvalue()), delimiter=",").sum())
print(np.genfromtxt(io.StringIO("4,x,6\n1,,3"), delimiter=",", filling_values=-1).tolist(), np.genfromtxt(io.StringIO("a b\n1 2\n"), names=True).dtype.names)
np.savetxt("table.txt.gz", table)
print("text:", bool(np.allclose(np.loadtxt("table.txt.gz"), table)), np.loadtxt("table.txt.gz", usecols=(0, 2), max_rows=5).shape)

# --- Memory maps: changes reach the file.
mapped = np.memmap("map.bin", dtype="<f4", mode="w+", shape=(100, 10))
mapped[5] = 7
mapped.flush()
del mapped
again = np.memmap("map.bin", dtype="<f4", mode="r+", shape=(100, 10))
again[6, 0] = 1.5
again.flush()
print("mapped:", float(np.memmap("map.bin", dtype="<f4", mode="r").sum()), os.path.getsize("map.bin"))
print(np.load("table.npy", mmap_mode="r")[3].tolist() == table[3].tolist())

# --- Other programs' formats.
scipy.io.savemat("m.mat", {"numbers": numbers.astype("<f8"), "name": "wisp"})
loaded = scipy.io.loadmat("m.mat")
print("MATLAB:", loaded["numbers"].tolist(), loaded["name"].tolist())
scipy.io.mmwrite("m.mtx", scipy.sparse.coo_array([[0, 2.0], [3.0, 0]]))
print("Matrix Market:", scipy.io.mmread("m.mtx", spmatrix=False).toarray().tolist())
scipy.sparse.save_npz("s.npz", scipy.sparse.csr_array(np.eye(3)))
print("sparse:", scipy.sparse.load_npz("s.npz").nnz)
table.dump("table.pickle")
print("pickle:", bool((np.load("table.pickle", allow_pickle=True) == table).all()))
print(len(pickle.dumps(numbers, protocol=5, buffer_callback=lambda buffer: None)) < 500)

# --- Raw bytes: by name, and through a file of Python whose position moves with it.
numbers.tofile("raw.bin")
print("raw:", os.path.getsize("raw.bin"), np.fromfile("raw.bin", dtype="<i8").tolist(), np.fromfile("raw.bin", dtype="<i8", count=2, offset=8).tolist())
with open("raw.bin", "rb") as file:
    file.read(8)
    print("from the middle:", np.fromfile(file, dtype="<i8", count=2).tolist(), file.tell(), file.read(1))
with open("raw.bin", "ab") as file:
    file.write(b"head")
    numbers[:2].astype(">u2").tofile(file)
    file.write(b"tail")
with open("raw.bin", "rb") as file:
    print("appended:", file.read()[-12:])
numbers.tofile("numbers.csv", sep=",", format="%d")
print("as text:", open("numbers.csv").read(), np.fromfile("numbers.csv", sep=",").tolist())
wavfile.write("tone.wav", 8000, (np.sin(np.arange(800) / 5) * 30_000).astype("<i2"))
rate, tone = wavfile.read("tone.wav")
print("WAV:", rate, tone.shape, bool(abs(int(tone.max()) - 30_000) < 100), open("tone.wav", "rb").read(4))
